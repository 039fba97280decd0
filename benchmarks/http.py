"""How many turns a second the site plays through HTTP, beside a floor: ``python -m benchmarks.http``.

Two gunicorn workers on PostgreSQL, started by the command of docker-compose.yml, and eight clients on one machine.
The floor is a bare view behind the same middleware (`benchmarks.floor`). Site and floor are measured in turn, round by
round, so that a busy machine slows both; the figures are medians. At last one game is played for four hundred turns.
"""

import argparse
import json
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import count, islice
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Self
from urllib.parse import urlencode
from uuid import uuid4

from engine.contract import END
from engine.rulesets import RULESETS
from tests.services import HOST, find_postgresql, start_redis
from tests.stack.people import Database
from tests.stack.stack import SITE_HOST, Stack

CLIENTS = 8
RULESET = "gravity-1"
CSRF = "c" * 32
AIM = 0.7
SPARE = 3
"""Games of each client that are not played in the rounds."""
MEANING = {
    "open page": "a turn, answered by the fresh board",
    "plain form": "a turn without script, answered by a redirect to the page",
}
FLOOR_TABLES = """
CREATE TABLE floor_row (id bigint PRIMARY KEY, version integer NOT NULL);
CREATE TABLE floor_line (id bigserial PRIMARY KEY, row_id bigint NOT NULL REFERENCES floor_row, seq integer NOT NULL,
    turn varchar(200) NOT NULL, at timestamptz NOT NULL, UNIQUE (row_id, seq));
"""
PREPARE = """
import json, sys
from random import Random
from importlib import import_module
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.utils import timezone
from accounts.models import User
from games import commands
from games.models import Game

def sign_in(user):
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return session.session_key

prepared = []
for client in range({clients}):
    ada = User.objects.create_user(f"a{{client}}@bench.example", display_name=f"Ada {{client}}")
    bo = User.objects.create_user(f"b{{client}}@bench.example", display_name=f"Bo {{client}}")
    sessions = {{ada.pk: sign_in(ada), bo.pk: sign_in(bo)}}
    games = []
    for number in range({games}):
        now = timezone.now()
        terms = {{"ruleset": "gravity-1", "size": 2, "options": {{}}, "public": False, "bots": []}}
        key = commands.create_game(user=ada, now=now, **terms).key
        commands.join_game(game_key=key, user=bo, now=now, rng=Random(1000 * client + number))  # the same in every run
        game = Game.objects.get(key=key)
        people = list(game.seats.order_by("number").values_list("user_id", flat=True))
        seats = [sessions[pk] for pk in people]
        games.append({{"key": key, "setup": game.setup, "sessions": seats, "people": people, "version": game.version}})
    prepared.append(games)
json.dump(prepared, sys.stdout)
"""


