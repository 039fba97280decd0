"""The programs of examples/ play whole games on the running site, whatever happens to them or to it meanwhile."""

import ast
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from threading import Thread
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer

from accounts.bots import make_bot
from accounts.models import User
from games import commands
from games.log.gates import Gates
from games.models import Entry, Game
from games.models.choices import Actor, Status
from games.tasks.thinking import play_next_turn
from tests import leftovers
from tests.conftest import NO_NODE, ROOT
from tests.games.programs import limitless, token_of
from tests.services import HOST, wait_until

EXAMPLES: Final = ROOT / "examples"
PROGRAMS: Final = ("bot.py", "bot.mjs")
EAGER: Final = ("--looks", "2", "--every", "0.02")
FAULTS: Final[Mapping[int, int]] = {3: 503, 4: 429, 9: 500, 30: 502, 31: 503, 45: 504}
"""Which requests a bad day answers with which status, without asking the site."""
HANGS_UP: Final = 20
"""Which request it does not answer at all."""
LOST: Final = {2, 5, 8}
"""Which turns it passes on, and tells nobody what came of them."""

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
type Start = Callable[..., subprocess.Popen[str]]


class BadDay(ThreadingHTTPServer):
    """Stands before the site: refuses some requests, hangs up on some, and keeps the answers to some turns."""

    daemon_threads = True

    def __init__(self, site: str) -> None:
        super().__init__((HOST, 0), Passing, bind_and_activate=False)
        self.server_bind()  # the port is taken; who connects is refused until the day begins
        self.site = urlsplit(site).netloc
        self.address = f"http://{HOST}:{self.server_port}"
        self.numbers = count(1)
        self.last = 0
        self.turns: Counter[str] = Counter()
        """How often each turn was sent, by its key."""

    def begin(self) -> None:
        self.server_activate()
        Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()

    def handle_error(self, request: object, client_address: object) -> None:
        """Let it be: a program that was killed waits for no answer."""

    def end(self) -> None:
        self.shutdown()
        self.server_close()


