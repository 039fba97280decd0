"""The site beside boardgame.io with PostgreSQL, each against a floor of its own kind: ``python -m benchmarks.peer``.

One process a server, and eight clients that wait for each answer, all measured in turn in one run, as in
`benchmarks.http`. A turn of boardgame.io goes over a WebSocket and is answered by the new state before it is stored;
nobody's session is looked at. It is stored by the leanest store that there can be (``store.js``), and by the package
that its users have. Its floor is a bare Koa that stores a turn and answers a page of 10 kB.
"""

import argparse
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.http import CLIENTS, SPARE, Player, measure, running, together
from benchmarks.peer.client import Match
from tests.services import HOST, free_port, wait_until

FOLDER: Final = Path(__file__).parent
INSTALLED: Final = FOLDER / "node_modules" / ".package-lock.json"
NODE: Final = 20
FLOORS: Final = {
    "redirect": "our floor",
    "fresh board": "our floor",
    "its turn": "its floor",
    "packaged": "its floor",
}
"""Each kind of turn with the floor that it stands on."""
MEANING: Final = {
    "redirect": "a turn without script, answered by a redirect to the page",
    "fresh board": "a turn, answered by the fresh board",
    "its turn": "a turn of boardgame.io with the leanest store, answered by the new state",
    "packaged": "the same with bgio-postgres",
}


def main() -> int:
    """Print the figures, or what is lacking to get them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each kind (5)")
    parser.add_argument("--turns", type=int, default=60, help="turns of one client in a round (60)")
    options = parser.parse_args()
    if lacking := what_is_lacking():
        print(f"boardgame.io beside the site: {lacking}")
        return 0
    rates = measure_rounds(options.rounds, options.turns)
    for floor in ("our floor", "its floor"):
        print(f"{floor:12} {median(rates[floor]):6.0f} requests/s")
        for name in (name for name, beneath in FLOORS.items() if beneath == floor):
            print(f"{name:12} {median(rates[name]):6.0f} turns/s, {ratio(rates, name, floor)}: {MEANING[name]}")
    for name in ("its turn", "packaged"):
        print(f"{name:12} {ratio(rates, name, 'our floor')}, {ratio(rates, name, 'redirect')}")
    return 0


def ratio(rates: dict[str, list[float]], name: str, beside: str) -> str:
    """Return the median of the ratios of all rounds, in words."""
    share = median(a / b for a, b in zip(rates[name], rates[beside], strict=True))
    return f"{share:.0%} of {'the ' if beside == 'redirect' else ''}{beside}"


def measure_rounds(rounds: int, turns: int) -> dict[str, list[float]]:
    """Return what each kind did a second, round by round; one more round warms up."""
    rates: dict[str, list[float]] = {name: [] for name in (*FLOORS.values(), *FLOORS)}
    with (
        running(games=2 * (rounds + 1) * turns // 20 + SPARE, workers=1) as (site, floor, prepared),
        serving("server.js", site.database_url) as lean,
        serving("server.js", site.database_url, store="bgio-postgres") as packaged,
        serving("floor.js", site.database_url) as bare,
    ):
        players = [Player(games) for games in prepared]
        for number in range(-1, rounds):
            floors = [player.floor(place, turns) for place, player in enumerate(players)]
            done = {
                "our floor": measure(floor.port, floors),
                "redirect": measure(site.port, [player.turns(turns, htmx=False) for player in players]),
                "fresh board": measure(site.port, [player.turns(turns, htmx=True) for player in players]),
                "its floor": measure(bare, floors),
                "its turn": measure_matches(lean, f"round {number}", turns),
                "packaged": measure_matches(packaged, f"round {number}", turns),
            }
            if number >= 0:
                for name, rate in done.items():
                    rates[name].append(rate)
    return rates


def measure_matches(port: int, name: str, turns: int) -> float:
    """Let each client play a match of its own; return turns a second."""
    with ExitStack() as stack:
        matches = [stack.enter_context(Match(port, f"{name}, match {place}")) for place in range(CLIENTS)]
        return together([partial(match.play, turns) for match in matches])


# Node


def what_is_lacking() -> str:
    """Install what the lock names, unless it is there; return what is lacking and how to get it, or nothing."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None or node_version(node) < NODE:
        return f"needs node from {NODE} on with npm (https://nodejs.org)"
    lock = FOLDER / "package-lock.json"
    if INSTALLED.exists() and INSTALLED.stat().st_mtime >= lock.stat().st_mtime:
        return ""
    install = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    done = subprocess.run(install, cwd=FOLDER, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return ""
    reason = next(iter(done.stderr.splitlines()), "no word of why")
    return f"needs what benchmarks/peer/package-lock.json names, and `npm ci` could not get it ({reason})"


def node_version(node: str) -> int:
    """Return the first number of node's version, 0 if it does not run."""
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"v(\d+)\.", said)
    return int(found[1]) if found else 0


@contextmanager
def serving(program: str, database_url: str, store: str = "") -> Iterator[int]:
    """Run one of the two servers as one process; give its port."""
    port = free_port()
    environment = {
        **os.environ,
        "NODE_ENV": "production",
        "DATABASE_URL": database_url,
        "PORT": str(port),
        "STORE": store,
    }
    process = subprocess.Popen(["node", program], cwd=FOLDER, env=environment, stdout=subprocess.DEVNULL)
    try:
        wait_until(lambda: answers(port), what=program)
        yield port
    finally:
        process.kill()
        process.wait()


def answers(port: int) -> bool:
    """Return whether anything listens on a port."""
    with socket.socket() as connection:
        return connection.connect_ex((HOST, port)) == 0


if __name__ == "__main__":
    sys.exit(main())
