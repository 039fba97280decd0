"""What every test can use: servers, a browser, a mail server that keeps what it gets.

A test that needs a server asks for its fixture (or carries the mark ``pg``); when the server is not there the test is
skipped with one line that says how to get it. With ``CI=true`` a skip is a failure.
"""

import fcntl
import gc
import os
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import default as modern
from functools import lru_cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

import psycopg
import pytest
import redis
import resvg_py
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.conf import settings as django_settings
from django.core.cache import cache
from django.core.mail import EmailMessage as Message
from django.db import connection
from django.template.base import Template
from django.utils import timezone, translation
from hypothesis import settings as hypothesis_settings
from psycopg import sql
from pytest_django import DjangoDbBlocker, Settings

from accounts import mails
from accounts.models import User
from engine import compiled
from engine.gravity.bots import BOTS, rollouts
from engine.gravity.bots.levels import PLANS
from engine.gravity.bots.playout import best_turn
from tests import leftovers
from tests.append_only import empty_quickly
from tests.flows.play import make_user
from tests.services import (
    HOST,
    RedisServer,
    find_chromium,
    find_postgresql,
    find_redis,
    free_port,
    new_database,
    start_redis,
)

ROOT = Path(__file__).resolve().parents[1]
ON_POSTGRESQL = os.environ.get("TEST_ON") == "postgresql"
NO_POSTGRESQL = "needs PostgreSQL: install it (Debian: postgresql) or set TEST_DATABASE_URL=postgres://user@host:port"
NO_REDIS = "needs Redis: install it (Debian: redis-server) or set TEST_REDIS_URL=redis://host:port"
NO_CHROMIUM = "needs Chromium: install it (Debian: chromium-headless-shell) or set CHROMIUM=/path/to/it"
NO_NODE = "needs Node.js from 18.3 on: install it (Debian: nodejs)"
NO_CURL = "needs curl: install it (Debian: curl)"
CHROMIUM_ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

PLAIN_RENDER = Template._render  # type: ignore[attr-defined]
"""How templates are rendered before Django prepares for tests."""

SHARED = {"running_stack": "stack", "site": ""}
"""Fixtures that start processes for many tests, and which tests share one: those of a module where it has no name."""

hypothesis_settings.register_profile("site", deadline=None)  # a busy machine is no fault of an example
hypothesis_settings.register_profile("quick", deadline=None, max_examples=10)
hypothesis_settings.load_profile("site")


# --- Which tests run ---------------------------------------------------------------------------------------------


def pytest_itemcollected(item: pytest.Item) -> None:
    """Keep on one worker what shares a site of processes, where tests are handed out by group."""
    for fixture, group in SHARED.items():
        if fixture in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group(group or item.path.stem))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run on each database what is meant for it; whoever names marks with ``-m`` chooses for themselves.

    With the compiled engine nobody can reach into its modules: what does so runs in plain Python only.
    """
    if compiled.running() == "fast":
        drop(config, items, [item for item in items if item.get_closest_marker("plain")])
    if config.option.markexpr:
        return
    if ON_POSTGRESQL:
        chosen = [item for item in items if item.get_closest_marker("pg") or item.get_closest_marker("anydb")]
    else:
        chosen = [item for item in items if not item.get_closest_marker("pg")]
    kept = set(chosen)
    drop(config, items, [item for item in items if item not in kept])
    items.sort(key=lambda item: item.path.parent.name != "stack")  # they take longest, so they begin


def drop(config: pytest.Config, items: list[pytest.Item], dropped: list[pytest.Item]) -> None:
    """Leave tests out."""
    if dropped:
        config.hook.pytest_deselected(items=dropped)
        gone = set(dropped)
        items[:] = [item for item in items if item not in gone]


def pytest_xdist_auto_num_workers() -> int:
    """Run more tests at once than there are processors; on PostgreSQL twice as many, which wait for clocks."""
    processors = os.cpu_count() or 1
    return 2 * processors if ON_POSTGRESQL else processors + 1


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what is meant for PostgreSQL when there is none."""
    wants_it = item.get_closest_marker("pg") is not None or (ON_POSTGRESQL and item.get_closest_marker("anydb"))
    if wants_it and not django_settings.DATABASES["default"]["ENGINE"].endswith("postgresql"):
        pytest.skip(NO_POSTGRESQL)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let a skip fail in CI, where nothing may be lacking."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and os.environ.get("CI") == "true":
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"Nothing may be skipped in CI: {reason}"
    return report