@dataclass(frozen=True)
class Request:
    """One POST as bytes, and the status that it must be answered with."""

    content: bytes
    status: int


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each kind (5)")
    parser.add_argument("--turns", type=int, default=60, help="turns of one client in a round (60)")
    options = parser.parse_args()
    with running(games=2 * options.rounds * options.turns // 20 + SPARE) as (site, floor, prepared):
        plays = [Player(games) for games in prepared]
        measured: dict[str, list[float]] = {"floor": [], "open page": [], "plain form": []}
        for round_number in range(-1, options.rounds):
            batches = {
                "floor": (floor.port, [play.floor(place, options.turns) for place, play in enumerate(plays)]),
                "open page": (site.port, [play.turns(options.turns, htmx=True) for play in plays]),
                "plain form": (site.port, [play.turns(options.turns, htmx=False) for play in plays]),
            }
            for name, (port, batch) in batches.items():
                rate = measure(port, batch)
                if round_number >= 0:  # the first one warms up
                    measured[name].append(rate)
        print(f"floor        {median(measured['floor']):6.0f} requests/s; the aim is {AIM:.0%} of it")
        for name in ("open page", "plain form"):
            ratio = median(a / b for a, b in zip(measured[name], measured["floor"], strict=True))
            print(f"{name:12} {median(measured[name]):6.0f} turns/s, {ratio:.0%} of the floor: {MEANING[name]}")
        compare_lengths(site, prepared[0][-SPARE:])


@contextmanager
def running(games: int, workers: int = 2) -> Iterator[tuple[Stack, Stack, list[list[dict[str, Any]]]]]:
    """Start the site and the floor over one database with that many games a client, and a thread for each client."""
    server, broker = find_postgresql(), start_redis()
    if server is None or broker is None:
        sys.exit("benchmarks.http needs PostgreSQL and Redis")
    name = f"gs_bench_{uuid4().hex}"
    admin = Database(f"{server}/postgres")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="gravity-bench-")))
        stack.callback(broker.stop)
        admin.run(f"CREATE DATABASE {name}")
        stack.callback(admin.run, f"DROP DATABASE {name} WITH (FORCE)")
        servers = []
        for kind, module in (("site", "gravitysite.settings"), ("floor", "benchmarks.floor.settings")):
            home = folder / kind
            home.mkdir()
            variables = {"LOG_LEVEL": "INFO", "WEB_WORKERS": f"{workers}", "WEB_THREADS": f"{CLIENTS // workers}"}
            one = Stack(home, f"{server}/{name}", f"{broker.url}/0", "smtp://localhost", folder / "static", variables)
            if kind == "site":
                one.run(sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity", "0")
                one.migrate()
                Database(one.database_url).run(FLOOR_TABLES)
            one.start("web", more={"DJANGO_SETTINGS_MODULE": module})
            stack.callback(one.stop_all)
            servers.append(one)
        site, floor = servers
        made = site.manage("shell", "--verbosity", "0", "-c", PREPARE.format(clients=CLIENTS, games=games))
        if made.returncode:
            sys.exit(made.stderr)
        for place in range(CLIENTS):
            Database(site.database_url).run("INSERT INTO floor_row VALUES (%s, 0)", place)
        site.wait_for_web()
        floor.wait_for_web()
        yield site, floor, json.loads(made.stdout)


class Player:
    """One client: two people who play game after game by chance. What they will play is known beforehand."""

    def __init__(self, games: Sequence[dict[str, Any]]) -> None:
        self.session = str(games[0]["sessions"][0])
        self.moves = self._moves(games[:-SPARE])
        self.spare = games[-SPARE]

    def turns(self, number: int, *, htmx: bool) -> list[Request]:
        """Return the next requests that play a turn each."""
        status = 200 if htmx else 302
        return [
            Request(post(f"/games/{key}/turn", session, htmx=htmx, seq=seq, steps=turn), status)
            for key, session, seq, turn in islice(self.moves, number)
        ]

    def floor(self, place: int, number: int) -> list[Request]:
        """Return as many requests to the floor."""
        return [Request(post(f"/floor/{place}", self.session, htmx=True, steps="H< x2b & S>(D)"), 200)] * number

    def looks(self) -> dict[str, Request]:
        """Return requests that change nothing, about a game in which nothing was played yet."""
        game = self.spare
        key, session = game["key"], game["sessions"][0]
        rules = RULESETS[RULESET]
        step = next(step for step in rules.legal_steps(rules.read_setup(game["setup"])) if step[0] == "R")
        tag = f'"{game["version"]}-{game["people"][0]}-en"'
        return {
            "preview": Request(post(f"/games/{key}/preview", session, htmx=True, seq=0, steps="", step=step), 200),
            "page": Request(get(f"/games/{key}/", session), 200),
            "poll": Request(get(f"/games/{key}/board", session, htmx=True, tag=tag), 304),
        }

    def _moves(self, games: Sequence[dict[str, Any]]) -> Iterator[tuple[str, str, int, str]]:
        rules, rng = RULESETS[RULESET], Random(1)
        for game in games:
            state = rules.read_setup(game["setup"])
            seq = 0
            while (seat := rules.summary(state).seat) is not None:
                steps: list[str] = []
                while END not in (legal := rules.legal_steps(state, steps)) or (len(legal) > 1 and rng.random() < 0.3):
                    steps.append(rng.choice([step for step in legal if step != END]))
                turn = " ".join(steps)
                yield str(game["key"]), game["sessions"][seat - 1], seq, turn
                state = rules.apply_turn(state, turn).state
                seq += 1


def post(path: str, session: str, *, htmx: bool, **fields: object) -> bytes:
    """Return a request as a browser would send it through the proxy."""
    body = urlencode({"csrfmiddlewaretoken": CSRF, **fields})
    more = ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]
    return written(f"POST {path}", session, htmx=htmx, more=[f"Origin: https://{SITE_HOST}", *more], body=body)


