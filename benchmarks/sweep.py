"""How long the sweep takes to find what is due among very many running games: ``python -m benchmarks.sweep``.

And how long it takes to end many turns that are due at once. Makes databases of its own on the server of
``DATABASE_URL`` (a PostgreSQL), fills them, measures, and drops them.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import psycopg
from psycopg import sql

SERVER = "postgres://postgres@127.0.0.1:5432/postgres"
DUE = 100
ROOT = Path(__file__).parent.parent
FILL = """
INSERT INTO games_game (key, ruleset, status, size, options, public, created_at, started_at, setup, setup_digest,
    nameless_digest, contract, deadline, seq, head, to_move, round, turns, turn_began_at, bot_to_move, version,
    expiry_told, state, events)
SELECT lpad(n::text, 12, '0'), 'gravity-1', 'active', 2, '{{}}', true, now() - interval '9 days',
    now() - interval '9 days', '{{}}', 'd', 'd', '{{}}',
    CASE WHEN n <= {due} THEN now() - n * interval '1 second' ELSE now() + (3600 + n) * interval '1 second' END,
    5, 'd', 1, 3, 5, now() - interval '1 day', false, 6, false, '', '[]'
FROM generate_series(1, {games}) AS n
"""
SEATS = """
INSERT INTO games_seat (game_id, number, bot, name, points, retired, allowance, reserve, since, zone, misses)
SELECT id, number, '', 'Ada', 0, false, 86400, 0, CASE number WHEN 1 THEN now() - interval '1 day' END, 'UTC', 0
FROM games_game, generate_series(1, 2) AS number
"""


def main() -> int:
    """Print the figures; return 1 if the claim is too slow or does not use its index."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1_000_000, help="running games (1,000,000)")
    parser.add_argument("--turns", type=int, default=1000, help="turns that are due at once (1,000)")
    chosen = parser.parse_args()
    server = os.environ.get("DATABASE_URL", SERVER)
    if not server.startswith("postgres"):
        server = SERVER
    with site_database(server) as url:
        fill(url, chosen.games)
        found = run("-m", "benchmarks.sweep_queries", str(chosen.games))
    with site_database(server):
        return max(found, run("-m", "benchmarks.sweep_turns", str(chosen.turns)))


def run(*arguments: str) -> int:
    """Run a part of the measurement in a process of its own; return its exit status."""
    return subprocess.run([sys.executable, *arguments], check=False, cwd=ROOT).returncode


@contextmanager
def site_database(server: str) -> Iterator[str]:
    """Make a database with empty tables, which processes of the site find in their environment; give its address."""
    with scratch_database(server) as url:
        os.environ.update(DATABASE_URL=url, DEBUG="1", DJANGO_SETTINGS_MODULE="gravitysite.settings", LOG_LEVEL="ERROR")
        assert run("manage.py", "migrate", "--verbosity", "0") == 0
        yield url


@contextmanager
def scratch_database(server: str) -> Iterator[str]:
    """Make an empty database, give its address, and drop it at the end."""
    name = f"gravity_bench_{uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
        finally:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def fill(url: str, games: int) -> None:
    """Make the running games, `DUE` of them due."""
    began = time.perf_counter()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(sql.SQL(FILL).format(due=sql.Literal(DUE), games=sql.Literal(games)))
        connection.execute(SEATS)
        connection.execute("VACUUM ANALYZE")
    print(f"{games:,} running games stored in {time.perf_counter() - began:.0f} s, {DUE} of them due")


if __name__ == "__main__":
    sys.exit(main())