def pytest_configure() -> None:
    """Let a run that is told to end do so as by Ctrl-C: fixtures taken down, failures so far told.

    Where a shell has started it in the background it ignores Ctrl-C, and so would the programs that tests start.
    """
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """Collect garbage less often: what is there by now stays, and pages and positions make much that is no cycle."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


@pytest.hookimpl(trylast=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Name a failure at once, not only at the end of the run."""
    if report.failed and "PYTEST_XDIST_WORKER" not in os.environ:
        sys.stdout.write(f"\nFAILED {report.nodeid} ({report.when}) {_last_line(report)}\n")


def _last_line(report: pytest.TestReport) -> str:
    crash = getattr(report.longrepr, "reprcrash", None)
    return str(crash.message).partition("\n")[0] if crash else ""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say each thing that was lacking once, with what it cost."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = Counter(str(report.longrepr[2]).removeprefix("Skipped: ") for report in skipped)
    for reason, number in reasons.most_common():
        terminalreporter.write_line(f"{number} skipped: {reason}", yellow=True)


# --- Every test --------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    """Start each test with an empty cache, so that no rate limit remembers another test."""
    cache.clear()


@pytest.fixture(autouse=True)
def _english() -> None:
    """Start each test in English: a request leaves its reader's language active in the thread that answered it."""
    translation.activate("en")


@pytest.fixture(autouse=True)
def _brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let players that think for long think briefly: in the same way, of fewer turns, and not as far."""
    monkeypatch.setitem(BOTS, "playout", partial(best_turn, looks=2, rounds=(1,)))
    for level, plan in PLANS.items():
        monkeypatch.setitem(PLANS, level, replace(plan, playouts=min(plan.playouts, level)))
    monkeypatch.setattr(rollouts, "TURNS", 3)
    monkeypatch.setattr(rollouts, "ROUNDS", 1)


@pytest.fixture(autouse=True)
def _quick_digests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take one round for the digest of an address, where the site takes many: nobody guesses here."""
    monkeypatch.setattr(import_module("games.commands.invite_address"), "ROUNDS", 1)


@pytest.fixture(autouse=True, scope="session")
def _rendered_once() -> None:
    """Keep what a picture becomes: most tests that ask for one ask for that of the same position."""
    resvg_py.svg_to_bytes = lru_cache(maxsize=100)(resvg_py.svg_to_bytes)  # type: ignore[assignment] # it takes the same


