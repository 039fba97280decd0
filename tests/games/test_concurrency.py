"""Several processes of the site at once on PostgreSQL, and some that die in the middle: one outcome, never half."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import psycopg
import pytest
from psycopg import sql

from tests.services import wait_until

ROOT: Final = Path(__file__).resolve().parents[2]
pytestmark = [pytest.mark.pg, pytest.mark.slow]


class Site:
    """Processes of the site on a database of their own, and a look into that database."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url = url
        self.environment = {
            **{name: value for name, value in os.environ.items() if name.startswith(("PATH", "COVERAGE"))},
            "DEBUG": "1",
            "DATABASE_URL": url,
            "DATA_DIR": str(folder),
            "LOG_LEVEL": "ERROR",
        }

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Start one process of the site."""
        command = [sys.executable, "-m", *arguments]
        return subprocess.Popen(command, cwd=ROOT, env=self.environment, stdout=subprocess.PIPE, text=True)

    def run(self, verb: str, *arguments: str) -> str:
        """Run one command in a process of its own and return what it printed."""
        said, _errors = self.start("tests.games.site_process", verb, *arguments).communicate(timeout=60)
        return said.strip()

    def race(self, key: str, *calls: tuple[str, ...]) -> list[str]:
        """Run commands on a game at once, each in its process: they are let go when all of them wait for the game."""
        with self.holding("SELECT 1 FROM games_game WHERE key = %s FOR UPDATE", key):
            processes = [self.start("tests.games.site_process", *call) for call in calls]
            wait_until(lambda: self.waiting() == len(calls), what="every process", seconds=60)
        return sorted(process.communicate(timeout=60)[0].strip() for process in processes)

    @contextmanager
    def holding(self, statement: str, *values: object) -> Iterator[None]:
        """Keep what a statement locks, then give it back as it was."""
        with psycopg.connect(self.url) as connection:
            connection.execute(statement, values)
            yield
            connection.rollback()

    def waiting(self) -> int:
        """Return how many processes wait for a lock."""
        query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        return int(self.rows(query)[0][0])

    def rows(self, query: str, *values: object) -> list[Any]:
        """Return the rows of a query."""
        with psycopg.connect(self.url) as connection:
            return connection.execute(query, values).fetchall()

    def entries(self, key: str) -> list[Any]:
        """Return (seq, by) of a game's entries."""
        query = (
            'SELECT seq, "by" FROM games_entry WHERE game_id = (SELECT id FROM games_game WHERE key = %s) ORDER BY 1'
        )
        return self.rows(query, key)

    def mover(self, key: str) -> str:
        """Return the name in the seat that is to move."""
        query = "SELECT name FROM games_seat s JOIN games_game g ON g.id = game_id AND to_move = number WHERE key = %s"
        return str(self.rows(query, key)[0][0])

    def verify(self) -> None:
        """Check every game against its log."""
        process = self.start("django", "verify_games", "--settings", "gravitysite.settings")
        said, _errors = process.communicate(timeout=60)
        assert process.returncode == 0, said


@pytest.fixture(scope="module")
def site(postgresql_server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    name = f"gravity_{uuid4().hex}"
    with psycopg.connect(f"{postgresql_server}/postgres", autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        site = Site(f"{postgresql_server}/{name}", tmp_path_factory.mktemp("site"))
        assert site.start("django", "migrate", "-v0", "--settings", "gravitysite.settings").wait(timeout=120) == 0
        yield site
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture
def game(site: Site) -> str:
    """A game of Ada and Bo that has just started."""
    key = site.run("create", "2")
    site.run("join", key, "Bo")
    return key


@pytest.fixture
def bots_game(site: Site) -> str:
    """A game in which a computer player is to move first."""
    while True:
        key = site.run("create", "4", "random", "random", "random")
        if site.mover(key) != "Ada":
            return key


def test_of_several_turns_submitted_at_once_exactly_one_is_played(site: Site, game: str) -> None:
    mover = site.mover(game)
    outcomes = site.race(game, *[("play", game, mover, "0", turn) for turn in ("R+", "R-", "R=", "WR+", "WR=")])
    assert outcomes == ["1", "stale", "stale", "stale", "stale"]
    assert site.entries(game) == [(1, "player")]
    site.verify()


def test_one_turn_submitted_several_times_at_once_is_played_once_and_told_to_all(site: Site, game: str) -> None:
    outcomes = site.race(game, *[("play", game, site.mover(game), "0", "R+")] * 4)
    assert outcomes == ["1", "1", "1", "1"]
    assert site.entries(game) == [(1, "player")]


def test_the_last_seat_goes_to_one_of_those_who_want_it_at_once(site: Site) -> None:
    key = site.run("create", "2")
    outcomes = site.race(key, *[("join", key, name) for name in ("Bo", "Cy", "Di")])
    assert outcomes == sorted([key, "not-open", "not-open"])
    seats = "SELECT count(*) FROM games_seat WHERE game_id = (SELECT id FROM games_game WHERE key = %s)"
    assert site.rows(seats, key) == [(2,)]


def test_several_workers_at_one_computer_players_turn_play_it_once(site: Site, bots_game: str) -> None:
    outcomes = site.race(bots_game, *[("bot", bots_game, "0")] * 4)
    assert outcomes == ["1", "None", "None", "None"]
    assert site.entries(bots_game) == [(1, "bot")]
    site.verify()


def kill_in_the_middle(site: Site, key: str, *call: str) -> None:
    """Run a command on a game that has just started, and kill its process between its entry and its commit."""
    position = (
        "INSERT INTO games_position (game_id, seq, state, events) SELECT id, 1, '', '[]' FROM games_game WHERE key = %s"
    )
    with site.holding(position, key):
        process = site.start("tests.games.site_process", *call)
        wait_until(lambda: site.waiting() == 1, what="the process in the middle of its turn", seconds=60)
        process.kill()
        process.wait()
    wait_until(lambda: site.waiting() == 0, what="the end of the killed process")


def test_a_worker_killed_in_the_middle_of_a_turn_leaves_nothing_and_the_next_one_plays(
    site: Site, bots_game: str
) -> None:
    kill_in_the_middle(site, bots_game, "bot", bots_game, "0")
    assert site.entries(bots_game) == []
    assert site.run("bot", bots_game, "0") == "1"
    assert site.entries(bots_game) == [(1, "bot")]
    site.verify()


def test_a_server_killed_in_the_middle_of_a_turn_leaves_nothing_and_the_same_request_plays_it(
    site: Site, game: str
) -> None:
    call = ("play", game, site.mover(game), "0", "R+")
    kill_in_the_middle(site, game, *call)
    assert site.entries(game) == []
    assert site.run(*call) == "1"
    assert site.entries(game) == [(1, "player")]
    site.verify()
