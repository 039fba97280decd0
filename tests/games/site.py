"""Real processes of the site on a database of their own, for tests of what several of them do at once."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from tests import leftovers
from tests.games.nursery import Nursery, Process
from tests.services import PATIENCE, wait_until


class Site:
    """Processes of the site on a database of their own, and a look into that database."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url = url
        variables = {"DEBUG": "1", "DATABASE_URL": url, "DATA_DIR": str(folder), "LOG_LEVEL": "ERROR"}
        self.nursery = Nursery(leftovers.environment(**variables))

    def start(self, *arguments: str) -> Process:
        """Start one process of the site."""
        return self.nursery.start(*arguments)

    def run(self, verb: str, *arguments: str) -> str:
        """Run one command in a process of its own and return what it printed."""
        said, _errors = self.start("tests.games.site_process", verb, *arguments).communicate(timeout=PATIENCE)
        return said.strip()

    def race(self, key: str, *calls: tuple[str, ...]) -> list[str]:
        """Run commands on a game at once; return what came of each, in order."""
        return self.race_for("SELECT 1 FROM games_game WHERE key = %s FOR UPDATE", key, *calls)

    def race_of(self, name: str, *calls: tuple[str, ...]) -> list[str]:
        """Let a person do several things at once; return what came of each, in order."""
        return self.race_for("SELECT 1 FROM accounts_user WHERE display_name = %s FOR UPDATE", name, *calls)

    def race_for(self, lock: str, value: str, *calls: tuple[str, ...]) -> list[str]:
        """Run commands, each in its process, and let them go when all of them wait for what a statement locks."""
        with self.holding(lock, value):
            processes = [self.start("tests.games.site_process", *call) for call in calls]
            wait_until(lambda: self.waiting() == len(calls), what="every process", seconds=PATIENCE)
        return sorted(process.communicate(timeout=PATIENCE)[0].strip() for process in processes)

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
        query = (
            "SELECT s.name FROM games_seat s JOIN games_game g ON g.id = game_id WHERE to_move = number AND key = %s"
        )
        return str(self.rows(query, key)[0][0])

    def verify(self) -> None:
        """Check every game against its log."""
        process = self.start("django", "verify_games", "--settings", "gravitysite.settings")
        said, _errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, said