@pytest.fixture(autouse=True)
def _plain_rendering(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Render as the site does unless the test reads ``response.context``: Django copies it for each part of a page."""
    if not request.node.get_closest_marker("contexts"):
        monkeypatch.setattr(Template, "_render", PLAIN_RENDER)


@pytest.fixture(autouse=True)
def _whole_tracebacks() -> Iterator[None]:
    """Let tracebacks be whole again after a test of settings that stop the start in one line."""
    yield
    vars(sys).pop("tracebacklimit", None)


@pytest.fixture(autouse=True, scope="session")
def _emptied_quickly() -> None:
    """Empty the database after tests with real transactions, the append-only logs too."""
    empty_quickly()


@pytest.fixture
def ada(db: None) -> User:
    """Create a person."""
    return make_user("Ada")


@pytest.fixture
def bo(db: None) -> User:
    """Create another person."""
    return make_user("Bo")


@pytest.fixture
def cleo(db: None) -> User:
    """Create a third person."""
    return make_user("Cleo")


@pytest.fixture
def letters(db: None, mailoutbox: list[Message]) -> Callable[[], list[Message]]:
    """Return a function that sends the account mails that wait, as a worker does, and returns all that went so far."""

    def send() -> list[Message]:
        mails.send_waiting(now=timezone.now())
        return mailoutbox

    return send


# --- Servers -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def postgresql_server() -> str:
    """Return the address of a PostgreSQL server, without a database's name."""
    server = find_postgresql()
    if server is None:
        pytest.skip(NO_POSTGRESQL)
    return server


@pytest.fixture
def pg_database(postgresql_server: str) -> Iterator[str]:
    """Return the address of an empty PostgreSQL database of this test's own, for processes that the test starts."""
    with new_database(postgresql_server) as url:
        yield url


@pytest.fixture(scope="session")
def migrated_template(postgresql_server: str) -> str:
    """Return the name of a database in which the site's tables are made: once a run, whichever process comes first."""
    name = f"gravity_{leftovers.begin()}_template"

    def make() -> None:
        with psycopg.connect(f"{postgresql_server}/postgres", autocommit=True) as client:
            client.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        migrate(f"{postgresql_server}/{name}")

    once_a_run("template", make)
    return name


@pytest.fixture(scope="session")
def migrated_file() -> Path:
    """Return the same on SQLite: a file, to be copied."""
    file = leftovers.home() / "template.sqlite3"
    once_a_run("template.sqlite3", lambda: migrate(f"sqlite:///{file}"))
    return file


def once_a_run(name: str, make: Callable[[], None]) -> None:
    """Make something that the processes of this run share, in whichever of them comes first; the others wait for it."""
    folder = leftovers.home()
    with (folder / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = folder / f"{name}.made"
        if not made.exists():
            make()
            made.touch()


def migrate(url: str) -> None:
    """Make the site's tables in an empty database."""
    environment = leftovers.environment(DEBUG="1", DATABASE_URL=url, DATA_DIR=str(leftovers.home()))
    subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=environment, check=True)


@pytest.fixture(scope="session")
def django_db_setup(
    request: pytest.FixtureRequest, django_test_environment: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """Give this process a database of its own: a copy of the one whose tables are made once a run."""
    with ExitStack() as ending:
        if connection.vendor == "postgresql":
            server = request.getfixturevalue("postgresql_server")
            template = request.getfixturevalue("migrated_template")
            name = ending.enter_context(new_database(server, template)).rpartition("/")[2]
            ending.callback(connection.close_pool)  # type: ignore[attr-defined]
        else:
            name = str(leftovers.folder("sqlite") / "tests.sqlite3")
            file = request.getfixturevalue("migrated_file")
            with closing(sqlite3.connect(file)) as made, closing(sqlite3.connect(name)) as copy:
                made.backup(copy)
        with django_db_blocker.unblock():
            connection.close()
        connection.settings_dict["NAME"] = name
        yield
        with django_db_blocker.unblock():
            connection.close()


@pytest.fixture
def migrated_database(postgresql_server: str, migrated_template: str) -> Iterator[str]:
    """Return the address of a database of this test's own, with the site's tables, for processes that it starts."""
    with new_database(postgresql_server, migrated_template) as url:
        yield url


@pytest.fixture
def redis_url() -> Iterator[str]:
    """Return the address of an empty Redis database, claimed so that no other test uses it meanwhile."""
    server = find_redis()
    if server is None:
        pytest.skip(NO_REDIS)
    with redis.Redis.from_url(f"{server}/0") as claims:
        claim = ((n, f"gravity-tests:{n}") for n in range(1, 16))
        number, key = next((n, key) for n, key in claim if claims.set(key, os.getpid(), nx=True, ex=1800))
        with redis.Redis.from_url(f"{server}/{number}") as client:
            client.flushdb()
            yield f"{server}/{number}"
            client.flushdb()
        claims.delete(key)


@pytest.fixture
def redis_server() -> Iterator[RedisServer]:
    """Return a running Redis server of this test's own, which it may stop and start."""
    server = start_redis()
    if server is None:
        pytest.skip(NO_REDIS)
    yield server
    server.stop()


@dataclass
class Sink:
    """A mail server that keeps what it gets. ``refusing`` makes it turn every mail away for now."""

    port: int
    messages: list[EmailMessage] = field(default_factory=list)
    contents: list[bytes] = field(default_factory=list)
    """The same mails as they came."""
    refusing: bool = False

    @property
    def url(self) -> str:
        """Return its address, as in ``MAIL_URL``."""
        return f"smtp://{HOST}:{self.port}"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: ARG002, N802
        """Keep one mail."""
        if self.refusing:
            return "451 Try again later"
        content = bytes(envelope.content or b"")  # type: ignore[arg-type]
        self.contents.append(content)
        self.messages.append(BytesParser(EmailMessage, policy=modern).parsebytes(content))
        return "250 OK"


@pytest.fixture
def smtp_sink(settings: Settings) -> Iterator[Sink]:
    """Return a running mail server, to which the site of this test sends its mails."""
    sink = Sink(port=free_port())
    controller = Controller(sink, hostname=HOST, port=sink.port)
    controller.start()
    backend = "django.core.mail.backends.smtp.EmailBackend"
    settings.MAILERS = {"default": {"BACKEND": backend, "OPTIONS": {"host": HOST, "port": sink.port, "timeout": 10}}}
    yield sink
    controller.stop()


# --- Browser -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """Start the Chromium that is installed, quietly."""
    path = find_chromium()
    if path is None:
        pytest.skip(NO_CHROMIUM)
    return {"executable_path": path, "args": CHROMIUM_ARGS}
