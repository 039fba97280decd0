"""The process ``live`` as docker-compose.yml runs it: who may listen hears soon of changes; what dies harms no turn."""

import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from random import Random
from typing import Self

import pytest

from games.live.hub import DEAF
from games.live.views import MOST
from tests.services import HOST, PATIENCE, RedisServer
from tests.stack.people import Database, Person, make_people
from tests.stack.stack import ROOT, SECRETS, SITE_HOST, Stack

pytestmark = [pytest.mark.pg, pytest.mark.redis, pytest.mark.slow]

SOON = 1.0
"""Seconds from a commit to the event, as promised."""
TWIN_TURNS = 12
TWIN = """
import sys
from random import Random
from accounts.models import User
from tests.flows.play import random_turn, simple_pair, state_of
from tests.flows.test_twin_games import GRAVITY, SEED
from tests.flows.twins import TWO_DAYS, play

def turns(game):
    rng = Random(SEED)
    for _turn in range(6):
        yield random_turn(state_of(game), rng)
    yield simple_pair(state_of(game))[{which}]
    while True:
        yield GRAVITY.turn(game)

game = GRAVITY.begin([User.objects.get(display_name=name) for name in ("Ada", "Bo", "Cy")], TWO_DAYS)
print(game.key, flush=True)
for turn, _asked in zip(turns(game), sys.stdin):
    play(game, turn)
    print("played", flush=True)
"""
"""Plays one of twins, a turn for each line that it is sent."""


