"""Trying out: play on from any position of a game, which knows nothing of it, with what the reader may know."""

import re
from collections.abc import Callable
from http import HTTPStatus
from random import Random
from typing import Any, Final

import pytest
from django.forms import model_to_dict
from django.test import Client

from accounts.models import User
from games import commands
from games.models import Entry, Game
from games.queries.practice import MOST_TURNS
from tests.flows.people import SignIn
from tests.flows.play import NOW, RULES, play, simple_pair, start_game, state_of

pytestmark = pytest.mark.django_db
HIDING: Final = "S<(L)"
HTMX: Final = {"HX-Request": "true"}


@pytest.fixture
def game(ada: User, bo: User) -> Game:
    """Return a game in which Ada has laid a card face down, and it is Bo's turn."""
    game = start_game([ada, bo], seed=1)
    play(game, HIDING)
    return Game.objects.get(pk=game.pk)


def address(game: Game, verb: str = "", at: int | None = None) -> str:
    return f"/games/{game.key}/try/{verb}{'' if at is None else f'?at={at}'}"


def text_of(response: Any) -> str:
    return str(response.content.decode())


def played(html: str) -> list[str]:
    form = html[html.index('id="practice"') :].partition("</form>")[0]
    return [
        turn.replace("&lt;", "<").replace("&gt;", ">") for turn in re.findall(r'name="played" value="([^"]*)"', form)
    ]


def stored(game: Game) -> Any:
    return model_to_dict(Game.objects.defer(None).get(pk=game.pk)), list(Entry.objects.values())


def test_turns_are_played_for_all_seats_and_the_game_knows_nothing(game: Game, bo: User, as_user: SignIn) -> None:
    client, before = as_user(bo), stored(game)
    page = text_of(client.get(address(game)))
    assert "Trying out a move for Bo" in page
    assert "Cards that you can't know are drawn as they could be." in page
    first = text_of(client.post(address(game, "turn", 1), {"seq": 0, "steps": "R="}, headers=HTMX))
    assert "Trying out a move for Ada" in first
    assert played(first) == ["R="]
    second = text_of(client.post(address(game, "turn", 1), {"seq": 1, "played": ["R="], "steps": "C"}))
    assert "Trying out a move for Bo" in second
    assert played(second) == ["R=", "C"]
    back = text_of(client.post(address(game, "preview", 1), {"seq": 2, "played": ["R=", "C"], "back": "1"}))
    assert played(back) == ["R="]
    assert played(text_of(client.get(address(game, at=1)))) == []
    assert stored(game) == before


def test_a_past_position_and_that_of_a_guest_are_tried_too(game: Game, client: Client) -> None:
    html = text_of(client.get(address(game, at=0)))
    assert "Trying out a move for Ada" in html
    assert "Cards that you can" not in html
    assert f"/games/{game.key}/?at=0" in html
    assert (
        text_of(client.post(address(game, "turn", 0), {"seq": 0, "steps": "D"})).count("Trying out a move for Bo") == 1
    )


def test_the_page_of_a_game_leads_there_from_each_position(game: Game, bo: User, as_user: SignIn) -> None:
    client = as_user(bo)
    for at in (0, 1):
        assert f"/games/{game.key}/try/?at={at}" in text_of(client.get(f"/games/{game.key}/?at={at}"))


def test_in_a_finished_game_everything_is_open_and_its_end_is_no_start(game: Game, bo: User, client: Client) -> None:
    commands.resign(game_key=game.key, user=bo, seq=1, now=NOW)
    assert "/try/" not in text_of(client.get(f"/games/{game.key}/"))
    html = text_of(client.get(address(game, at=1)))
    assert "Cards that you can" not in html
    assert "Long jump, face down" in html
    assert "The game is over here." in text_of(client.get(address(game)))


