"""How soon open pages hear of a turn while very many listen: ``python -m benchmarks.live``.

The process ``live``, started by the command of docker-compose.yml on PostgreSQL and a Redis of its own, holds 2,000
streams of people, and two processes (`benchmarks.live_turns`) play 100 turns a second in a hundred games of two of
them. Figures: how soon all streams have begun that come at once, as after a restart; the time from the commit of each
turn to its event at each of its two players; what the process takes of memory, and of one processor. Clients, players
and servers share the machine, and how busy it was in all stands beside.
"""

import argparse
import asyncio
import json
import os
import resource
import sys
import tempfile
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from math import inf
from pathlib import Path
from statistics import quantiles
from typing import Any, Final

from tests.services import HOST, find_postgresql, new_database, start_redis, wait_until
from tests.stack.stack import ROOT, SITE_HOST, Stack

STREAMS: Final = 2_000
TURNS: Final = 100
"""How many turns are played in a second."""
SECONDS: Final = 15.0
"""How long turns are played."""
PLAYERS: Final = 2
"""Processes that play."""
GAMES: Final = 100
"""Games that are played in, each with two people who listen; all other streams are idle."""
LINGERS: Final = 2.0
"""Seconds after the last turn in which its events must come."""
LONGEST: Final = 60.0
"""Seconds after which a measurement that hangs is given up."""
MOST: Final = 1.0
"""The aim for the 99th percentile, in seconds."""


def main() -> int:
    """Print the figures; return 1 where the aim is missed, or an event did not come."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--streams", type=int, default=STREAMS, help=f"streams that are held open ({STREAMS:,})")
    parser.add_argument("--turns", type=int, default=TURNS, help=f"turns a second ({TURNS})")
    chosen = parser.parse_args()
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with running() as site:
        return asyncio.run(asyncio.wait_for(measure(site, chosen.streams, chosen.turns), LONGEST))


@contextmanager
def running() -> Iterator[Stack]:
    """Start the process that holds streams, over a database of its own."""
    server, broker = find_postgresql(), start_redis()
    if server is None or broker is None:
        sys.exit("benchmarks.live needs PostgreSQL and Redis")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="gravity-bench-")))
        stack.callback(broker.stop)
        url = stack.enter_context(new_database(server))
        quiet = {"LOG_LEVEL": "WARNING"}
        site = Stack(folder, url, f"{broker.url}/0", "smtp://localhost", folder / "static", quiet)
        site.migrate()
        site.start("live")
        stack.callback(site.stop_all)
        wait_until(lambda: site.is_healthy("live"), what="the server of streams")
        yield site


async def measure(site: Stack, streams: int, rate: int) -> int:
    """Open the streams, let turns be played, and print what came when."""
    live = site.processes["live"].pid
    players = [await start_player(site, f"p{number}", streams, rate) for number in range(PLAYERS)]
    listeners = [one for part in await answers(players) for one in part]
    empty, began = kilobytes(live), time.monotonic()
    opened = await open_streams(site.live_port, listeners)
    print(f"{len(opened):,} streams began in {time.monotonic() - began:.1f} s", end=", ")
    print(f"and take {(kilobytes(live) - empty) / len(opened):.0f} kB each")
    spent, busy, began = processor_seconds(live), busy_seconds(), time.monotonic()
    for player in players:
        assert player.stdin is not None
        player.stdin.write(b"\n")
    told = [one for part in await answers(players) for one in part]
    took = time.monotonic() - began
    spent, busy = processor_seconds(live) - spent, busy_seconds() - busy
    await asyncio.sleep(LINGERS)
    print(f"{len(told):,} turns were played, {len(told) / took:.0f} a second")
    print(
        f"the process takes {kilobytes(live) / 1000:.0f} MB and {spent / took:.0%} of a processor meanwhile", end=", "
    )
    print(f"all processes {busy / took:.0%} of {os.cpu_count()}")
    return judge(waits(told, opened))


async def start_player(site: Stack, name: str, streams: int, rate: int) -> Process:
    """Start one of the processes that play, with its share of the games, of idle people and of turns."""
    share = GAMES // PLAYERS, streams // PLAYERS - 2 * GAMES // PLAYERS, rate / PLAYERS, SECONDS
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "benchmarks.live_turns", name, *map(str, share)),
        cwd=ROOT,
        env=site.environment("web"),
        stdin=PIPE,
        stdout=PIPE,
        limit=1 << 24,
    )


async def answers(players: Sequence[Process]) -> list[Any]:
    """Return what each of the processes says next."""
    said = await asyncio.gather(*(player.stdout.readline() for player in players if player.stdout is not None))
    return [json.loads(line) for line in said]


class Stream(asyncio.Protocol):
    """A stream that somebody holds open, with when it was told of which version of ``game``."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.heard: list[tuple[int, float]] = []
        self.begins = asyncio.get_running_loop().create_future()
        self._rest = b""

    def data_received(self, data: bytes) -> None:
        """Read what came."""
        now = time.monotonic()
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            if line.startswith(b"data: "):
                event = json.loads(line.removeprefix(b"data: "))
                if event["game"] == self.game:
                    self.heard.append((event["version"], now))
            elif line.startswith(b"retry: ") and not self.begins.done():
                self.begins.set_result(None)

    def connection_lost(self, exc: Exception | None) -> None:
        """End the measurement: no stream is over before it is."""
        if not self.begins.done():
            self.begins.set_exception(exc or ConnectionError(self._rest[:200]))


