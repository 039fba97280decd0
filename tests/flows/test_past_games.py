"""Finished games: found by who played, when, with what result and by what happened, at the cost of one page."""

from datetime import timedelta
from html import unescape
from http import HTTPStatus
from itertools import count
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games import commands, queries
from games.models import Game, Mark, Result, Seat
from games.queries.past import LIST_SIZE, Outcome, Sought
from tests.flows.people import SignIn
from tests.flows.play import NOW, make_user, play_randomly, start_game

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]
SEEDS = count(1)


def played(*people: User, days: int = 0, **terms: Any) -> Game:
    """Return a finished game that is counted up, and that ended so many days after `NOW`."""
    game = start_game(list(people), seed=next(SEEDS), **terms)
    play_randomly(game, 1_000, Random(game.pk))
    Game.objects.filter(pk=game.pk).update(finished_at=NOW + timedelta(days=days))
    commands.tally_game(game_id=game.pk)
    return Game.objects.get(pk=game.pk)


def won_by(game: Game) -> set[int | None]:
    return set(Seat.objects.filter(game=game, place=1).values_list("user", flat=True))


def keys(client: Client, **query: Any) -> list[str]:
    page = client.get(reverse("past_games"), query).content.decode()
    found = {game.key: page.find(reverse("game", args=[game.key])) for game in Game.objects.all()}
    return sorted((key for key, place in found.items() if place >= 0), key=lambda key: found[key])


def test_games_are_found_by_people_size_and_day_newest_first(client: Client, ada: User, bo: User, cleo: User) -> None:
    first, second = played(ada, bo, days=1), played(ada, bo, cleo, days=2)
    third = played(bo, cleo, days=3)
    running = start_game([ada, bo])
    unlisted = played(ada, bo, public=False)
    assert keys(client) == [third.key, second.key, first.key]
    assert keys(client, player="ADA") == [second.key, first.key]
    assert keys(client, player="Ada", against="cleo") == keys(client, against="Ada", player="Cleo") == [second.key]
    assert keys(client, size=2) == [third.key, first.key]
    day = (NOW + timedelta(days=2)).date().isoformat()
    assert keys(client, since=day) == [third.key, second.key]
    assert keys(client, until=day) == [second.key, first.key]
    assert keys(client, since=day, until=day, player="Cleo") == [second.key]
    client.force_login(ada)
    assert unlisted.key in keys(client, player="Ada")
    assert unlisted.key not in keys(client, player="Bo")
    assert running.key not in keys(client, player="Ada")


def test_a_result_is_that_of_the_first_who_is_named(client: Client, ada: User, bo: User) -> None:
    games = [played(ada, bo, days=day) for day in range(4)]
    for name, person in (("Ada", ada), ("Bo", bo)):
        won = {game.key for game in games if person.pk in won_by(game)}
        assert set(keys(client, player=name, result="won")) == won
        assert set(keys(client, player=name, against="Ada" if name == "Bo" else "Bo", result="won")) == won
        assert set(keys(client, player=name, result="lost")) == {game.key for game in games} - won


def test_a_game_is_found_by_what_happened_in_it(client: Client, ada: User, bo: User) -> None:
    games = [played(ada, bo, days=day) for day in range(6)]
    for code in {mark.code for mark in Mark.objects.all()}:
        fitting = {game.key for game in games if game.marks.filter(code=code).exists()}
        assert set(keys(client, mark=code)) == set(keys(client, mark=code, player="Ada")) == fitting
        assert set(keys(client, mark=code, size=2)) == fitting
        assert not keys(client, mark=code, size=3)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"player": "Nobody"}, "Nobody here is called “Nobody”."),
        ({"player": "Bo"}, "Bo does not show results to others."),
        ({"result": "won"}, "Say whose result it is: name a player."),
        ({"since": "2026-02-02", "until": "2026-02-01"}, "This is before the first day."),
        ({"since": "yesterday"}, "Enter a valid date."),
        ({"size": "9"}, "is not one of the available choices"),
        ({"mark": "x"}, "is not one of the available choices"),
    ],
)
def test_what_can_not_be_looked_for_is_said_and_stays_typed(
    query: dict[str, str], words: str, client: Client, ada: User, bo: User
) -> None:
    User.objects.filter(pk=bo.pk).update(ratings_shown=False)
    answer = client.get(reverse("past_games"), query)
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    page = unescape(answer.content.decode())
    assert words in page
    assert all(f'value="{typed}"' in page for name, typed in query.items() if name in {"player", "since"})