def test_a_rival_who_hides_another_card_is_tried_out_with_the_same(ada: User, bo: User, as_user: SignIn) -> None:
    """Whatever lies there, the same cards are drawn; their owner alone plays on with the real ones."""
    seen: dict[str, list[set[str]]] = {"Ada": [], "Bo": []}
    for which in (0, 1):
        game = start_game([ada, bo], seed=1)
        pair = simple_pair(state_of(game))
        assert pair is not None
        play(game, pair[which])
        for user in (ada, bo):
            html = text_of(as_user(user).post(address(game, "turn", 1), {"seq": 0, "steps": "R="}))
            seen[user.display_name].append(set(re.findall(r'id="pick-(\w)"', html)))
    assert seen["Ada"][0] != seen["Ada"][1]
    assert seen["Bo"][0] == seen["Bo"][1]


@pytest.mark.parametrize(
    "sent",
    [
        {"seq": 0, "steps": "no turn"},
        {"seq": 0, "steps": "R= R="},
        {"seq": 0, "steps": ""},
        {"seq": 1, "steps": "R="},
        {"seq": 1, "played": ["no turn"], "steps": "R="},
        {"seq": 1, "played": ["x" * 201], "steps": "R="},
        {"seq": MOST_TURNS + 1, "played": ["R="] * (MOST_TURNS + 1), "steps": "R="},
        {"seq": "x", "steps": "R="},
        {},
    ],
)
def test_what_is_no_turn_is_refused_in_words(sent: dict[str, Any], game: Game, bo: User, as_user: SignIn) -> None:
    answer = as_user(bo).post(address(game, "turn", 1), sent)
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert 'class="notice error"' in text_of(answer)
    assert played(text_of(answer)) == []


def test_as_many_turns_as_there_may_be_are_played_and_no_more(game: Game, bo: User, as_user: SignIn) -> None:
    state, turns = RULES.imagine(state_of(game), 2, Random(1)), list[str]()
    client = as_user(bo)
    while len(turns) < MOST_TURNS:
        turn = "C" if "C" in RULES.legal_steps(state) else "R="
        turns.append(turn)
        state = RULES.apply_turn(state, turn).state
        if RULES.summary(state).finished:
            return
    sent = {"seq": MOST_TURNS, "played": turns}
    answer = client.post(address(game, "preview", 1), sent)
    assert "No more turns can be played here." in text_of(answer)
    assert client.post(address(game, "turn", 1), {**sent, "steps": "R="}).status_code == HTTPStatus.UNPROCESSABLE_ENTITY


def test_choices_and_moves_are_drawn(game: Game, bo: User, as_user: SignIn) -> None:
    client = as_user(bo)
    choices = client.post(address(game, "choices", 1), {"seq": 0}).json()["choices"]
    assert "ghost" in choices["R="]
    sent = {"seq": 2, "played": ["R=", "C"], "first": 1, "last": 2}
    moves = client.post(address(game, "moves", 1), sent).json()["moves"]
    assert [move["name"] for move in moves] == ["Bo", "Ada"]
    refused = client.post(address(game, "moves", 1), {"seq": 0, "first": 1, "last": 60})
    assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY


def test_trying_out_takes_a_handful_of_queries(
    game: Game, bo: User, as_user: SignIn, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    client = as_user(bo)
    client.get(address(game))
    for ask in (
        lambda: client.get(address(game, at=1)),
        lambda: client.post(address(game, "preview", 1), {"seq": 0, "step": "R="}),
        lambda: client.post(address(game, "turn", 1), {"seq": 0, "steps": "R="}),
    ):
        with django_assert_max_num_queries(6):
            ask()


def test_a_game_that_has_not_begun_leads_to_its_invitation(ada: User, as_user: SignIn) -> None:
    game = commands.create_game(user=ada, ruleset="gravity-1", size=2, options={}, public=True, bots=[], now=NOW)
    assert as_user(ada).get(address(game))["Location"] == f"/games/{game.key}/invitation/"
