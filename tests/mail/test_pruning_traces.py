"""Presences, mutes of ended games and expired sessions with their traces are deleted, and nothing else of the kind."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from io import StringIO
from itertools import count

import pytest
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import connection, connections, transaction
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games import commands, tasks
from games.commands.prune_traces import MUTE_KEPT_FOR, PRESENCE_KEPT_FOR
from games.models import Game, Message
from games.notices.models import GameMute, Presence
from games.notices.schedule import KEPT_FOR
from tests.flows.play import NOW
from tests.mail.conftest import Begin

pytestmark = pytest.mark.anydb
SECOND = timedelta(seconds=1)
KEYS = count()


def prune(now: datetime, size: int = 100) -> int:
    return commands.prune_traces(size=size, now=now)


def end(game: Game, at: datetime = NOW) -> Game:
    Game.objects.filter(pk=game.pk).update(
        status="finished", finished_at=at, to_move=None, bot_to_move=False, deadline=None
    )
    return game


def muted(user: User, game: Game) -> Game:
    commands.mute_game(game_key=game.key, user=user)
    return game


def sessions(*instants: datetime) -> None:
    for at in instants:
        Session.objects.create(session_key=f"session{next(KEYS):025}", session_data="", expire_date=at)


def muted_games() -> Sequence[int]:
    return sorted(GameMute.objects.values_list("game_id", flat=True))


def test_a_presence_goes_after_a_day_whatever_its_game(ada: User, bo: User, begin: Begin) -> None:
    running, ended = begin(ada, bo), end(begin(ada, bo))
    for game in (running, ended):
        commands.note_presence(reader=ada, game_id=game.pk, now=NOW)
        commands.note_presence(reader=bo, game_id=game.pk, now=NOW + 2 * SECOND)
    assert prune(NOW + PRESENCE_KEPT_FOR) == 0
    assert prune(NOW + PRESENCE_KEPT_FOR + SECOND) == 2
    assert set(Presence.objects.values_list("user_id", flat=True)) == {bo.pk}
    assert prune(NOW + PRESENCE_KEPT_FOR + SECOND) == 0


def test_a_mute_goes_a_month_after_its_game_has_ended_and_no_sooner(ada: User, bo: User, begin: Begin) -> None:
    running = muted(ada, begin(ada, bo))
    waiting = muted(ada, begin(ada, size=2))
    later = muted(ada, end(begin(ada, bo), NOW + timedelta(days=1)))
    muted(ada, end(begin(ada, bo)))
    called_off = muted(ada, begin(ada, size=2))
    commands.cancel_game(game_key=called_off.key, user=ada, now=NOW)
    assert prune(NOW + MUTE_KEPT_FOR) == 0
    assert prune(NOW + MUTE_KEPT_FOR + SECOND) == 2
    assert muted_games() == sorted([running.pk, waiting.pk, later.pk])
    assert prune(NOW + 10 * MUTE_KEPT_FOR) == 1
    assert muted_games() == sorted([running.pk, waiting.pk])


def test_a_mute_stays_while_people_go_on_writing_in_an_ended_game(ada: User, bo: User, begin: Begin) -> None:
    game = muted(ada, end(begin(ada, bo)))
    commands.write_message(game_key=game.key, user=bo, text="Again?", now=NOW + timedelta(days=20))
    assert Message.objects.count() == 1
    assert prune(NOW + timedelta(days=50)) == 0
    assert prune(NOW + timedelta(days=50) + SECOND) == 1


def test_expired_sessions_go_and_others_stay(db: None) -> None:
    sessions(NOW - SECOND, NOW, NOW + SECOND)
    assert prune(NOW) == 1
    assert prune(NOW) == 0
    assert Session.objects.count() == 2


def test_a_batch_has_at_most_its_size_of_each_kind_in_two_statements_each(
    ada: User, bo: User, begin: Begin, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(3):
        game = muted(ada, end(begin(ada, bo)))
        commands.note_presence(reader=ada, game_id=game.pk, now=NOW)
    sessions(*[NOW] * 3)
    for number in range(3):
        UserSession.objects.create(user=ada, session_key=f"gone{number}", ip="192.0.2.1")
    late = NOW + 2 * MUTE_KEPT_FOR
    # Each kind: look, delete, and the two ends of its transaction; of ten more kinds nothing is to go. With a session
    # goes the browser that was notified in it, which takes two more.
    with django_assert_num_queries(4 * 4 + 2 + 10 * 3):
        assert prune(late, size=2) == 8
    assert (Presence.objects.count(), GameMute.objects.count(), Session.objects.count()) == (1, 1, 1)
    assert [prune(late, size=2), prune(late, size=2)] == [4, 0]


@pytest.mark.parametrize("by_hand", [True, False])
def test_workers_and_the_command_delete_batch_by_batch_until_nothing_is_left(
    by_hand: bool, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "PRUNE_SIZE", 2)
    monkeypatch.setattr("games.management.commands.prune.SIZE", 2)
    Client().force_login(ada)
    sessions(*[timezone.now() - SECOND] * 5)
    for said in ("5 rows deleted.\n", "0 rows deleted.\n"):
        if by_hand:
            call_command("prune", stdout=(out := StringIO()))
            assert out.getvalue() == said
        else:
            tasks.prune()
        assert Session.objects.count() == 1


def test_a_task_out_of_patience_leaves_the_rest_to_the_next(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "PRUNE_SIZE", 2)
    monkeypatch.setattr(tasks, "PATIENCE", -1.0)
    sessions(*[timezone.now() - SECOND] * 5)
    tasks.prune()
    assert Session.objects.count() == 3


@pytest.mark.pg
@pytest.mark.django_db(transaction=True)
def test_rows_that_somebody_is_at_are_left_alone_and_nothing_waits() -> None:
    sessions(NOW - 2 * SECOND, NOW - SECOND)
    other = connections.create_connection("default")
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM django_session WHERE expire_date < %s FOR UPDATE", [NOW - SECOND])
            mine, connections["default"] = connections["default"], other
            try:
                assert prune(NOW) == 1
            finally:
                connections["default"] = mine
    finally:
        other.close()
    assert prune(NOW) == 1


@pytest.mark.parametrize("language", ["en", "de", "fr", "nl"])
def test_the_page_about_the_site_says_how_long_in_every_language(language: str, db: None) -> None:
    client = Client()
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    page = client.get("/about/").content.decode()
    assert f'lang="{language}"' in page
    (told,) = [line for line in page.split("<li>") if "60 " in line]
    assert told.count(f"{MUTE_KEPT_FOR.days} ") == 2
    assert MUTE_KEPT_FOR == KEPT_FOR
    assert timedelta(days=60).total_seconds() == settings.SESSION_COOKIE_AGE
    assert ("Some things" in told) == (language == "en")
