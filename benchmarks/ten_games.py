"""Ten games by ``examples/bot.py`` while workers and the web server are killed: ``python -m benchmarks.ten_games``.

The site runs as docker-compose.yml says, on a PostgreSQL of its own (``DATABASE_URL`` says on which server) and a Redis
(``REDIS_URL``). The program has ten games with computer players, and plays them to their ends. Every few seconds one
process is killed, drawn by chance, and started again. At the end each log is replayed, and has each turn once.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from benchmarks.bots import REDIS
from benchmarks.sweep import ROOT, SERVER, site_database
from tests.services import HOST, wait_until
from tests.stack.people import Database
from tests.stack.stack import Stack

GAMES = 10
LONGEST = 1500.0
"""Seconds after which it is given up."""
KILLED = ("worker-bots", "worker-bots", "worker-timers", "worker-mail", "web")
"""What may be killed; computer players' worker twice as often."""
MAKE = """
import sys
from django.utils import timezone
from accounts import tokens
from accounts.models import Scope, User
user = User.objects.create_user("ada@people.example", display_name="Ada")
sys.stdout.write(tokens.make(user, name="Ten games", scopes=[*Scope], life=None, now=timezone.now())[1])
"""


def main() -> int:
    """Print what came of it; return 0 where all games were played to their ends, each turn once."""
    server = os.environ.get("DATABASE_URL", SERVER)
    with (
        site_database(server if server.startswith("postgres") else SERVER),
        TemporaryDirectory() as folder,
    ):
        home = Path(folder)
        redis_url = os.environ.get("REDIS_URL", REDIS)
        stack = Stack(home, os.environ["DATABASE_URL"], redis_url, f"smtp://{HOST}:9", home, is_migrated=True)
        try:
            return run(stack)
        finally:
            stack.stop_all()


def run(stack: Stack) -> int:
    """Let the games be played, and look at what is left."""
    near = {"SITE_URL": f"http://{HOST}:{stack.port}", "ALLOWED_HOSTS": HOST}
    services = ("web", *stack.workers(), "beat")
    for service in services:
        stack.start(service, more=near)
    wait_until(stack.is_listening, what="the web server")
    token = stack.manage("shell", "--verbosity", "0", "-c", MAKE).stdout
    site = near["SITE_URL"]
    for _game in range(GAMES):
        ask(site, token, "/games/", {"size": 2, "bots": ["nova:1"]})
    began, rng, kills = time.monotonic(), Random(), Counter[str]()
    environment = {**os.environ, "GRAVITY_SITE": site, "GRAVITY_TOKEN": token}
    command = [sys.executable, "examples/bot.py", "--looks", "1", "--every", "0.2"]
    with (stack.home / "bot.log").open("wb") as log:
        program = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
    database = Database(stack.database_url)
    while running(database) and time.monotonic() - began < LONGEST:
        time.sleep(rng.uniform(2, 6))
        victim = rng.choice(KILLED)
        stack.stop(victim, how=signal.SIGKILL)
        kills[victim] += 1
        time.sleep(rng.uniform(0, 2))
        stack.start(victim, more=near)
    program.terminate()
    program.wait()
    left = running(database)
    took = time.monotonic() - began
    stack.verify()
    twice = [key for key in games(database) if not is_whole(database, key)]
    turns = sum(len(database.entries(key)) for key in games(database))
    killed = ", ".join(f"{name} {count} times" for name, count in sorted(kills.items()))
    print(f"{GAMES - left} of {GAMES} games played to their ends, {turns} turns in {took:.0f} s; killed: {killed}")
    print(f"each log replays to what is stored; logs with a gap or a turn twice: {len(twice)}")
    return int(left > 0 or bool(twice))


def ask(site: str, token: str, path: str, body: object) -> None:
    """Send a request, until it is taken."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    request = Request(f"{site}/api/v1{path}", json.dumps(body).encode(), headers)  # noqa: S310 - our own
    while True:
        with suppress(OSError):
            try:
                urlopen(request, timeout=30).close()  # noqa: S310
            except HTTPError as error:
                raise SystemExit(error.read().decode()) from error
            return
        time.sleep(0.5)


def games(database: Database) -> list[str]:
    """Return the keys of all games."""
    return [row["key"] for row in database.rows("SELECT key FROM games_game ORDER BY id")]


def running(database: Database) -> int:
    """Return how many games are not over."""
    return len(database.rows("SELECT 1 FROM games_game WHERE status <> 'finished'"))


def is_whole(database: Database, key: str) -> bool:
    """Return whether a log is numbered without a gap and has as many turns as its game counts."""
    game, entries = database.game(key), database.entries(key)
    numbered = [entry["seq"] for entry in entries] == list(range(1, game["seq"] + 1))
    return numbered and sum(bool(entry["turn"]) for entry in entries) == game["turns"]


if __name__ == "__main__":
    sys.exit(main())
