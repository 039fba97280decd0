"""Hints beside the hand: for who has not finished a game yet, one that fits, until they are dismissed."""

import re
from random import Random

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games import commands
from games.models import Game
from games.presenters.gravity.lessons import LESSONS
from tests.flows.people import SignIn
from tests.flows.play import NOW, RULES, make_user, mover_of, play, start_game, state_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(ada: User, bo: User) -> Game:
    return start_game([ada, bo], seed=1)


def page_of(client: Client, game: Game) -> str:
    return str(client.get(f"/games/{game.key}/").content.decode())


def hinted(html: str) -> str | None:
    """Return the lesson of the hint that is shown."""
    found = re.search(r'id="hint".*?href="/learn/([\w-]+)/"', html, re.DOTALL)
    return found and found[1]


def test_a_newcomer_who_is_to_move_gets_a_hint_with_its_lesson(
    game: Game, ada: User, bo: User, as_user: SignIn
) -> None:
    assert hinted(page_of(as_user(ada), game)) == "down"
    assert hinted(page_of(as_user(bo), game)) is None
    assert hinted(page_of(Client(), game)) is None


def test_the_hint_follows_the_situation(game: Game, as_user: SignIn) -> None:
    seen = []
    for number in range(12):
        seen.append(hinted(page_of(as_user(mover_of(game)), game)))
        play(game, RULES.choose_turn("greedy", state_of(game), Random(number)))
    assert seen[:2] == ["down", "down"]
    assert len(set(seen)) > 2
    assert set(seen) <= {lesson.name for lesson in LESSONS}


def test_hints_end_for_good_when_they_are_dismissed(game: Game, ada: User, as_user: SignIn) -> None:
    client = as_user(ada)
    answer = client.post("/accounts/end-hints", {"next": f"/games/{game.key}/"})
    assert answer["Location"] == f"/games/{game.key}/"
    assert hinted(page_of(client, game)) is None
    assert not User.objects.get(pk=ada.pk).hints
    away = client.post("/accounts/end-hints", {"next": "https://example.org/"})
    assert away["Location"] == "/"
    assert client.post("/accounts/end-hints", headers={"HX-Request": "true"}).content == b""


def test_who_has_seen_the_end_of_a_game_gets_no_hints(game: Game, ada: User, bo: User, as_user: SignIn) -> None:
    commands.resign(game_key=game.key, user=ada, seq=0, now=NOW)
    other = start_game([ada, bo], seed=2)
    assert hinted(page_of(as_user(ada), other)) is not None
    page_of(as_user(make_user("Dana")), game)
    page_of(as_user(ada), game)
    assert set(User.objects.filter(hints=True).values_list("display_name", flat=True)) == {"Bo", "Dana"}
    assert hinted(page_of(as_user(ada), other)) is None


def test_a_hint_costs_no_query(game: Game, ada: User, as_user: SignIn) -> None:
    client, asked = as_user(ada), []
    page_of(client, game)
    for hints in (True, False):
        User.objects.filter(pk=ada.pk).update(hints=hints)
        with CaptureQueriesContext(connection) as queries:
            assert (hinted(page_of(client, game)) is not None) == hints
        asked.append(len(queries))
    assert asked[0] == asked[1]
