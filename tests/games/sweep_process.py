"""A process of the site that ends turns, or plays them, at a given instant: ``python -m tests.games.sweep_process``."""

import os
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Final

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gravitysite.settings")
django.setup()

from django.db import connection  # noqa: E402
from django.utils import timezone  # noqa: E402 - after the set-up

from accounts.models import User  # noqa: E402
from games import commands  # noqa: E402
from games.clock import custom  # noqa: E402
from games.errors import Stale  # noqa: E402
from games.models import Game  # noqa: E402
from games.queries import due  # noqa: E402
from games.tasks.sweep import sweep_clocks  # noqa: E402


def fill(count: str) -> str:
    """Start so many games of two new people whose first turn is overdue, and say that a sweep has just been there."""
    began = timezone.now() - timedelta(hours=2)
    people = User.objects.count()
    ada, bo = (
        User.objects.create_user(f"{name}{people}@example.org", display_name=f"{name} {people}")
        for name in ("Ada", "Bo")
    )
    for _game in range(int(count)):
        game = commands.create_game(
            user=ada,
            ruleset="gravity-1",
            size=2,
            options={},
            public=True,
            bots=[],
            now=began,
            time_control=custom(3600),  # so that no second turn runs out, however slow the machine
        )
        commands.join_game(game_key=game.key, user=bo, now=began)
    commands.beat(name=due.CLOCKS, now=timezone.now())
    return "ok"


def sweep(seed: str) -> str:
    """Sweep once and return how many turns were ended."""
    return str(sweep_clocks(now=timezone.now(), rng=Random(seed)))


def play(_seed: str) -> str:
    """Try to play the first turn of each game, those that are due first, and return how many were played."""
    played = 0
    for game in Game.objects.filter(seq=0).order_by("deadline").prefetch_related("seats__user"):
        user = game.seats.get(number=game.to_move).user
        assert user is not None
        try:
            commands.play_turn(game_key=game.key, user=user, seq=0, turn="R+", now=timezone.now())
        except Stale:
            continue
        played += 1
    return str(played)


VERBS: Final[dict[str, Callable[[str], str]]] = {"fill": fill, "sweep": sweep, "play": play}

if __name__ == "__main__":
    verb, argument, *instant = sys.argv[1:]
    if instant:
        time.sleep(max(0.0, float(instant[0]) - time.time()))
    print("go", flush=True)  # noqa: T201 - what the test waits for
    connection.cursor().execute("SET lock_timeout = 0")  # the test holds locks while it starts processes
    print(VERBS[verb](argument))  # noqa: T201 - what the test reads
