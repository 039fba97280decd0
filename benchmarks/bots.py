"""How many turns computer players play a minute: ``python -m benchmarks.bots``.

First by the engine alone, each level at tables of two and of six, on one core; two cores play twice as many. Then
through the site, on a PostgreSQL of its own (``DATABASE_URL`` says on which server) and a Redis (``REDIS_URL``), by a
worker of two processes: tables of six, and meanwhile a person in another game, who waits for the answer to each turn.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time
from random import Random

from benchmarks.sweep import ROOT, SERVER, site_database
from engine.gravity import Gravity
from engine.gravity.state import State

GRAVITY = Gravity()
POSITIONS = 12
REDIS = "redis://127.0.0.1:6379/9"


def main() -> int:
    """Print the figures; return the status of the part that needs servers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--level", default="nova:4", help="who plays through the site (nova:4)")
    parser.add_argument("--engine-only", action="store_true")
    chosen = parser.parse_args()
    print(f"{'turns a minute on two cores':<30}{'2 players':>12}{'6 players':>12}{'slowest turn':>16}")
    for bot in (GRAVITY.autopilot, *GRAVITY.bots):
        taken = [measure(bot, positions(seats)) for seats in (2, 6)]
        rates = "".join(f"{2 * 60 / statistics.fmean(times):>12,.0f}" for times in taken)
        print(f"{bot:<30}{rates}{1000 * max(map(max, taken)):>13,.0f} ms")
    if chosen.engine_only:
        return 0
    server = os.environ.get("DATABASE_URL", SERVER)
    with site_database(server if server.startswith("postgres") else SERVER):
        environment = {**os.environ, "REDIS_URL": os.environ.get("REDIS_URL", REDIS)}
        command = [sys.executable, "-m", "benchmarks.bot_turns", chosen.level]
        return subprocess.run(command, check=False, cwd=ROOT, env=environment).returncode


def positions(seats: int) -> list[State]:
    """Return positions spread over a game."""
    rng = Random(seats)
    state, passed = GRAVITY.set_up([""] * seats, {}, rng), []
    while not state.finished:
        passed.append(state)
        state = GRAVITY.apply_turn(state, GRAVITY.choose_turn(GRAVITY.autopilot, state, rng)).state
    return passed[:: max(1, len(passed) // POSITIONS)][:POSITIONS]


def measure(bot: str, among: list[State]) -> list[float]:
    """Return the seconds of processor time that a player takes in each position."""
    rng, taken = Random(1), []
    for state in among:
        began = time.process_time()
        GRAVITY.choose_turn(bot, state, rng)
        taken.append(time.process_time() - began)
    return taken


if __name__ == "__main__":
    sys.exit(main())