async def open_streams(port: int, listeners: Sequence[tuple[str, str, str]]) -> list[Stream]:
    """Open a stream for each (session, path, game), all at once; return them once they have begun."""
    loop = asyncio.get_running_loop()

    async def open_one(session: str, path: str, game: str) -> Stream:
        lines = (
            f"GET {path} HTTP/1.1",
            f"Host: {SITE_HOST}",
            "X-Forwarded-Proto: https",
            f"Cookie: sessionid={session}",
        )
        transport, stream = await loop.create_connection(lambda: Stream(game), HOST, port)
        transport.write("\r\n".join([*lines, "X-Forwarded-For: 203.0.113.7", "", ""]).encode())
        await stream.begins
        return stream

    return await asyncio.gather(*(open_one(*one) for one in listeners))


def waits(told: Sequence[tuple[str, int, float]], streams: Sequence[Stream]) -> list[float]:
    """Return, of each version and each stream of its game, the seconds from its commit to it or a later one."""
    of_games: dict[str, list[Stream]] = {}
    for stream in streams:
        of_games.setdefault(stream.game, []).append(stream)
    return [
        min((heard for later, heard in stream.heard if later >= version), default=inf) - at
        for game, version, at in told
        for stream in of_games[game]
    ]


def judge(waited: Sequence[float]) -> int:
    """Print how long events took to come; return whether that is too long, as a status."""
    hundredths = quantiles(waited, n=100)
    late = hundredths[98]
    print(
        f"from commit to event: {1000 * hundredths[49]:.0f} ms in the middle, {1000 * late:.0f} ms for 99 of", end=" "
    )
    print(f"100, {1000 * max(waited):.0f} ms at most ({len(waited):,} events); the aim is 99 in {1000 * MOST:.0f} ms")
    return 0 if late < MOST and max(waited) < inf else 1


def kilobytes(process: int) -> int:
    """Return the memory that a process has to itself or shares, in kilobytes."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))


def processor_seconds(process: int) -> float:
    """Return the processor time that a process has had."""
    _name, _end, rest = Path(f"/proc/{process}/stat").read_text().rpartition(") ")
    user, system = rest.split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def busy_seconds() -> float:
    """Return the time that all processors together have been busy."""
    user, nice, system, _idle, _waiting, *interrupts = map(int, Path("/proc/stat").read_text().split(maxsplit=9)[1:9])
    return (user + nice + system + sum(interrupts)) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    sys.exit(main())
