"""Outages with the site's real processes: the web server away while the sweeps run, and games imported much later."""

import json
import signal
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest

from tests.stack.people import Database, make_people
from tests.stack.stack import Stack

pytestmark = [pytest.mark.pg, pytest.mark.redis, pytest.mark.slow]
WEB = "SELECT extract(epoch FROM now() - at)::int AS age FROM games_heartbeat WHERE name = 'web'"
AWAY = 75
"""Seconds that the web server is away: more than a minute."""


def web_age(database: Database) -> int:
    """Return how many seconds ago the site last answered, a day if it never did."""
    rows = database.rows(WEB)
    return rows[0]["age"] if rows else 86_400


def leave(database: Database, key: str, seconds: int) -> None:
    """Leave so many seconds to the open turn of a game."""
    database.run(
        "UPDATE games_seat SET allowance = %s, reserve = 0, since = date_trunc('second', now()) "
        "WHERE since IS NOT NULL AND game_id = (SELECT id FROM games_game WHERE key = %s)",
        seconds,
        key,
    )
    database.run(
        "UPDATE games_game SET deadline = date_trunc('second', now()) + %s * interval '1 second' WHERE key = %s",
        seconds,
        key,
    )


def test_no_turn_ends_while_the_web_server_is_away_and_the_time_is_given_back(stack: Stack, database: Database) -> None:
    stack.start_site()
    ada, bo = make_people(stack, "Ada", "Bo")
    key = ada.create_game(2)
    bo.join(key)
    stack.wait(lambda: web_age(database) < 5, what="an answer to the sweep")
    stack.stop("web", how=signal.SIGKILL)
    leave(database, key, AWAY - 30)
    before = database.game(key)["deadline"]
    time.sleep(AWAY)
    assert database.entries(key) == []
    stack.start("web")
    stack.wait_for_web()
    stack.wait(lambda: web_age(database) < 5, what="an answer to the sweep")
    stack.wait(lambda: database.game(key)["deadline"] > before, what="the new deadline")
    given = database.rows("SELECT params FROM games_remark WHERE kind = 'outage'")
    assert [AWAY - 30 <= row["params"]["seconds"] <= AWAY + 80 for row in given] == [True]
    assert database.entries(key) == []
    leave(database, key, 1)
    stack.wait(lambda: len(database.entries(key)) == 1, what="the end of the turn")
    stack.verify()


def test_games_imported_a_day_and_a_half_later_go_on_where_they_stood(
    stack: Stack, database: Database, postgresql_server: str, tmp_path: Path
) -> None:
    stack.start("web")
    stack.wait_for_web()
    ada, bo = make_people(stack, "Ada", "Bo")
    key = ada.create_game(2)
    bo.join(key)
    leave(database, key, 24 * 3600)
    document = older(stack.manage("export_games", key).stdout, timedelta(hours=36))
    stack.stop("web")

    name, home = f"gs_fresh_{uuid4().hex[:8]}", tmp_path / "fresh"
    home.mkdir()
    server = Database(f"{postgresql_server}/postgres")
    server.run(f"CREATE DATABASE {name}")
    fresh = replace(stack, database_url=f"{postgresql_server}/{name}", home=home, processes={}, is_migrated=False)
    try:
        fresh.migrate()
        fresh.start("web")
        fresh.wait_for_web()
        make_people(fresh, "Ada", "Bo")
        people = home / "people.json"
        people.write_text(json.dumps({name: f"{name.lower()}@people.example" for name in ("Ada", "Bo")}))
        imported = fresh.manage("import_games", "-", "--people", str(people), input_text=document)
        assert imported.stdout.startswith("1 games stored"), imported.stdout + imported.stderr
        elsewhere = Database(fresh.database_url)
        assert elsewhere.game(key)["deadline"] < datetime.now(UTC) - timedelta(hours=11)
        for service in ("worker", "beat"):
            fresh.start(service)
        told = "SELECT params FROM games_remark WHERE kind = 'outage'"
        fresh.wait(lambda: elsewhere.rows(told), what="the first sweep")
        assert elsewhere.entries(key) == []
        assert elsewhere.game(key)["deadline"] > datetime.now(UTC) + timedelta(hours=23, minutes=50)
        fresh.verify()
    finally:
        fresh.stop_all()
        server.run(f"DROP DATABASE {name} WITH (FORCE)")


def older(document: str, by: timedelta) -> str:
    """Return the document of a game as it would be if everything had happened that much earlier."""

    def shift(value: object) -> object:
        if isinstance(value, dict):
            return {key: shift(item) for key, item in value.items()}
        if isinstance(value, list):
            return [shift(item) for item in value]
        if isinstance(value, str) and value[:2] == "20" and "T" in value:
            return (datetime.fromisoformat(value) - by).isoformat()
        return value

    return json.dumps(shift(json.loads(document)))
