"""Games to watch: public ones that are played or have ended, in pages that cost the same however many there are."""

import html
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games import commands, queries
from games.models import Game
from games.queries import Watched
from games.queries.watch import LIST_SIZE
from tests.flows.play import NOW, play, start_game

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]


def finish(game: Game, loser: User, minutes: int) -> Game:
    commands.resign(game_key=game.key, user=loser, seq=0, now=NOW + timedelta(minutes=minutes))
    return Game.objects.get(pk=game.pk)


def keys(client: Client, **query: Any) -> list[str]:
    page = client.get(reverse("watch"), query).content.decode()
    found = {game.key: page.find(reverse("game", args=[game.key])) for game in Game.objects.all()}
    return sorted((key for key, place in found.items() if place >= 0), key=lambda key: found[key])


def test_public_games_are_listed_by_what_happened_last(client: Client, ada: User, bo: User) -> None:
    earlier = NOW - timedelta(minutes=1)
    first, second = start_game([ada, bo], now=earlier), start_game([ada, bo], seed=2, now=earlier)
    start_game([ada, bo], public=False)
    over = [finish(start_game([ada, bo]), bo, minutes) for minutes in (1, 3, 2)]
    finish(start_game([ada, bo], public=False), bo, 4)
    play(first, "D")
    assert keys(client) == [first.key, second.key]
    assert keys(client, list="finished") == [over[1].key, over[2].key, over[0].key]
    page = html.unescape(client.get(reverse("watch")).content.decode())
    assert "It has been Bo's turn" in page
    assert "Drop" in page
    assert "Ended " in client.get(reverse("watch"), {"list": "finished"}).content.decode()


@pytest.mark.parametrize("which", Watched)
def test_every_game_is_on_one_page_at_the_same_cost(
    ada: User, bo: User, which: Watched, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    wanted = []
    for number in range(LIST_SIZE + 6):
        game = start_game([ada, bo], now=NOW + timedelta(minutes=number // 3))
        wanted.append((finish(game, bo, number // 3) if which == Watched.FINISHED else game).key)
    with django_assert_num_queries(2):
        games, following = queries.games_to_watch(which)
    assert following is not None
    with django_assert_num_queries(2):
        more, end = queries.games_to_watch(which, following)
    assert end is None
    assert [len(games), len(more)] == [LIST_SIZE, 6]
    assert [game.key for game in (*games, *more)] == list(reversed(wanted))


@pytest.mark.parametrize(
    ("query", "status"),
    [({"after": "x"}, 200), ({"after": f"{10**18}-1"}, 200), ({"after": "0-0"}, 200), ({"list": "x"}, 404)],
)
def test_any_address_is_answered(client: Client, query: dict[str, str], status: int) -> None:
    assert client.get(reverse("watch"), query).status_code == status


def test_the_lists_of_public_games_lead_to_each_other(client: Client) -> None:
    for address in (reverse("lobby"), reverse("watch"), f"{reverse('watch')}?list=finished"):
        page = client.get(address).content.decode()
        assert page.count('aria-current="page"') >= 1
        for other in (reverse("lobby"), reverse("watch"), f"{reverse('watch')}?list=finished"):
            assert f'href="{other}"' in page