def test_every_game_is_on_one_page_at_the_same_cost(
    ada: User, bo: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    template = Game.objects.defer(None).get(pk=played(ada, bo).pk)
    rows = list(Result.objects.filter(game=template))
    for number in range(LIST_SIZE * 2 + 5):
        seats = list(Seat.objects.filter(game=template))
        template.pk, template.key = None, f"copy{number:08}"
        template.finished_at = NOW + timedelta(minutes=number // 3)
        template.save(force_insert=True)
        for seat in seats:
            seat.pk, seat.game = None, template
            seat.save(force_insert=True)
        for row in rows:
            row.pk, row.game, row.finished_at = None, template, template.finished_at
            row.save(force_insert=True)
    for sought, most in (
        (Sought(), 2),
        (Sought(people=(ada.pk,)), 2),
        (Sought(people=(ada.pk,), outcome=Outcome.WON), 2),
        (Sought(people=(ada.pk, bo.pk)), 3),
    ):
        wanted = [
            game.pk
            for game in Game.objects.order_by("-finished_at", "-pk")
            if sought.outcome is None or ada.pk in won_by(game)
        ]
        found, after = list[int](), None
        while True:
            with django_assert_num_queries(most if wanted else 1):
                games, after = queries.finished_games(sought, after)
            found += [game.pk for game in games]
            if after is None:
                break
        assert found == wanted


def test_a_players_page_says_what_their_games_came_to_and_against_whom(
    client: Client, ada: User, bo: User, cleo: User
) -> None:
    games = [played(ada, bo), played(ada, bo, cleo), played(ada, cleo, public=False)]
    page = unescape(client.get(reverse("player", args=[ada.pk])).content.decode())
    assert "<dt>Finished games</dt><dd>2</dd>" in page
    for words in ("2 players", "3 to 6 players", "Turns in time", "Ejections", "Most frequent opponents"):
        assert words in page
    assert games[2].key not in page
    together = unescape(client.get(reverse("player", args=[ada.pk]), {"against": "Cleo"}).content.decode())
    assert "Ada and Cleo have finished 1 game together" in together
    assert [game.key in together for game in games] == [False, True, False]
    client.force_login(ada)
    own = unescape(client.get(reverse("player", args=[ada.pk]), {"against": "Cleo"}).content.decode())
    assert "Ada and Cleo have finished 2 games together" in own
    assert "<dt>Finished games</dt><dd>3</dd>" in own


def test_who_hides_their_results_is_named_as_nobodys_opponent(client: Client, ada: User, bo: User) -> None:
    game = played(ada, bo)
    User.objects.filter(pk=bo.pk).update(ratings_shown=False)
    page = client.get(reverse("player", args=[ada.pk])).content.decode()
    assert "Most frequent opponents" not in page
    assert "does not show ratings and results" in client.get(reverse("player", args=[bo.pk])).content.decode()
    assert game.key in page


def test_a_players_page_takes_as_many_queries_for_many_games_and_rivals_as_for_few(
    ada: User, as_user: SignIn, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(4):
        played(ada, make_user(f"Pal{number}"), days=number)
    browser = as_user(make_user("Dee"))
    address = reverse("player", args=[ada.pk])
    browser.get(address)
    with django_assert_max_num_queries(12):
        browser.get(address)


def test_games_from_before_there_were_results_are_counted_by_the_next_sweep(ada: User, bo: User) -> None:
    game = start_game([ada, bo])
    commands.resign(game_key=game.key, user=bo, seq=0, now=timezone.now())
    assert not Result.objects.exists()
    commands.tally_game(game_id=game.pk)
    assert set(Result.objects.values_list("user", "place", "retired")) == {(ada.pk, 1, False), (bo.pk, 2, True)}
