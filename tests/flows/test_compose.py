"""What hand, choices and board offer while a turn is composed: the same as the rules, and what each brings."""

import json
import re
from html import unescape
from http import HTTPStatus
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from engine.contract import END
from games.models import Game
from games.presenters.gravity.compose import way_of
from tests.flows.people import signed_in
from tests.flows.play import NOW, RULES, make_user, mover_of, play, play_randomly, start_game, state_of

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def preview(game: Game, client: Client, **fields: str) -> str:
    """Return the page of a turn in progress."""
    seq = Game.objects.get(pk=game.pk).seq
    answer = client.post(reverse("game_preview", args=[game.key]), {"seq": seq, "steps": "", **fields}, headers=HTMX)
    assert answer.status_code == HTTPStatus.OK
    return str(answer.content.decode())


def values(html: str, name: str) -> set[str]:
    """Return what the buttons of that name would send."""
    return {unescape(value) for value in re.findall(rf'<button[^>]* name="{name}" value="([^"]*)"', html)}


def points_after(game: Game, steps: list[str]) -> int:
    """Return the points of the seat to move after steps, and after the steals that bring most."""
    state, legal = state_of(game), RULES.legal_steps(state_of(game), steps)
    steals = [step for step in legal if step.startswith("x")]
    if steals:
        return max(points_after(game, [*steps, steal]) for steal in steals)
    return RULES.summary(RULES.play_steps(state, steps).state).points[state.seat]


@pytest.fixture(params=range(8))
def game(request: pytest.FixtureRequest, ada: User, bo: User) -> Game:
    """Games with goodies, some turns in."""
    started = start_game([ada, bo, make_user("Cy")], seed=request.param, options={"goodies": "PJT"})
    play_randomly(started, request.param * 3, Random(request.param))
    return Game.objects.get(pk=started.pk)


def test_each_choice_says_what_it_brings_and_the_best_comes_first(game: Game) -> None:
    html = preview(game, signed_in(mover_of(game)))
    before = points_after(game, [])
    gains = []
    for row in re.findall(r'<li class="way.*?</li>', html, re.DOTALL):
        steps = sorted(unescape(value) for value in re.findall(r'name="step" value="([^"]*)"', row))
        told = re.search(r'class="gain">([^<]*)<', row)
        gain = int(told[1].replace("\N{MINUS SIGN}", "-")) if told else 0
        assert {points_after(game, [step]) - before for step in steps} == {gain}, steps
        assert ("dull" in row.split(">")[0]) <= (gain <= 0), row
        gains.append(gain)
    assert gains == sorted(gains, reverse=True)


def test_during_a_preview_each_other_action_is_one_press_away(game: Game) -> None:
    client, state = signed_in(mover_of(game)), state_of(game)
    first = [step for step in RULES.legal_steps(state) if step != END]
    chosen = Random(game.seq).choice(first)
    html = preview(game, client, step=chosen)
    assert values(html, "turn") == set(first)
    other = next(step for step in first if step != chosen)
    assert f'name="steps" value="{other}"' in unescape(preview(game, client, steps=chosen, turn=other))


def test_a_second_action_can_be_another_as_well(ada: User, bo: User) -> None:
    for seed in range(30):
        game = start_game([ada, bo], seed=seed)
        play_randomly(game, 6, Random(seed))
        game = Game.objects.get(pk=game.pk)
        client = signed_in(mover_of(game))
        for first in RULES.legal_steps(state_of(game)):
            if "&" not in RULES.legal_steps(state_of(game), [first]):
                continue
            second = [step for step in RULES.legal_steps(state_of(game), [first, "&"]) if step != END]
            html = preview(game, client, steps=f"{first} &", step=second[0])
            assert values(html, "turn") == {f"{first} & {step}" for step in second}
            offered = preview(game, client, step=first)
            actions = [step for step in second if step != "C"]
            best = max(points_after(game, [first, "&", step]) for step in actions) - points_after(game, [first])
            told = re.search(r"At best: [^<]*, points ([^<]*)<", offered)
            assert told is not None
            assert int(told[1].replace("\N{MINUS SIGN}", "-").replace("±", "")) == best
            return
    pytest.fail("no first action brought a token")


def test_a_steal_says_what_it_changes_and_the_best_comes_first(ada: User, bo: User) -> None:
    for seed in range(60):
        game = start_game([ada, bo], seed=seed)
        play_randomly(game, 8, Random(seed))
        game = Game.objects.get(pk=game.pk)
        for first in RULES.legal_steps(state_of(game)) if game.status == "active" else ():
            steals = [step for step in RULES.legal_steps(state_of(game), [first]) if step.startswith("x")]
            if len(steals) < 3:
                continue
            html = preview(game, signed_in(mover_of(game)), step=first)
            told = re.findall(r'value="(x\d\w)">.*?class="way-detail">([^ ]*) for you, ([^ ]*) for', html, re.DOTALL)
            assert {step for step, _own, _theirs in told} == set(steals)
            mover = state_of(game).seat
            for step, own, theirs in told:
                before, after = (
                    RULES.summary(RULES.play_steps(state_of(game), steps).state).points
                    for steps in ([first], [first, step])
                )
                number = [int(text.replace("\N{MINUS SIGN}", "-").replace("±", "")) for text in (own, theirs)]
                assert number == [after[mover] - before[mover], after[1 - mover] - before[1 - mover]]
            assert [own for _step, own, _theirs in told] == sorted((own for _s, own, _t in told), reverse=True)
            return
    pytest.fail("nobody was ejected")