class Passing(BaseHTTPRequestHandler):
    """A request that is passed on to the site, or is not."""

    server: BadDay
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        self.answer(None)

    def do_POST(self) -> None:
        self.answer(self.rfile.read(int(self.headers["Content-Length"])))

    def answer(self, body: bytes | None) -> None:
        self.server.last = number = next(self.server.numbers)
        if number in FAULTS:
            self.write(FAULTS[number], b"<h1>Not now</h1>", {"Retry-After": "0"})
        elif number == HANGS_UP:
            self.close_connection = True
        else:
            self.pass_on(body)

    def pass_on(self, body: bytes | None) -> None:
        site = HTTPConnection(self.server.site, timeout=30)
        site.request(self.command, self.path, body, dict(self.headers))
        answer = site.getresponse()
        content = answer.read()
        site.close()
        turns, key = self.server.turns, self.headers["Idempotency-Key"]
        if self.path.endswith("/turns/"):
            turns[key] += 1
            if turns[key] == 1 and len(turns) in LOST:
                self.close_connection = True  # it is played, and nobody is told
                return
        self.write(answer.status, content, {"Content-Type": answer.headers["Content-Type"]})

    def write(self, status: int, content: bytes, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Say nothing."""


@pytest.fixture
def start(live_server: LiveServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Start]:
    """Return a function that starts a program for somebody."""
    limitless(monkeypatch)
    with ExitStack() as ending:

        def start(program: str, token: str, *arguments: str, site: str = live_server.url) -> subprocess.Popen[str]:
            process = subprocess.Popen(
                [interpreter(program), str(EXAMPLES / program), *arguments],
                env=leftovers.environment(GRAVITY_SITE=site, GRAVITY_TOKEN=token),
                cwd=tmp_path,
                text=True,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
            ending.enter_context(process)
            ending.callback(process.kill)
            return process

        yield start
    assert list(tmp_path.iterdir()) == []  # they keep nothing on the disk


def interpreter(program: str) -> str:
    if program.endswith(".py"):
        return sys.executable
    node = shutil.which("node")
    if node is None:
        pytest.skip(NO_NODE)
    return node


def stop(process: subprocess.Popen[str]) -> str:
    """Stop a program as Ctrl-C does, and return what it printed."""
    process.send_signal(signal.SIGINT)
    said, _errors = process.communicate(timeout=30)
    assert process.returncode == 0, said
    return said


def play_until(ready: Callable[[], bool]) -> None:
    """Let the computer players play until something is so."""
    wait_until(lambda: not play_next_turn() and ready(), what="the end of these turns", seconds=60)


def offer(user: User, **terms: Any) -> Game:
    """Create a game for two that anybody may join."""
    asked = {"ruleset": "gravity-1", "size": 2, "options": {}, "public": True, "bots": [], "takes_bots": True, **terms}
    return commands.create_game(user=user, now=timezone.now(), **asked)


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_plays_a_whole_game_on_a_bad_day(
    program: str, start: Start, ada: User, live_server: LiveServer
) -> None:
    token, own, day = token_of(ada), Entry.objects.filter(by=Actor.PLAYER), BadDay(live_server.url)
    day.begin()
    process = start(program, token, "--new", "nova:1", *EAGER, site=day.address)
    play_until(lambda: own.count() > 5)
    process.kill()
    process = start(program, token, "--new", "nova:1", *EAGER, site=day.address)
    play_until(Game.objects.filter(status=Status.FINISHED).exists)
    said = stop(process)
    day.end()
    game = Game.objects.get()  # the second start began no second game
    assert f"{game.key}: " in said
    assert sorted(day.turns) == sorted(f"{game.key}-{seq - 1}" for seq in own.values_list("seq", flat=True))
    assert sum(day.turns.values()) >= len(day.turns) + len(LOST)  # sent again, and played once
    assert day.last > max(FAULTS)


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_waits_for_a_site_that_is_away(
    program: str, start: Start, ada: User, live_server: LiveServer
) -> None:
    day = BadDay(live_server.url)
    process = start(program, token_of(ada), site=day.address)
    assert process.stdout is not None
    assert "refused" in process.stdout.readline().lower()
    day.begin()
    assert "Playing as Ada\n" in iter(process.stdout.readline, "")
    stop(process)
    day.end()


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_takes_a_seat_where_it_may_and_plays(program: str, start: Start, ada: User, bo: User) -> None:
    open_to_all, closed = offer(bo), offer(bo, gates=Gates(rating_from=1500))
    players = [start(program, token_of(ada), "--join", "1", *EAGER), start("bot.py", token_of(bo), *EAGER)]
    wait_until(lambda: Entry.objects.filter(by=Actor.PLAYER).count() > 5, what="some turns", seconds=60)
    said = [stop(player) for player in players]
    assert all(f"{open_to_all.key}: " in lines for lines in said)
    assert said[0].count('"code":"rating-provisional"') == 1
    assert Game.objects.get(status=Status.OPEN) == closed


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_takes_the_seats_to_which_its_bot_is_invited_first(
    program: str, start: Start, ada: User, bo: User
) -> None:
    ada_bot = make_bot(ada, "Rex", timezone.now())
    others, asked = offer(bo), offer(bo, public=False, invited=[ada_bot.pk])
    process = start(program, token_of(ada, bot=ada_bot), "--join", "1", *EAGER)
    wait_until(lambda: Game.objects.get(pk=asked.pk).status == Status.ACTIVE, what="the acceptance", seconds=60)
    stop(process)
    assert Game.objects.get(pk=others.pk).status == Status.OPEN


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_without_a_valid_token_says_so_and_ends(program: str, start: Start) -> None:
    process = start(program, "gst_none")
    said, _errors = process.communicate(timeout=30)
    assert process.returncode == 1
    assert "invalid-token" in said


def test_the_programs_are_short_and_need_next_to_nothing() -> None:
    text = {program: (EXAMPLES / program).read_text("utf-8") for program in PROGRAMS}
    assert all(len(lines.splitlines()) < 100 for lines in text.values())
    tree = ast.walk(ast.parse(text["bot.py"]))
    named = [
        node.module if isinstance(node, ast.ImportFrom) else node.names[0].name
        for node in tree
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    assert {str(name).partition(".")[0] for name in named} - sys.stdlib_module_names == {"requests", "urllib3"}
    assert all(name.startswith("node:") for name in re.findall(r'from "(.+)"', text["bot.mjs"]))