def get(path: str, session: str, *, htmx: bool = False, tag: str = "") -> bytes:
    """Return a request for a page, or for what has changed since the one with that tag."""
    return written(f"GET {path}", session, htmx=htmx, more=[f"HX-PTag: {tag}"] if tag else [])


def written(what: str, session: str, *, htmx: bool, more: Sequence[str], body: str = "") -> bytes:
    """Return a request with the headers that all of them have."""
    lines = [
        f"{what} HTTP/1.1",
        f"Host: {SITE_HOST}",
        "X-Forwarded-Proto: https",
        "X-Forwarded-For: 203.0.113.7",
        f"Cookie: csrftoken={CSRF}; sessionid={session}",
        *(["HX-Request: true"] if htmx else []),
        *more,
    ]
    return "\r\n".join([*lines, "", body]).encode()


def measure(port: int, batches: Sequence[Sequence[Request]]) -> float:
    """Let each client send its requests one after the other over one connection; return requests a second."""
    return together([partial(send_all, port, batch) for batch in batches])


def together(jobs: Sequence[Callable[[], int]]) -> float:
    """Let each client do its job, all at once; return how much was done a second. What one raises ends the run."""
    with ThreadPoolExecutor(len(jobs)) as pool:
        began = time.perf_counter()
        done = sum(future.result() for future in [pool.submit(job) for job in jobs])
        return done / (time.perf_counter() - began)


def send_all(port: int, requests: Sequence[Request]) -> int:
    """Send requests, check each answer's status, and return how many they were."""
    with Line(port) as line:
        for request in requests:
            played(line, request)
    return len(requests)


class Line:
    """One kept connection; as little work as possible, since clients share the processors with the servers."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection((HOST, port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.socket.close()

    def ask(self, request: Request) -> tuple[int, float]:
        """Send a request; return the status of its answer and how long it took."""
        began = time.perf_counter()
        self.socket.sendall(request.content)
        answer = b""
        while (end := answer.find(b"\r\n\r\n")) < 0:
            answer += self._more()
        head = answer[:end].lower()
        size = int(head.split(b"content-length:", 1)[1].split(b"\r\n", 1)[0])
        rest = size - (len(answer) - end - 4)
        while rest > 0:
            rest -= len(self._more())
        return int(head.split(b" ", 2)[1]), time.perf_counter() - began

    def _more(self) -> bytes:
        piece = self.socket.recv(1 << 16)
        if not piece:
            raise ConnectionError("the server closed the connection")
        return piece


def compare_lengths(site: Stack, games: Sequence[dict[str, Any]]) -> None:
    """Print what a turn costs in games of several lengths, each played on in turn so that a busy machine slows all.

    They are games of half turns and completed hands, of which no end is near.
    """
    took: dict[int, list[float]] = {first: [] for first in (4, 40, 400)}
    with Line(site.port) as line:
        playing = {}
        for first, game in zip(took, games, strict=True):
            playing[first] = endless_turns(game)
            for request in islice(playing[first], first - 1):
                played(line, request)
        for _round in range(20):
            for first, requests in playing.items():
                took[first].append(played(line, next(requests)))
    for first, times in took.items():
        print(f"turns {first} to {first + 19} of a game: {median(times) * 1000:.1f} ms each")


def endless_turns(game: dict[str, Any]) -> Iterator[Request]:
    """Yield the requests of a game that goes on and on."""
    rules = RULESETS[RULESET]
    state = rules.read_setup(game["setup"])
    for seq in count():
        seat = rules.summary(state).seat
        assert seat is not None
        steps = ["C" if "C" in rules.legal_steps(state) else "R="]
        while END not in (legal := rules.legal_steps(state, steps)):
            steps.append(legal[0])  # who falls onto a rival has to steal
        turn = " ".join(steps)
        session = game["sessions"][seat - 1]
        yield Request(post(f"/games/{game['key']}/turn", session, htmx=True, seq=seq, steps=turn), 200)
        state = rules.apply_turn(state, turn).state


def played(line: Line, request: Request) -> float:
    """Send a request; return how long its answer took. Another status than it is to have ends the run."""
    status, seconds = line.ask(request)
    if status != request.status:
        sys.exit(f"answered {status} instead of {request.status} to {request.content!r}")
    return seconds


if __name__ == "__main__":
    main()