def test_a_card_that_is_picked_narrows_what_leads_to_a_place(game: Game) -> None:
    client = signed_in(mover_of(game))
    html = preview(game, client)
    for spot, cards in re.findall(r'name="spot" value="(\d+,\d+)" data-cards="(\w+)"', html):
        for card in set(cards):
            answer = preview(game, client, spot=spot, pick=card)
            number = cards.count(card)
            if number == 1:
                assert 'name="steps" value=""' not in answer
            else:
                assert answer.count('id="choice-') == number
                assert f'value="{card}" id="pick-{card}" checked' in answer


def test_what_a_choice_would_do_is_drawn_for_each_way_and_for_the_mover_alone(game: Game, bo: User) -> None:
    address, data = reverse("game_choices", args=[game.key]), {"seq": game.seq, "steps": ""}
    drawn = signed_in(mover_of(game)).post(address, data).json()["choices"]
    actions = [step for step in RULES.legal_steps(state_of(game)) if step not in (END, "C")]
    assert set(drawn) == {way_of(step) for step in actions}
    assert all(picture.startswith('<g class="trail trail-ghost') for picture in drawn.values())
    others = [None, *(user for user in User.objects.all() if user != mover_of(game))]
    for reader in others:
        assert signed_in(reader).post(address, data).json() == {"choices": {}}
    stale = signed_in(mover_of(game)).post(address, {**data, "seq": game.seq + 1})
    assert stale.status_code == HTTPStatus.CONFLICT


def test_a_turn_that_is_wrong_gets_no_drawings(game: Game) -> None:
    address = reverse("game_choices", args=[game.key])
    for data in ({"seq": game.seq, "steps": "Z9"}, {"seq": "x"}):
        answer = signed_in(mover_of(game)).post(address, data)
        assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
        assert json.loads(answer.content) == {"choices": {}}


def board_of(html: str) -> Any:
    return re.search(r'<svg class="gravity-board turned-(\d+)" viewBox="0 0 (\d+) (\d+)"', html)


def test_the_board_turns_until_ones_own_pawn_stands_upright_and_stays_so(game: Game) -> None:
    mover = mover_of(game)
    client, address = signed_in(mover), reverse("game", args=[game.key])
    pawn = RULES.view(state_of(game), None)["pawns"][state_of(game).seat]  # type: ignore[index, call-overload]
    feet = str(pawn).split(",")[2] if pawn else None
    printed = board_of(client.get(address).content.decode())
    assert printed[1] == "0"
    steps = RULES.legal_steps(state_of(game))[0]
    sent = {"view": "upright", "seq": game.seq, "steps": steps}
    answer = client.post(reverse("game_view", args=[game.key]), sent, headers=HTMX).content.decode()
    assert f'name="steps" value="{steps}"' in unescape(answer)
    html = client.get(address).content.decode()
    upright = board_of(html)
    if feet is not None:
        assert upright[1] == {"S": "0", "W": "270", "N": "180", "E": "90"}[feet]
    assert User.objects.get(pk=mover.pk).board_view == "upright"
    client.post(reverse("game_view", args=[game.key]), {"view": "printed"})
    assert board_of(client.get(address).content.decode())[1] == "0"


def test_a_guest_turns_no_board_and_nonsense_changes_nothing(game: Game, client: Client) -> None:
    address = reverse("game_view", args=[game.key])
    assert client.post(address, {"view": "upright"}).status_code == HTTPStatus.FORBIDDEN
    mover = mover_of(game)
    assert signed_in(mover).post(address, {"view": "sideways"}).status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert User.objects.get(pk=mover.pk).board_view == "printed"


def test_the_next_game_that_waits_is_one_click_away(ada: User, bo: User) -> None:
    here, there, later = (start_game([ada, bo], seed=seed) for seed in (1, 2, 3))
    Game.objects.filter(pk=there.pk).update(deadline=NOW.replace(year=2027))
    Game.objects.filter(pk=later.pk).update(deadline=NOW.replace(year=2028))
    html = signed_in(ada).get(reverse("game", args=[here.key])).content.decode()
    assert f'id="next-game" class="button small" href="{reverse("game", args=[there.key])}"' in html
    assert "next-game" not in signed_in(bo).get(reverse("game", args=[here.key])).content.decode()


def test_an_open_page_asks_how_many_games_wait_and_hears_nothing_while_that_is_so(ada: User, bo: User) -> None:
    game, client, address = start_game([ada, bo]), signed_in(ada), reverse("waiting_games")
    answer = client.get(address)
    assert "(1 is waiting for you)" in answer.content.decode()
    same = client.get(address, headers={"If-None-Match": answer["ETag"]})
    assert same.status_code == HTTPStatus.NOT_MODIFIED
    play(game, "R=")
    changed = client.get(address, headers={"If-None-Match": answer["ETag"]})
    assert changed.status_code == HTTPStatus.OK
    assert "waiting" not in changed.content.decode()


def test_all_rivals_last_moves_are_on_the_board_and_the_last_one_is_seen_first(ada: User, bo: User) -> None:
    game = start_game([ada, bo, make_user("Cy"), make_user("Dee")], seed=4)
    for _turn in range(8):
        play(game, RULES.choose_turn("greedy", state_of(game), Random(4)))
    html = signed_in(mover_of(game)).get(reverse("game", args=[game.key])).content.decode()
    seat = state_of(game).seat + 1
    others = [number for number in (1, 2, 3, 4) if number != seat]
    assert re.findall(r'class="trail trail-(past|last) seat-(\d)', html) == [
        *(("past", str(number)) for number in others[:-1]),
        ("last", str(others[-1])),
    ]
    assert re.findall(r'id="trail-(\d)"', html) == [str(number) for number in others[:-1]]
