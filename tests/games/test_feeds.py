"""Atom feeds: the moves of a game as a spectator sees them, and the games that have ended."""

from datetime import timedelta
from random import Random
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games import commands
from games.models import Game
from tests.flows.play import start_game
from tests.games.timed import play_at

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"


def entries(name: str, *args: str) -> list[dict[str, str]]:
    """Return the entries of a feed as a guest gets it: the text of each element, by its name."""
    answer = Client().get(reverse(name, args=args))
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/atom+xml; charset=utf-8")
    feed = ET.fromstring(answer.content)
    return [
        {child.tag.removeprefix(ATOM): child.text or child.get("href") or "" for child in entry}
        for entry in feed.iter(f"{ATOM}entry")
    ]


def played(ada: User, bo: User, turns: int, **terms: Any) -> Game:
    now, rng = timezone.now() - timedelta(minutes=turns), Random(1)
    game = start_game([ada, bo], now=now, **terms)
    for turn in range(turns):
        play_at(Game.objects.get(pk=game.pk), now + timedelta(minutes=turn), rng)
    return Game.objects.get(pk=game.pk)


def test_each_turn_is_an_entry_with_a_name_that_lasts(ada: User, bo: User) -> None:
    game = played(ada, bo, 3)
    found = entries("moves_feed", game.key)
    assert [one["id"] for one in found] == [f"tag:localhost,2026:{game.key}/{seq}" for seq in (3, 2, 1)]
    assert found[-1]["title"].startswith("Ada: ")
    assert found[0]["link"].endswith(f"/games/{game.key}/?at=3")
    assert all(one["summary"] for one in found)
    assert entries("moves_feed", game.key) == found


def test_a_feed_of_moves_is_bounded_and_takes_as_many_queries_however_long_the_game(
    ada: User, bo: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    game = played(ada, bo, 34)
    with django_assert_num_queries(4):
        assert len(entries("moves_feed", game.key)) == 30


def test_what_not_everybody_may_see_has_no_feed(ada: User, bo: User, client: Client) -> None:
    game = played(ada, bo, 1, players_only=True)
    client.force_login(ada)
    assert client.get(reverse("moves_feed", args=[game.key])).status_code == 404
    assert client.get(reverse("moves_feed", args=["22222222aaaa"])).status_code == 404
    assert reverse("moves_feed", args=[game.key]) not in client.get(reverse("game", args=[game.key])).content.decode()


def test_finished_public_games_are_listed_with_their_result(ada: User, bo: User) -> None:
    ended, by_link, _running = (played(ada, bo, 2, public=public) for public in (True, False, True))
    for game in (ended, by_link):
        mover = game.seats.get(number=game.to_move).user
        assert mover is not None
        commands.resign(game_key=game.key, user=mover, seq=game.seq, now=timezone.now())
    (entry,) = entries("finished_feed")
    assert entry["id"] == f"tag:localhost,2026:{ended.key}"
    assert entry["title"] == "Game of Ada and Bo"
    assert entry["summary"].startswith("1. ")


def test_a_page_names_its_feed(ada: User, bo: User, client: Client) -> None:
    game = played(ada, bo, 1)
    assert reverse("moves_feed", args=[game.key]) in client.get(reverse("game", args=[game.key])).content.decode()
    assert reverse("finished_feed") in client.get(reverse("past_games")).content.decode()
