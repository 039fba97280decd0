"""Composing and playing a turn on the game page, without a browser: what is shown, what is refused and how."""

import gzip
import re
from collections.abc import Callable
from http import HTTPStatus
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from engine.contract import END
from engine.errors import RulesError
from games.models import Game
from tests.flows.play import NOW, RULES, make_user, mover_of, play, play_randomly, random_turn, start_game, state_of

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def stranger() -> User:
    return make_user("Cy")


@pytest.fixture
def game(ada: User, bo: User) -> Game:
    return start_game([ada, bo])


@pytest.fixture
def as_user() -> Callable[[User], Client]:
    def sign_in(user: User) -> Client:
        client = Client()
        client.force_login(user)
        return client

    return sign_in


@pytest.fixture
def ada_client(ada: User, as_user: Callable[[User], Client]) -> Client:
    return as_user(ada)


def address(game: Game, verb: str = "") -> str:
    return f"/games/{game.key}/{verb}"


def text_of(response: Any) -> str:
    return str(response.content.decode())


def buttons(html: str, name: str = "step") -> dict[str, bool]:
    """Return the values of a form's buttons, and whether each can be pressed."""
    found = re.findall(rf'<button[^>]*name="{name}" value="([^"]*)"([^>]*)>', html)
    return {value.replace("&lt;", "<").replace("&gt;", ">"): " disabled" not in rest for value, rest in found}


# Seeing


def test_every_legal_step_is_a_button_that_can_be_pressed_and_no_other_one_is(game: Game, ada_client: Client) -> None:
    shown = buttons(text_of(ada_client.get(address(game))))
    assert {step for step, enabled in shown.items() if enabled} == set(RULES.legal_steps(state_of(game)))


@pytest.mark.parametrize("seed", range(6))
def test_buttons_match_the_rules_at_every_step_of_random_games_with_goodies(
    ada: User, bo: User, as_user: Callable[[User], Client], seed: int
) -> None:
    rng = Random(seed)
    game = start_game([ada, bo], seed=seed, options={"goodies": "PJT"})
    play_randomly(game, rng.randrange(20), rng)
    client, state, steps = as_user(mover_of(game)), state_of(game), list[str]()
    while True:
        legal = set(RULES.legal_steps(state, steps))
        data = {"seq": Game.objects.get(pk=game.pk).seq, "steps": " ".join(steps)}
        html = text_of(client.post(address(game, "preview"), data))
        enabled = {step.replace("&amp;", "&") for step, enabled in buttons(html).items() if enabled}
        assert enabled == legal - {END}
        assert ('id="confirm"' in html) == (END in legal)
        step = rng.choice(sorted(legal))
        if step == END:
            break
        steps.append(step)


def test_what_cannot_be_played_with_the_hand_says_why(game: Game, ada_client: Client) -> None:
    html = text_of(ada_client.get(address(game)))
    ways = {"S<(D)": "Simple move to the left", "S>(D)": "Simple move to the right", "L<": "Long jump to the left"}
    ways |= {"L>": "Long jump to the right", "H<": "High jump to the left", "H>": "High jump to the right"}
    blocked = re.findall(r"<span>([^<]*): A platform is in the way, [^<]*</span>", html)
    assert blocked == [name for step, name in ways.items() if RULES.why_not(state_of(game), step)]
    assert "<span>Complete your hand: No card lies in front of you.</span>" in html
    assert buttons(html).get("D")
    assert "C" not in buttons(html)


def test_a_guest_a_stranger_and_a_rival_see_the_board_but_no_step(
    game: Game, bo: User, stranger: User, as_user: Callable[[User], Client]
) -> None:
    for client in (Client(), as_user(stranger), as_user(bo)):
        html = text_of(client.get(address(game)))
        assert 'class="gravity-board ' in html
        assert 'name="step"' not in html
        assert "It is Ada's turn." in html


def test_an_unknown_game_and_a_position_that_never_was_are_not_found(game: Game, client: Client) -> None:
    assert client.get("/games/zzzzzzzzzzzz/").status_code == HTTPStatus.NOT_FOUND
    for at in ("1", "-1", "x", "99999999999999999999", "²", ""):
        assert client.get(address(game), {"at": at}).status_code == HTTPStatus.NOT_FOUND, at


def test_a_past_position_is_the_board_of_that_time_and_cannot_be_played_from(game: Game, ada_client: Client) -> None:
    play_randomly(game, 1, Random(1))
    first_board = board_of(text_of(ada_client.get(address(game), {"at": 0})))
    play_randomly(game, 3, Random(1))
    html = text_of(ada_client.get(address(game), {"at": 0}))
    assert board_of(html) == first_board
    assert board_of(text_of(ada_client.get(address(game)))) != first_board
    assert 'name="step"' not in html
    assert 'href="?at=1"' in html