class Stream:
    """A stream of events that somebody holds open."""

    def __init__(self, stack: Stack, path: str, person: Person | None = None, **headers: str) -> None:
        self.connection = HTTPConnection(HOST, stack.live_port, timeout=PATIENCE)
        cookies = person.cookies.values() if person else ()
        said = {
            "Host": SITE_HOST,
            "X-Forwarded-Proto": "https",
            "X-Forwarded-For": "203.0.113.9",
            "Cookie": "; ".join(f"{cookie.key}={cookie.value}" for cookie in cookies),
            **headers,
        }
        self.connection.request("GET", path, headers=said)
        self.response: HTTPResponse = self.connection.getresponse()
        self.status = self.response.status
        self.heard = b""

    def events(self) -> Iterator[tuple[str, int]]:
        """Yield (game, version) of each event until the stream ends."""
        while line := self.response.readline():
            self.heard += line
            if line.startswith(b"data: "):
                data = json.loads(line.removeprefix(b"data: "))
                yield data.pop("game"), data.pop("version")
                assert not data

    def next(self) -> tuple[str, int]:
        """Return the next event."""
        return next(self.events())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Go away."""
        self.response.close()
        self.connection.close()


@pytest.fixture
def site(stack: Stack, redis_server: RedisServer) -> Stack:
    """The web server and the server of streams, over a Redis that the test may stop."""
    stack.redis_url = f"{redis_server.url}/0"
    stack.start("web")
    stack.start("live")
    stack.wait_for_web()
    stack.wait(lambda: stack.is_healthy("live"), what="the server of streams")
    return stack


def test_who_may_watch_hears_of_a_change_within_a_second(site: Stack, database: Database) -> None:
    ada, bo = make_people(site, "Ada", "Bo")
    key = ada.create_game(2)
    with ExitStack() as streams:

        def listen(path: str, person: Person | None = None, **headers: str) -> Stream:
            stream = Stream(site, path, person, **headers)
            streams.callback(stream.close)
            return stream

        watching, own = listen(f"/live/games/{key}/"), listen("/live/me/", ada)
        assert (watching.status, own.status) == (200, 200)
        assert watching.response.headers["Content-Type"] == "text/event-stream"
        assert watching.next() == (key, database.game(key)["version"])
        bo.join(key)
        assert watching.next() == own.next() == (key, database.game(key)["version"])
        for _turn in range(4):
            row = database.game(key)
            mover = ada if row["mover"] == "Ada" else bo
            assert mover.play(key, row["seq"], database.choose_turn(key, Random(1))).status == 200
            committed = time.monotonic()
            heard = watching.next()
            assert time.monotonic() - committed < SOON
            assert heard == own.next() == (key, database.game(key)["version"])
        assert listen("/live/me/").status == 401
        assert listen("/live/me/", ada, Authorization="Bearer gst_wrong").status == 401
        assert [listen(path).status for path in ("/live/games/22222222aaaa/", "/live/games/no/")] == [404] * 2
        more = [listen("/live/me/", ada).status for _stream in range(20)]
        assert more == [200] * 19 + [429]
        assert listen("/live/me/", bo).status == 200
    site.wait(lambda: Stream(site, "/live/me/", ada).status == 200, what="room for another stream")
    assert f"/live/games/{key}/" not in site.all_logs()


def figures(site: Stack) -> dict[str, float]:
    """Return what the process says of itself to who has the token for it."""
    with Stream(site, "/metrics", Authorization=f"Bearer {SECRETS['METRICS_TOKEN']}") as asked:
        assert asked.status == 200
        lines = [line for line in asked.response.read().decode().splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in map(str.split, lines)}


def test_the_process_tells_who_watches_the_site_how_many_streams_it_holds(site: Stack, database: Database) -> None:
    (ada,) = make_people(site, "Ada")
    key = ada.create_game(2)

    assert figures(site) == {"gravity_live_streams": 0, "gravity_live_hearing": 1}
    with Stream(site, f"/live/games/{key}/") as first, Stream(site, "/live/me/", ada) as second:
        assert first.next() == (key, database.game(key)["version"])
        assert second.status == 200
        assert figures(site) == {"gravity_live_streams": 2, "gravity_live_hearing": 1}
    with Stream(site, "/metrics") as asked:
        assert asked.status == 401
    with Stream(site, "/metrics", Authorization="Bearer wrong") as asked:
        assert asked.status == 401


@pytest.mark.parametrize("viewer", [1, 2])
def test_streams_tell_no_twins_apart(site: Stack, database: Database, viewer: int) -> None:
    people = make_people(site, "Ada", "Bo", "Cy")
    one, other = (heard_of_a_twin(site, database, people[viewer], which) for which in (0, 1))
    assert one == other
    assert all(part.count(b"data: ") >= TWIN_TURNS for part in one)


def heard_of_a_twin(site: Stack, database: Database, rival: Person, which: int) -> list[bytes]:
    """Play a twin, in which Ada hides one or the other card; return all that its rival and a guest hear of it."""
    command = [sys.executable, "manage.py", "shell", "--verbosity", "0", "-c", TWIN.format(which=which)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=ROOT, env=site.environment(), **pipes) as twin, ExitStack() as streams:
        assert twin.stdin is not None
        assert twin.stdout is not None
        key = twin.stdout.readline().strip()
        own = Stream(site, "/live/me/", rival)
        pages = [Stream(site, f"/live/games/{key}/"), Stream(site, f"/live/games/{key}/", rival)]
        for stream in (own, *pages):
            streams.enter_context(stream)
        for stream in pages:
            assert stream.next() == (key, database.game(key)["version"])
        for _turn in range(TWIN_TURNS):
            twin.stdin.write("\n")
            twin.stdin.flush()
            assert twin.stdout.readline() == "played\n"
            for stream in (own, *pages):
                assert stream.next() == (key, database.game(key)["version"])
        return [stream.heard.replace(key.encode(), b"KEY") for stream in (own, *pages)]


def test_many_who_come_at_once_get_their_streams_and_health_does_not_wait(site: Stack, database: Database) -> None:
    people = make_people(site, "Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gil", "Hal", "Ida", "Jo")
    key = people[0].create_game(2)
    version = database.game(key)["version"]
    with ThreadPoolExecutor(200) as crowd, ExitStack() as streams:
        asked = [crowd.submit(Stream, site, f"/live/games/{key}/", person) for person in people * 20]
        assert site.is_healthy("live")
        opened = [streams.enter_context(stream.result()) for stream in asked]
        assert {stream.status for stream in opened} == {200}
        assert {stream.next() for stream in opened} == {(key, version)}
        status = Path(f"/proc/{site.processes['live'].pid}/status").read_text()
        assert int(re.findall(r"^Threads:\s+(\d+)$", status, re.MULTILINE)[0]) < 20


def test_who_asks_for_many_at_once_gets_no_more_than_one_by_one(site: Stack) -> None:
    (ada,) = make_people(site, "Ada")
    with ThreadPoolExecutor(80) as crowd, ExitStack() as streams:
        asked = [crowd.submit(Stream, site, "/live/me/", ada) for _stream in range(80)]
        opened = [streams.enter_context(stream.result()) for stream in asked]
        assert {stream.status for stream in opened} <= {200, 429}
        site.wait(lambda: figures(site)["gravity_live_streams"] <= MOST, what="the end of all others")
        assert figures(site)["gravity_live_streams"] > 0


def test_when_redis_hangs_streams_end_within_seconds_and_turns_are_played(
    site: Stack, database: Database, redis_server: RedisServer
) -> None:
    ada, bo = make_people(site, "Ada", "Bo")
    key = ada.create_game(2)
    bo.join(key)
    with Stream(site, f"/live/games/{key}/") as first:
        assert first.next() == (key, database.game(key)["version"])
        with redis_server.hanging():
            began = time.monotonic()
            assert list(first.events()) == []
            assert time.monotonic() - began < DEAF + 5
            row = database.game(key)
            mover = ada if row["mover"] == "Ada" else bo
            assert mover.play(key, row["seq"], database.choose_turn(key, Random(1))).status == 200
            assert site.is_healthy("live")

    def hears() -> bool:
        with Stream(site, f"/live/games/{key}/") as stream:
            return list(next(stream.events(), ())) == [key, database.game(key)["version"]]

    site.wait(hears, what="a stream once Redis answers")


def test_when_redis_or_the_process_dies_streams_end_and_turns_are_played(
    site: Stack, database: Database, redis_server: RedisServer
) -> None:
    ada, bo = make_people(site, "Ada", "Bo")
    key = ada.create_game(2)
    bo.join(key)
    first = Stream(site, f"/live/games/{key}/")
    assert first.next() == (key, database.game(key)["version"])
    redis_server.stop()
    assert list(first.events()) == []
    assert list(Stream(site, f"/live/games/{key}/").events()) == []
    row = database.game(key)
    mover = ada if row["mover"] == "Ada" else bo
    assert mover.play(key, row["seq"], database.choose_turn(key, Random(1))).status == 200
    redis_server.start()

    def hears() -> bool:
        return list(next(Stream(site, f"/live/games/{key}/").events(), ())) == [key, database.game(key)["version"]]

    site.wait(hears, what="a stream once Redis is back")
    second = Stream(site, f"/live/games/{key}/")
    second.next()
    began = time.monotonic()
    site.stop("live")
    assert time.monotonic() - began < 10
    assert list(second.events()) == []
    with pytest.raises(ConnectionError), socket.create_connection((HOST, site.live_port)):
        pass
    site.start("live")
    site.wait(lambda: site.is_healthy("live"), what="the server of streams")
    third = Stream(site, f"/live/games/{key}/")
    third.next()
    site.stop("live", how=signal.SIGKILL)
    row = database.game(key)
    mover = ada if row["mover"] == "Ada" else bo
    assert mover.play(key, row["seq"], database.choose_turn(key, Random(1))).status == 200
