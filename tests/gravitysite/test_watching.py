"""What the machines that watch the site get to read."""

import re
from datetime import timedelta
from random import Random
from typing import Final

import pytest
from celery import current_app
from django.conf import settings
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from accounts.models import User
from games import commands
from games.models import Entry, Game, Heartbeat, Pause, Review
from games.models.choices import Actor
from games.notices.models import Notice
from games.queries import due
from gravitysite import metrics
from gravitysite.metrics import write_metrics
from tests.flows.play import NOW, make_user, play_randomly, start_game

pytestmark = pytest.mark.django_db


def hear_of_all() -> None:
    """Let every sweep beat now."""
    for name in due.HEARTBEATS:
        Heartbeat.objects.update_or_create(name=name, defaults={"at": timezone.now()})


@pytest.fixture
def _fresh_tally(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count from the start, as a process does that has just begun."""
    monkeypatch.setattr(metrics, "_tally", metrics._LogTally())


@pytest.mark.parametrize("address", ["/healthz", "/readyz", "/metrics"])
def test_watchers_are_answered_whatever_host_they_name_and_without_a_session(
    client: Client, settings: Settings, address: str
) -> None:
    settings.DEBUG = True
    hear_of_all()
    response = client.get(address, HTTP_HOST="10.1.2.3:8000")
    assert response.status_code == 200
    assert response["Cache-Control"] == "no-store"
    assert not response.cookies


@pytest.mark.parametrize("address", ["/healthz", "/readyz", "/metrics"])
def test_watchers_can_only_look(client: Client, address: str) -> None:
    assert client.post(address).status_code == 405


def test_what_runs_rarely_leaves_no_heartbeat_by_which_the_site_looks_dead(client: Client) -> None:
    current_app.loader.import_default_modules()
    for entry in settings.CELERY_BEAT_SCHEDULE.values():
        if timedelta(seconds=entry["schedule"]) > due.HEARTBEAT_OLD:
            current_app.tasks[entry["task"]]()
    assert Heartbeat.objects.exists()
    Heartbeat.objects.update(at=timezone.now() - 2 * due.HEARTBEAT_OLD)
    hear_of_all()
    assert client.get("/readyz").status_code == 200
    ages = re.findall(r"gravity_heartbeat_age_seconds\{.*\} (\S+)", write_metrics(timezone.now()).decode())
    assert max(map(float, ages)) < due.HEARTBEAT_OLD.total_seconds()


def test_the_site_is_ready_once_every_sweep_was_heard_of_and_names_a_silent_one(
    client: Client,
) -> None:
    assert client.get("/readyz").status_code == 503
    hear_of_all()
    assert client.get("/readyz").json() == {
        "database": "ok",
        "broker": "ok",
        "heartbeats": "ok",
        "turns": "ok",
        "mails": "ok",
        "account mails": "ok",
        "clocks": "ok",
    }
    Heartbeat.objects.filter(name=due.CLOCKS).update(at=timezone.now() - timedelta(minutes=4))
    silent = client.get("/readyz")
    assert silent.status_code == 503
    assert silent.json()["heartbeats"] == f"old: {due.CLOCKS}"


def test_clocks_that_stand_still_and_outages_not_given_back_make_the_site_not_ready(client: Client) -> None:
    hear_of_all()
    now = timezone.now()
    outage = Pause.objects.create(reason="outage", start=now - timedelta(hours=2), end=now - timedelta(hours=1))
    assert client.get("/readyz").json()["clocks"] == "outages not given back: 1"
    assert (figures()["gravity_outages_not_given_back"], figures()["gravity_clocks_stopped"]) == (1, 0)
    commands.close_outage(outage_id=outage.pk)
    assert client.get("/readyz").status_code == 200
    commands.stop_clocks(now=now)
    assert client.get("/readyz").json()["clocks"] == "stopped"
    assert (figures()["gravity_outages_not_given_back"], figures()["gravity_clocks_stopped"]) == (0, 1)
    commands.start_clocks(now=now)
    assert client.get("/readyz").status_code == 200


def test_a_broker_that_does_not_answer_makes_the_site_not_ready(client: Client, settings: Settings) -> None:
    hear_of_all()
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert client.get("/readyz").json()["broker"] == "away"


def test_a_database_that_does_not_answer_makes_the_site_not_ready_but_alive(client: Client, settings: Settings) -> None:
    settings.DEBUG = True

    def refuse(*_args: object) -> None:
        raise OperationalError

    with connection.execute_wrapper(refuse):
        assert client.get("/readyz").json() == {
            "database": "away",
            "broker": "ok",
            "heartbeats": "unknown",
            "turns": "unknown",
            "mails": "unknown",
            "account mails": "unknown",
            "clocks": "unknown",
        }
        assert client.get("/metrics").status_code == 503
        assert client.get("/healthz").status_code == 200


@pytest.mark.parametrize(
    ("token", "debug", "sent", "status"),
    [
        ("", True, "", 200),
        ("", False, "", 404),
        ("secret", False, "", 401),
        ("secret", True, "Bearer other", 401),
        ("secret", False, "Bearer secret", 200),
    ],
)
def test_figures_are_for_who_has_the_token(
    client: Client, settings: Settings, token: str, debug: bool, sent: str, status: int
) -> None:
    settings.METRICS_TOKEN, settings.DEBUG = token, debug
    assert client.get("/metrics", headers={"Authorization": sent}).status_code == status


def figures() -> dict[str, float]:
    """Return the figures by name and labels."""
    lines = write_metrics(timezone.now()).decode().splitlines()
    return {name: float(value) for name, _blank, value in (line.rpartition(" ") for line in lines if line[0] != "#")}


@pytest.mark.usefixtures("_fresh_tally")
def test_turns_are_counted_once_whether_they_are_old_or_new() -> None:
    game = start_game([make_user("Ada"), make_user("Bo")])
    play_randomly(game, 5, Random(1))
    assert figures()['gravity_turns_total{by="player"}'] == 5
    assert metrics._tally.up_to > 0
    play_randomly(game, 2, Random(2))
    assert figures()['gravity_turns_total{by="player"}'] == 7
    assert figures()['gravity_games{status="active"}'] == 1


@pytest.mark.usefixtures("_fresh_tally")
def test_rows_that_are_young_are_counted_anew_each_time() -> None:
    game = start_game([make_user("Ada"), make_user("Bo")])
    play_randomly(game, 3, Random(1))
    counted = metrics._tally.count(NOW + timedelta(minutes=5))
    assert sum(counted.values()) == 3
    assert metrics._tally.up_to == min(game.entries.values_list("pk", flat=True)) - 1


def test_overdue_games_and_the_age_of_what_waits_are_shown() -> None:
    game = start_game([make_user("Ada"), make_user("Bo")])
    type(game).objects.filter(pk=game.pk).update(deadline=timezone.now() - timedelta(minutes=6))
    shown = figures()
    assert shown["gravity_overdue_games"] == 1
    assert shown["gravity_stuck_games"] == 0
    assert shown['gravity_queue_age_seconds{queue="timers"}'] == pytest.approx(360, abs=30)
    assert shown[f'gravity_heartbeat_age_seconds{{name="{due.CLOCKS}"}}'] == float("inf")
    assert shown['gravity_notices{reason="",result="waiting"}'] > 0


MANY: Final = 4_000
SMALL: Final = (
    *("games_heartbeat", "games_pause", "games_setback", "games_judgedturn"),
    *("notices_mailrefusal", "accounts_accountmail"),
)
"""Tables that stay small, or from which rows are soon deleted."""


def fill() -> None:
    """Store many rows of all that is counted."""
    users = [User(email=f"{n}@example.org", display_name=f"p{n}", name_key=f"p{n}") for n in range(MANY)]
    User.objects.bulk_create(users)
    game = start_game([make_user("Ada"), make_user("Bo")])
    games = Game.objects.bulk_create(Game(ruleset=game.ruleset, size=2, created_at=NOW) for _game in range(MANY))
    Review.objects.bulk_create(Review(game=one, at=NOW, due_at=NOW, made_at=NOW, model="1") for one in games)
    Notice.objects.bulk_create(
        Notice(user=users[n], game=game, kind="turn", topic="turn", ref="1", at=NOW, due_at=NOW, **result)
        for n, result in enumerate([{}, {"state": "sent", "closed_at": NOW}] * (MANY // 2))
    )
    Entry.objects.bulk_create(
        Entry(game=game, seq=n, seat=1, turn="R+", by=Actor.PLAYER, at=NOW, digest="d") for n in range(1, MANY)
    )


@pytest.mark.pg
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_fresh_tally")
def test_a_scrape_asks_little_and_reads_no_large_table_whole() -> None:
    fill()
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    write_metrics(timezone.now())  # once a process, the log is counted up to here
    with CaptureQueriesContext(connection) as asked:
        write_metrics(timezone.now())
    assert len(asked) == 23
    for query in asked.captured_queries:
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN {query['sql']}")
            plan = "\n".join(row[0] for row in cursor.fetchall())
        for scanned in re.findall(r"Seq Scan on (\w+)", plan):
            assert scanned in SMALL, plan


@pytest.mark.redis
def test_the_messages_that_the_broker_holds_are_counted(settings: Settings, redis_url: str) -> None:
    import redis

    settings.REDIS_URL = redis_url
    with redis.Redis.from_url(redis_url) as client:
        client.rpush("bots", "one", "two")
    assert figures()['gravity_queue_messages{queue="bots"}'] == 2
    assert figures()['gravity_queue_messages{queue="mail"}'] == 0
