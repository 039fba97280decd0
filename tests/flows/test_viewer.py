"""Looking back: the addresses of positions and the line of buttons, without a script."""

import re
from collections.abc import Callable
from http import HTTPStatus
from random import Random

import pytest
from django.test import Client

from accounts.models import User
from games.models import Game
from tests.flows.play import mover_of, play_randomly, start_game

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(ada: User, bo: User) -> Game:
    game = start_game([ada, bo])
    play_randomly(game, 6, Random(1))
    return Game.objects.get(pk=game.pk)


def positions(client: Client, game: Game, query: str = "") -> str:
    html = client.get(f"/games/{game.key}/{query}").content.decode()
    found = re.search(r'<nav class="positions".*?</nav>', html, re.DOTALL)
    assert found is not None
    return found[0]


@pytest.mark.parametrize("at", range(7))
def test_each_position_has_an_address_and_links_to_those_around_it(game: Game, client: Client, at: int) -> None:
    html = positions(client, game, f"?at={at}")
    links = re.findall(r'<a [^>]*id="(go-\w+)"[^>]*?(?:href="([^"]*)"|aria-disabled="true")', html)
    here = f"/games/{game.key}/"
    assert dict(links) == {
        "go-first": "?at=0" if at else "",
        "go-back": f"?at={at - 1}" if at else "",
        "go-on": f"?at={at + 1}" if at < 6 else "",
        "go-last": here if at < 6 else "",
    }
    assert f"Move {at} of 6" in html


def test_the_slider_is_a_form_of_its_own_that_leads_to_a_position(game: Game, client: Client) -> None:
    html = positions(client, game, "?at=2")
    assert f'<form class="position-slider" method="get" action="/games/{game.key}/">' in html
    assert re.search(r'<input id="position" type="range" name="at" min="0" max="6" value="2"', html)
    assert re.search(r'<button class="button small without-script">Show this move</button>', html)
    for at in (0, 6):
        assert client.get(f"/games/{game.key}/?at={at}").status_code == HTTPStatus.OK
    assert client.get(f"/games/{game.key}/?at=7").status_code == HTTPStatus.NOT_FOUND


def test_the_last_position_is_the_same_by_its_number(game: Game, as_user: Callable[[User], Client]) -> None:
    client = as_user(mover_of(game))
    for query in ("", "?at=6"):
        html = client.get(f"/games/{game.key}/{query}").content.decode()
        assert 'id="compose"' in html
        assert "You are looking at a past position." not in html
    assert 'aria-label="Latest position"' in positions(client, game)


def test_all_moves_are_played_from_the_shown_position_and_from_the_last_one_anew(game: Game, client: Client) -> None:
    for query, first in (("", 0), ("?at=6", 0), ("?at=2", 2), ("?at=0", 0)):
        assert f'data-from="{first}" data-last="6"' in positions(client, game, query)


def test_a_game_without_moves_has_nothing_to_play(ada: User, bo: User, client: Client) -> None:
    html = positions(client, start_game([ada, bo]))
    assert 'id="play-all"' not in html
    assert " disabled hx-get" in html
