"""An outside monitor hears of the site while all is well, and of nothing else."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from time import monotonic

import pytest
from django.utils import timezone
from pytest_django import Settings
from structlog.testing import capture_logs

from games import commands, tasks
from games.queries import due
from games.tasks import monitor as module
from tests.services import HOST, free_port

pytestmark = pytest.mark.django_db
SECRET = "0b4f-secret"


@dataclass
class Monitor:
    """A web server that notes what it is asked for."""

    asked: list[str] = field(default_factory=list)
    status: int = 200
    silent: bool = False
    over: Event = field(default_factory=Event)
    url: str = ""


@pytest.fixture
def monitor(settings: Settings) -> Iterator[Monitor]:
    found = Monitor()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found.asked.append(self.path)
            if found.silent:
                found.over.wait(10)
            self.send_response(found.status)
            self.send_header("Location", f"{found.url}/elsewhere")
            self.end_headers()

        def log_message(self, *_args: object) -> None:
            pass

    server = ThreadingHTTPServer((HOST, 0), Handler)
    found.url = f"http://{HOST}:{server.server_port}"
    settings.HEARTBEAT_PING_URL = f"{found.url}/{SECRET}"
    Thread(target=server.serve_forever, daemon=True).start()
    yield found
    found.over.set()
    server.shutdown()
    server.server_close()


@pytest.fixture
def _well(db: None) -> None:
    for name in due.HEARTBEATS:
        commands.beat(name=name, now=timezone.now())


@pytest.mark.usefixtures("_well")
def test_the_monitor_is_told_while_all_is_well_and_not_while_anything_is_wrong(monitor: Monitor) -> None:
    tasks.ping_monitor()
    assert monitor.asked == [f"/{SECRET}"]
    commands.stop_clocks(now=timezone.now())
    tasks.ping_monitor()
    assert len(monitor.asked) == 1
    commands.start_clocks(now=timezone.now())
    tasks.ping_monitor()
    assert len(monitor.asked) == 2


def test_the_monitor_is_not_told_while_the_sweeps_are_silent(monitor: Monitor) -> None:
    tasks.ping_monitor()
    assert monitor.asked == []


@pytest.mark.usefixtures("_well")
def test_where_no_monitor_is_named_nobody_is_told(monitor: Monitor, settings: Settings) -> None:
    settings.HEARTBEAT_PING_URL = ""
    tasks.ping_monitor()
    assert monitor.asked == []


@pytest.mark.parametrize("status", [302, 404, 500])
def test_a_monitor_that_says_no_is_followed_nowhere_and_logged_without_its_address(
    monitor: Monitor, status: int
) -> None:
    monitor.status = status
    with capture_logs() as lines:
        assert not module.tell_monitor()
    assert monitor.asked == [f"/{SECRET}"]
    (line,) = lines
    assert line == {"event": "monitor not told", "error": "HTTPError", "status": status, "log_level": "warning"}


def test_a_monitor_that_says_nothing_or_is_away_holds_up_nobody(
    monitor: Monitor, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.3)
    monitor.silent = True
    began = monotonic()
    with capture_logs() as lines:
        assert not module.tell_monitor()
        settings.HEARTBEAT_PING_URL = f"http://{HOST}:{free_port()}/{SECRET}"
        assert not module.tell_monitor()
    assert monotonic() - began < 5
    assert len(lines) == 2
    assert SECRET not in str(lines)
