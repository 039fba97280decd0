"""A calendar: an event for each turn that waits for its person, the same while it is so, withdrawn once it is done."""

from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar, Component
from pytest_django import DjangoAssertNumQueries

from accounts import tokens
from accounts.models import AccessToken, Scope, User
from games import commands
from games.models import Game, Seat
from games.queries.calendar import WITHDRAWN_FOR, turns_due
from tests.flows.play import start_game
from tests.games.timed import play_at

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(ada: User, bo: User) -> Game:
    """A game in which Ada is to move."""
    return start_game([ada, bo], now=timezone.now())


@pytest.fixture
def path(ada: User) -> str:
    """The address of Ada's calendar."""
    return address_of(ada)


def address_of(user: User) -> str:
    return reverse("calendar_feed", args=[tokens.make_for_calendar(user, name="Calendar", now=timezone.now())])


def events(path: str) -> list[Component]:
    """Return what a program that reads a calendar gets; it has no cookies."""
    answer = Client().get(path)
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/calendar; charset=utf-8")
    return [*Calendar.from_ical(answer.content).walk("VEVENT")]


def test_a_turn_that_waits_is_an_event_at_its_deadline(game: Game, path: str) -> None:
    (event,) = events(path)
    assert event["UID"] == f"{game.key}-1@localhost"
    assert event["DTSTART"].dt == game.deadline.replace(microsecond=0)
    assert b"Z" in event["DTSTART"].to_ical()
    assert str(event["SUMMARY"]) == "Your time to move ends: game with Bo"
    assert str(event["URL"]).endswith(f"/games/{game.key}/")
    assert (event["STATUS"], event["TRANSP"]) == ("CONFIRMED", "TRANSPARENT")


def test_who_is_not_to_move_has_no_event(game: Game, bo: User) -> None:
    assert events(address_of(bo)) == []


def test_a_turn_that_is_done_is_withdrawn_under_the_same_name_and_later_gone(game: Game, ada: User, path: str) -> None:
    (before,) = events(path)
    play_at(game, timezone.now())
    (after,) = events(path)
    assert (after["UID"], after["STATUS"]) == (before["UID"], "CANCELLED")
    assert int(after["SEQUENCE"].to_ical()) > int(before["SEQUENCE"].to_ical())
    assert [*turns_due(ada, timezone.now() + WITHDRAWN_FOR + timedelta(minutes=1))] == []


def test_a_deadline_that_moves_is_the_same_event_with_a_higher_number(game: Game, path: str) -> None:
    (before,) = events(path)
    commands.give_time(game_key=game.key, seconds=86400, now=timezone.now())
    (after,) = events(path)
    assert after["UID"] == before["UID"]
    assert after["DTSTART"].dt == before["DTSTART"].dt + timedelta(days=1)
    assert int(after["SEQUENCE"].to_ical()) > int(before["SEQUENCE"].to_ical())


def test_while_nothing_changes_the_answer_is_the_same_and_need_not_be_sent_again(game: Game, path: str) -> None:
    first, second = (Client().get(path) for _time in range(2))
    assert first.content == second.content
    assert Client().get(path, headers={"If-None-Match": first["ETag"]}).status_code == 304
    assert "no-store" not in first["Cache-Control"]


@pytest.mark.parametrize("name", ["B\r\nDTSTART:19700101T000000Z", 'B";,\\n', "Ж" * 30])
def test_names_change_nothing_but_words(ada: User, bo: User, game: Game, path: str, name: str) -> None:
    User.objects.filter(pk=bo.pk).update(display_name=name)
    Seat.objects.filter(user=bo).update(name=name)
    (event,) = events(path)
    assert event["DTSTART"].dt.year > 2000
    assert all(len(line) <= 75 for line in Client().get(path).content.split(b"\r\n"))


def test_an_address_opens_the_calendar_alone_and_nothing_else_opens_it(ada: User, game: Game, path: str) -> None:
    secret = path.rpartition("/")[2].removesuffix(".ics")
    assert Client().get("/api/v1/me/", headers={"Authorization": f"Bearer {secret}"}).status_code == 403
    _token, other = tokens.make(ada, name="All", scopes=[Scope.READ, Scope.PLAY], life=None, now=timezone.now())
    for wrong in (other, secret[:-1], "x"):
        assert Client().get(reverse("calendar_feed", args=[wrong])).status_code == 404


def test_a_new_address_ends_the_one_before_and_one_taken_back_is_gone(ada: User, client: Client) -> None:
    first = address_of(ada)
    client.force_login(ada)
    page = client.post(reverse("calendar")).content.decode()
    second = reverse("calendar_feed", args=[page.partition("/calendar/gst_")[2].partition(".ics")[0]])
    second = second.replace("/calendar/", "/calendar/gst_")
    assert [Client().get(path).status_code for path in (first, second)] == [404, 200]
    assert second not in client.get(reverse("calendar")).content.decode()
    client.post(reverse("close_calendar"))
    assert Client().get(second).status_code == 404
    assert not AccessToken.objects.exists()


def test_a_token_of_that_name_is_not_touched(ada: User, client: Client) -> None:
    tokens.make(ada, name="Calendar", scopes=[Scope.READ], life=None, now=timezone.now())
    client.force_login(ada)
    assert client.post(reverse("calendar")).status_code == 422
    assert AccessToken.objects.get().scopes == "read"


def test_a_calendar_takes_as_many_queries_however_many_turns_it_has(
    ada: User, bo: User, path: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    rng, now = Random(1), datetime.now(UTC)
    for seed in range(4):
        game = start_game([ada, bo], seed=seed, now=now)
        for _turn in range(seed):
            game = Game.objects.get(pk=game.pk)
            play_at(game, now, rng)
    Client().get(path)
    with django_assert_num_queries(5):
        assert len(events(path)) == 6
