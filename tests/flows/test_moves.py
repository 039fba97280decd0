"""Entries of the log for the script that plays them: which ones, for whom, and at what cost."""

from collections.abc import Callable
from http import HTTPStatus
from random import Random
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games import commands
from games.log import positions
from games.models import Game
from games.presenters.registry import PRESENTERS
from games.queries.moves import MOST_MOVES
from tests.flows.play import NOW, play, play_randomly, simple_pair, start_game, state_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(ada: User, bo: User) -> Game:
    game = start_game([ada, bo], options={"goodies": "PJT"})
    play_randomly(game, 14, Random(3))
    return Game.objects.get(pk=game.pk)


def ask(client: Client, game: Game, first: int | str, last: int | str) -> Any:
    return client.get(f"/games/{game.key}/moves", {"first": first, "last": last})


def test_entries_come_oldest_first_with_the_board_before_each(game: Game, client: Client) -> None:
    moves = ask(client, game, 3, 7).json()["moves"]
    assert [move["seq"] for move in moves] == [3, 4, 5, 6, 7]
    assert [move["name"] for move in moves] == ["Ada", "Bo", "Ada", "Bo", "Ada"]
    page = client.get(f"/games/{game.key}/").content.decode()
    for move in moves:
        assert move["board"].startswith('<svg class="gravity-board scene"')
        assert 'id="board' not in move["board"]
        assert move["acts"][-1]["kind"] == "rest"
        assert " ".join(move["captions"]) in page.replace("&#x27;", "'")


@pytest.mark.parametrize(
    ("first", "last"),
    [(0, 3), (2, 1), (1, 15), (15, 15), (1, 13), ("", ""), ("x", 1), (-1, 1), (1, "99999999999999999999"), ("²", 1)],
)
def test_entries_that_there_are_not_and_more_than_a_dozen_are_not_found(
    game: Game, client: Client, first: int | str, last: int | str
) -> None:
    assert ask(client, game, first, last).status_code == HTTPStatus.NOT_FOUND


def test_a_game_without_entries_and_an_address_without_numbers_are_not_found(
    game: Game, client: Client, ada: User, bo: User
) -> None:
    assert ask(client, start_game([ada, bo]), 1, 1).status_code == HTTPStatus.NOT_FOUND
    assert client.get(f"/games/{game.key}/moves").status_code == HTTPStatus.NOT_FOUND
    assert client.get("/games/zzzzzzzzzzzz/moves?first=1&last=1").status_code == HTTPStatus.NOT_FOUND


def test_a_dozen_entries_cost_as_many_queries_as_one(
    game: Game, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    positions._replays.clear()
    with django_assert_num_queries(4):  # game, seats with their people, entries to be replayed, entries
        ask(client, game, 2, MOST_MOVES + 1)
    for first, last in ((2, 2), (2, MOST_MOVES + 1)):
        with django_assert_num_queries(3):
            ask(client, game, first, last)


def test_the_answer_is_kept_by_nobody(game: Game, client: Client) -> None:
    response = ask(client, game, 1, 1)
    assert "no-store" in response["Cache-Control"]
    assert "Cookie" in response["Vary"]
    assert response["Content-Type"] == "application/json"


def test_a_card_laid_face_down_is_named_to_its_owner_alone(
    ada: User, bo: User, as_user: Callable[[User], Client]
) -> None:
    game = start_game([ada, bo])
    play_randomly(game, 2, Random(3))
    pair = simple_pair(state_of(game))
    assert pair is not None
    play(game, pair[0])
    own, others = (ask(as_user(user), game, 3, 3).json()["moves"][0] for user in (ada, bo))
    assert own["captions"] != others["captions"]
    assert own["acts"] == others["acts"]
    assert own["board"] == others["board"]


def test_a_seat_that_leaves_takes_its_pawn_off(game: Game, client: Client, ada: User) -> None:
    commands.resign(game_key=game.key, user=ada, seq=game.seq, now=NOW)
    (move,) = ask(client, game, 15, 15).json()["moves"]
    assert move["seat"] == 1
    assert {"leave", "end"} & {act["kind"] for act in move["acts"]}


def test_the_page_has_a_hidden_button_where_there_is_a_turn_to_play(
    game: Game, client: Client, ada: User, bo: User
) -> None:
    html = client.get(f"/games/{game.key}/").content.decode()
    assert f'hidden data-moves="/games/{game.key}/moves" data-seq="14" data-latest="1"' in html
    assert all(f"{script}" in html for script in PRESENTERS[game.ruleset].scripts)
    assert 'data-seq="3" title="Play this turn"><' in client.get(f"/games/{game.key}/?at=3").content.decode()
    assert 'id="play"' not in client.get(f"/games/{game.key}/?at=0").content.decode()
    assert 'id="play"' not in client.get(f"/games/{start_game([ada, bo]).key}/").content.decode()
