"""The part of `benchmarks.bots` that runs the site: what a worker of two processes plays, and who waits meanwhile."""

import os
import statistics
import subprocess
import sys
import time
from random import Random

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gravitysite.settings")
django.setup()

from django.core.cache import cache  # noqa: E402
from django.utils import timezone  # noqa: E402

from accounts.models import User  # noqa: E402
from engine.rulesets import RULESETS  # noqa: E402
from games import commands  # noqa: E402
from games.log.positions import position_at  # noqa: E402
from games.models import Entry, Game  # noqa: E402
from games.models.choices import Actor, Status  # noqa: E402

RULESET = "gravity-1"
RULES = RULESETS[RULESET]
TABLES = 10
SECONDS = 20.0
STARTS = 90.0
"""Seconds in which the worker must have started."""
WORKER = "--app gravitysite worker --queues bots --concurrency 2 --without-gossip --without-mingle --loglevel ERROR"


def main(bot: str) -> int:
    """Let tables of five computer players play for a while, and a person against one more."""
    cache.clear()
    crowd, ada = (User.objects.create_user(f"{name}@example.org", display_name=name) for name in ("Crowd", "Ada"))
    for seed in range(TABLES):
        create(crowd, [bot] * 5, seed)
    own = create(ada, [bot], TABLES)
    worker = subprocess.Popen([sys.executable, "-m", "celery", *WORKER.split()])
    try:
        wait_for(worker)
        before = turns_besides(own)
        waits = play(own, crowd)
    finally:
        worker.terminate()
        worker.wait()
    played = turns_besides(own) - before
    print(f"{TABLES} tables of six, {bot}: {60 * played / SECONDS:,.0f} turns a minute through the queue")
    print(
        f"a person in another game waits for the answer {statistics.median(waits):.2f} s (median of {len(waits)}),"
        f" {max(waits):.2f} s at most"
    )
    return 0 if played else 1


def turns_besides(own: Game) -> int:
    """Return how many turns computer players have played in other games."""
    return Entry.objects.filter(by=Actor.BOT).exclude(game=own).count()


def wait_for(worker: "subprocess.Popen[bytes]") -> None:
    """Wait until the worker plays."""
    give_up = time.monotonic() + STARTS
    while not Entry.objects.filter(by=Actor.BOT).exists():
        assert worker.poll() is None, "the worker has ended"
        assert time.monotonic() < give_up, "the worker does not play"
        time.sleep(0.1)


def create(user: User, bots: list[str], seed: int) -> Game:
    """Start a game of a person and computer players."""
    terms = {"ruleset": RULESET, "options": {}, "public": False, "now": timezone.now(), "rng": Random(seed)}
    return commands.create_game(user=user, size=len(bots) + 1, bots=bots, **terms)


def play(own: Game, crowd: User) -> list[float]:
    """Play the people's turns as they come; return how long each answer took in the person's own game, in seconds."""
    waits: list[float] = []
    asked, end = 0.0, time.monotonic() + SECONDS
    while time.monotonic() < end:
        own.refresh_from_db()
        if own.status != Status.ACTIVE:
            break
        if not own.bot_to_move:
            if asked:
                waits.append(time.monotonic() - asked)
            asked = time.monotonic()
            play_for_person(own)
        for game in Game.objects.filter(creator=crowd, status=Status.ACTIVE, bot_to_move=False):
            play_for_person(game)
        time.sleep(0.02)
    return waits


def play_for_person(game: Game) -> None:
    """Play the autopilot's turn for the person who is to move."""
    user = game.seats.get(number=game.to_move).user
    turn = RULES.choose_turn(RULES.autopilot, position_at(game, game.seq).state, Random(game.seq))
    commands.play_turn(game_key=game.key, user=user, seq=game.seq, turn=turn, now=timezone.now())


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