def board_of(html: str) -> list[str]:
    """Return the pieces on the picture of the board."""
    return re.findall(r'<use href="#(?:star|pawn)[^>]*transform="[^"]*"', html)


def test_the_log_has_each_turn_in_notation_and_in_sentences(game: Game, client: Client) -> None:
    play(game, next(step for step in RULES.legal_steps(state_of(game)) if step.startswith("R")))
    html = text_of(client.get(address(game)))
    assert re.search(r"<code>R[-+=]</code>", html)
    assert "Ada rotates a" in html
    assert "Ada enters through the open door at" in html


def test_a_finished_game_shows_its_ranking_and_asks_for_no_news(ada: User, bo: User, client: Client) -> None:
    game = start_game([ada, bo], seed=3)
    play_randomly(game, 400, Random(3))
    html = text_of(client.get(address(game)))
    assert re.search(r'id="turn-sign"[^>]*><strong>\w+ wins with \d+ points, \d+ ahead of \w+</strong>', html)
    assert "Final ranking" in html
    assert "board:poll" not in html
    assert "mini-card back" not in html


def test_pages_are_read_in_a_number_of_queries_that_does_not_grow_with_the_game(
    game: Game, ada_client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for turns in (2, 20):
        play_randomly(game, turns, Random(turns))
        with django_assert_max_num_queries(16):
            ada_client.get(address(game))
        with django_assert_max_num_queries(16):
            ada_client.get(address(game), {"at": 2})


def test_the_answer_to_a_turn_is_the_board_as_it_is_read_afterwards(
    game: Game, as_user: Callable[[User], Client]
) -> None:
    rng = Random(5)
    for seq in range(60):
        state = state_of(game)
        if RULES.summary(state).finished:
            break
        client = as_user(mover_of(game))
        sent = {"seq": seq, "steps": random_turn(state, rng)}
        answer = client.post(address(game, "turn"), sent, headers=HTMX)
        read = client.get(address(game), headers=HTMX)
        said = re.sub(r'<div class="notice success">.*?</div>', "", text_of(answer), flags=re.DOTALL)
        assert timeless(said) == timeless(text_of(read))
        assert answer["HX-PTag"] == read["HX-PTag"]
    assert seq > 20


def timeless(html: str) -> list[str]:
    """Return a page's words without what changes from request to request."""
    html = re.sub(r'data-now="[^"]*"|(?<=>)[^<]*(?=</time>)|<strong class="countdown".*?</strong>', "", html)
    html = re.sub(r'<dd><strong>[^<]* left</strong>|data-say="[^"]*"', "", html)
    return re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"', "", html).split()


def test_a_turn_and_its_answer_cost_few_queries(
    ada: User, bo: User, as_user: Callable[[User], Client], django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    game = start_game([ada, bo], now=timezone.now())
    for seq in range(12):
        client = as_user(mover_of(game))
        turn = "C" if "C" in RULES.legal_steps(state_of(game)) else "R="
        with django_assert_max_num_queries(20):
            client.post(address(game, "turn"), {"seq": seq, "steps": turn}, headers=HTMX)


def test_a_poll_without_news_costs_one_query_and_no_body(
    game: Game, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    tag = client.get(address(game, "board"), headers=HTMX)["HX-PTag"]
    with django_assert_num_queries(1):
        response = client.get(address(game, "board"), headers={**HTMX, "HX-PTag": tag})
    assert response.status_code == HTTPStatus.NOT_MODIFIED
    assert response.content == b""


def test_a_poll_after_a_turn_brings_the_new_board(game: Game, client: Client) -> None:
    tag = client.get(address(game))["HX-PTag"]
    play_randomly(game, 1, Random(1))
    response = client.get(address(game, "board"), headers={**HTMX, "HX-PTag": tag})
    assert response.status_code == HTTPStatus.OK
    assert "It is Bo's turn." in text_of(response)
    assert "<html" not in text_of(response)


def test_a_poll_while_a_turn_is_composed_brings_a_word_and_no_board(game: Game, ada_client: Client) -> None:
    where = f"{address(game, 'board')}?composing=1&seq=0"
    response = ada_client.get(where, headers={**HTMX, "HX-PTag": '"0"'})
    assert "The game has moved on" not in text_of(response)
    assert 'id="game"' not in text_of(response)
    play_randomly(game, 1, Random(1))
    html = text_of(ada_client.get(where, headers={**HTMX, "HX-PTag": '"0"'}))
    assert "The game has moved on while you were composing your turn." in html
    assert 'id="game"' not in html


# Composing


def first_action(game: Game) -> str:
    """Return some step that needs no steal."""
    state = state_of(game)
    return next(step for step in RULES.legal_steps(state) if END in RULES.legal_steps(state, [step]))


def test_a_preview_shows_the_step_and_changes_nothing(game: Game, ada_client: Client) -> None:
    before = RULES.dump(state_of(game))
    step = first_action(game)
    response = ada_client.post(address(game, "preview"), {"seq": 0, "steps": "", "step": step})
    html = text_of(response)
    assert response.status_code == HTTPStatus.OK
    assert "Confirm turn" in html
    assert 'class="trail trail-preview seat-1"' in html
    assert RULES.dump(state_of(game)) == before
    assert Game.objects.get(pk=game.pk).seq == 0


def test_steps_can_be_taken_back_one_by_one_or_all_at_once(game: Game, ada_client: Client) -> None:
    step = first_action(game)
    for undo in ("last", "all"):
        data = {"seq": 0, "steps": step, "undo": undo}
        html = text_of(ada_client.post(address(game, "preview"), data))
        assert 'name="steps" value=""' in html
        assert "Choose a card, or a place on the board" in html


def test_a_place_previews_the_one_step_to_it_or_narrows_the_choice_among_several(
    game: Game, ada_client: Client
) -> None:
    html = text_of(ada_client.get(address(game)))
    counts = re.findall(r'name="spot" value="(\d+,\d+)"[^>]* aria-label="[^"]*: (\d+) moves? ends? here"', html)
    assert counts
    for spot, count in counts:
        answer = text_of(ada_client.post(address(game, "preview"), {"seq": 0, "steps": "", "spot": spot}))
        if count == "1":
            assert "Confirm turn" in answer or "Choose what to steal" in answer
        else:
            assert answer.count('id="choice-') == int(count)
            assert 'class="spot' in answer


def test_an_illegal_step_is_refused_with_its_reason_and_the_legal_beginning_is_kept(
    game: Game, ada_client: Client
) -> None:
    step = first_action(game)
    data = {"seq": 0, "steps": step, "step": "C"}
    response = ada_client.post(address(game, "preview"), data)
    html = text_of(response)
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "The turn is complete: nothing more can be added to it." in html
    assert f'name="steps" value="{step.replace("<", "&lt;").replace(">", "&gt;")}"' in html


@pytest.mark.parametrize("nonsense", ["Z9", "S<(P)", "x9b", "<script>", "S<(?)", "é", "."])
def test_nonsense_in_place_of_a_step_is_refused_and_escaped(game: Game, ada_client: Client, nonsense: str) -> None:
    for verb, data in (("preview", {"step": nonsense}), ("turn", {"steps": nonsense})):
        response = ada_client.post(address(game, verb), {"seq": 0, "steps": "", **data})
        assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
        assert "<script>" not in text_of(response).replace('<script src="', "")
    assert Game.objects.get(pk=game.pk).seq == 0


@pytest.mark.parametrize(
    "data", [{}, {"seq": "x"}, {"seq": 0, "spot": "a4"}, {"seq": 0, "undo": "most"}, {"seq": 0, "steps": "D " * 500}]
)
def test_a_form_that_is_not_ours_is_refused_with_the_board(
    game: Game, ada_client: Client, data: dict[str, Any]
) -> None:
    response = ada_client.post(address(game, "preview"), data)
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "could not read this request" in text_of(response)
    assert 'class="gravity-board ' in text_of(response)


# Playing


def test_confirming_plays_the_turn_and_leads_back_to_the_game(game: Game, ada_client: Client) -> None:
    step = first_action(game)
    response = ada_client.post(address(game, "turn"), {"seq": 0, "steps": step}, follow=True)
    assert response.redirect_chain == [(address(game), HTTPStatus.FOUND)]
    assert "Your turn has been played." in text_of(response)
    assert Game.objects.get(pk=game.pk).entries.get().turn == step


def test_confirming_with_htmx_answers_with_the_fresh_board(game: Game, ada_client: Client) -> None:
    data = {"seq": 0, "steps": first_action(game)}
    html = text_of(ada_client.post(address(game, "turn"), data, headers=HTMX))
    assert html.lstrip().startswith('<div id="game"')
    assert "Your turn has been played." in html
    assert "It is Bo's turn." in html


def test_the_same_turn_sent_twice_is_played_once_and_both_answers_say_so(game: Game, ada_client: Client) -> None:
    data = {"seq": 0, "steps": first_action(game)}
    for _time in range(2):
        response = ada_client.post(address(game, "turn"), data, headers=HTMX)
        assert response.status_code == HTTPStatus.OK
        assert "Your turn has been played." in text_of(response)
    assert Game.objects.get(pk=game.pk).seq == 1


@pytest.mark.parametrize("verb", ["preview", "turn"])
def test_a_stale_page_gets_the_fresh_board_and_its_steps_back(game: Game, ada_client: Client, verb: str) -> None:
    play(game, first_action(game))
    other = next(step for step in ("R+", "R-", "R=") if step != Game.objects.get(pk=game.pk).entries.get().turn)
    response = ada_client.post(address(game, verb), {"seq": 0, "steps": other})
    html = text_of(response)
    assert response.status_code == HTTPStatus.CONFLICT
    assert "The game has moved on since this page was shown." in html
    assert f"Your turn so far was: {other}" in html
    assert "It is Bo's turn." in html
    assert Game.objects.get(pk=game.pk).seq == 1


def test_steps_of_a_stale_page_are_kept_where_they_still_fit(game: Game, ada_client: Client) -> None:
    play_randomly(game, 2, Random(5))
    step = first_action(game)
    response = ada_client.post(address(game, "turn"), {"seq": 0, "steps": step})
    assert response.status_code == HTTPStatus.CONFLICT
    assert f'name="steps" value="{step.replace("<", "&lt;").replace(">", "&gt;")}"' in text_of(response)
    assert 'name="seq" value="2"' in text_of(response)
    assert Game.objects.get(pk=game.pk).seq == 2


def test_an_unfinished_turn_is_refused(game: Game, ada_client: Client) -> None:
    response = ada_client.post(address(game, "turn"), {"seq": 0, "steps": ""})
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "The turn is not complete yet" in text_of(response)


def test_whole_games_can_be_played_by_forms_alone(ada: User, bo: User, as_user: Callable[[User], Client]) -> None:
    game = start_game([ada, bo], seed=11)
    clients = {user.pk: as_user(user) for user in (ada, bo)}
    rng = Random(11)
    while not RULES.summary(state_of(game)).finished:
        data = {"seq": Game.objects.get(pk=game.pk).seq, "steps": random_turn(state_of(game), rng)}
        assert clients[mover_of(game).pk].post(address(game, "turn"), data).status_code == HTTPStatus.FOUND
    assert "Final ranking" in text_of(clients[ada.pk].get(address(game)))


# Who may what


@pytest.mark.parametrize("verb", ["preview", "turn", "resign"])
def test_only_the_player_to_move_can_play_and_nobody_can_make_another_leave(
    game: Game, bo: User, stranger: User, as_user: Callable[[User], Client], verb: str
) -> None:
    data = {"seq": 0, "steps": first_action(game)}
    guest = Client().post(address(game, verb), data)
    assert guest.status_code == HTTPStatus.FOUND
    assert guest["Location"].startswith("/accounts/login/?next=/games/")
    assert Client().post(address(game, verb), data, headers=HTMX).status_code == HTTPStatus.FORBIDDEN
    outsider = as_user(stranger).post(address(game, verb), data)
    assert outsider.status_code == HTTPStatus.FORBIDDEN
    assert "You are not playing in this game." in text_of(outsider)
    if verb != "resign":
        rival = as_user(bo).post(address(game, verb), data)
        assert rival.status_code == HTTPStatus.FORBIDDEN
        assert "It is not your turn." in text_of(rival)
    assert Game.objects.get(pk=game.pk).seq == 0


def test_a_player_can_leave_a_running_game_for_good(game: Game, bo: User, as_user: Callable[[User], Client]) -> None:
    response = as_user(bo).post(address(game, "resign"), {"seq": 0}, follow=True)
    assert "You have left the game." in text_of(response)
    assert Game.objects.get(pk=game.pk).status == "finished"
    assert "Bo leaves the game." in text_of(response)


@pytest.mark.parametrize("verb", ["preview", "turn", "resign"])
def test_changing_addresses_answer_to_post_alone_and_only_with_the_form_token(game: Game, ada: User, verb: str) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(ada)
    assert strict.get(address(game, verb)).status_code == HTTPStatus.METHOD_NOT_ALLOWED
    refused = strict.post(address(game, verb), {"seq": 0, "steps": first_action(game)})
    assert refused.status_code == HTTPStatus.FORBIDDEN
    assert Game.objects.get(pk=game.pk).seq == 0


def test_game_pages_carry_strict_headers_and_nothing_inline(game: Game, ada_client: Client) -> None:
    data = {"seq": 0, "steps": "", "step": first_action(game)}
    for response in (
        ada_client.get(address(game)),
        ada_client.get(address(game, "board")),
        ada_client.post(address(game, "preview"), data),
        ada_client.get(address(game, "record")),
    ):
        policy = response["Content-Security-Policy"]
        assert "unsafe" not in policy
        assert "script-src 'self'" in policy
        assert "no-store" in response["Cache-Control"]
        assert "HX-Request" in response["Vary"]
        html = text_of(response)
        assert not re.search(r"<[^>]+\s(style|on\w+)=", html)
        assert not re.search(r"<script(?![^>]*\ssrc=)", html)
        assert "<style" not in html


def test_the_record_can_be_downloaded_and_replayed_once_the_game_is_over(game: Game, ada_client: Client) -> None:
    play_randomly(game, 5, Random(2))
    running = ada_client.get(address(game, "record"))
    assert running["Content-Type"] == "application/json"
    assert "attachment" in running["Content-Disposition"]
    assert running.json()["redacted"] is True
    play_randomly(game, 400, Random(2))
    assert "chain" in ada_client.get(address(game, "record")).json()


def test_times_are_shown_for_machines_too(game: Game, client: Client) -> None:
    play_randomly(game, 1, Random(1))
    assert f'datetime="{NOW:%Y-%m-%d}' in text_of(client.get(address(game)))


def test_the_log_of_a_long_game_can_be_read_back_to_its_first_move(ada: User, bo: User, client: Client) -> None:
    game = start_game([ada, bo], seed=21)
    rng = Random(21)
    while Game.objects.get(pk=game.pk).seq < 40:
        play(
            game,
            next(step for step in ("C", "R+", "R-", "R=", random_turn(state_of(game), rng)) if is_turn(game, step)),
        )
    read, older = set[int](), [""]
    while older:
        html = text_of(client.get(f"{address(game)}{older[0]}"))
        read |= {int(number) for number in re.findall(r"Position after move (\d+)", html)}
        older = re.findall(r'href="(\?at=\d+)">Older moves', html)
    assert read == set(range(1, 41))


def is_turn(game: Game, turn: str) -> bool:
    """Whether a text is a whole legal turn now."""
    try:
        RULES.apply_turn(state_of(game), turn)
    except RulesError:
        return False
    return True


@pytest.mark.parametrize("options", [{}, {"expert": True}], ids=str)
def test_the_page_says_which_round_is_the_last_and_which_turn_ends_the_game(
    ada: User, bo: User, client: Client, options: dict[str, Any]
) -> None:
    cy, seen = make_user("Cy"), set[str]()
    for seed in range(1, 4):
        game, rng, told = start_game([ada, bo, cy], seed=seed, options=options), Random(seed), list[str]()
        while Game.objects.get(pk=game.pk).status == "active":
            page = client.get(reverse("game", args=[game.key])).content.decode()
            told += re.findall(r'<p class="in-sight">\d+ stars? left; (.*?)</p>', page)
            play(game, RULES.choose_turn("greedy", state_of(game), rng))
        told = [re.sub(r"\d+", "n", line) for line in told]
        usual = [f"the game ends at n{' points' if options else ''}. Next: {name}" for name in ("Bo", "Cy", "Ada")]
        assert set(told[:-2]) == set(usual)
        assert told[-2] in {"this is the last round. Next: Cy", usual[1]}
        assert told[-1] in {"this turn ends the game.", usual[2]}
        seen |= set(told)
    assert {"this turn ends the game.", "this is the last round. Next: Cy"} <= seen
    over = client.get(reverse("game", args=[game.key])).content.decode()
    assert re.search(r'<p class="in-sight">\d+ stars? left\.</p>', over)
    assert "The game ends after the round" not in over


def test_the_page_of_a_turn_in_a_full_game_is_little_to_send(client: Client) -> None:
    people = [make_user(name) for name in ("Di", "Eve", "Flo", "Gil", "Hal", "Ivy")]
    game = start_game(people, seed=6)
    play_randomly(game, 20, Random(6))
    client.force_login(mover_of(Game.objects.get(pk=game.pk)))
    page = client.get(reverse("game", args=[game.key])).content
    assert b'id="compose"' in page
    assert len(page) < 60_000
    assert len(gzip.compress(page)) < 12_000
