"""``manage.py seed_load``: very many people and games, made up, to measure with."""

import time
from argparse import ArgumentParser
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from accounts.models import User
from games.management.demo import PASSWORD
from games.management.load.fill import Load, fill
from games.models import Game

LEAST_PEOPLE: Final = 40
HEAVY_OF: Final = 10
"""One of so many finished games is of the person who has played most."""
LEAST_GOING_ON: Final = 100
"""So many games are running at least, and open."""
RUNNING_OF, OPEN_OF, LOGGED_OF = 50, 500, 100
"""One of so many games is running, or open; one of so many finished ones has a log."""


class Command(BaseCommand):
    help = (
        "Fills an empty database with people, games and all that follows from them, to measure what pages cost. The "
        "games are copies of a few that the engine plays; only running ones and the newest finished ones have a log. "
        "The same seed makes the same, but for instants, which are counted back from now."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--people", type=int, default=100_000, help="how many people (100,000)")
        parser.add_argument("--games", type=int, default=1_000_000, help="how many finished games (1,000,000)")
        parser.add_argument("--heavy", type=int, help="how many of these are of one person (a tenth)")
        parser.add_argument("--logs", type=int, help="how many of the finished games have a log (a hundredth)")
        parser.add_argument("--seed", type=int, default=1, help="what all is drawn from (1)")
        parser.add_argument("--yes", action="store_true", help="also where DEBUG is off")

    def handle(self, *, people: int, games: int, seed: int, yes: bool, **options: Any) -> None:
        if not (settings.DEBUG or yes):
            raise CommandError("This fills the database with people who do not exist: set DEBUG=1, or say --yes.")
        if User.objects.exists() or Game.objects.exists():
            raise CommandError("There are people or games in this database already: this is for an empty one.")
        if people < LEAST_PEOPLE or games < 1:
            raise CommandError(f"There must be {LEAST_PEOPLE} people and a game at least.")
        heavy, logs = options["heavy"], options["logs"]
        load = Load(
            people=people,
            finished=games,
            of_heavy=games // HEAVY_OF if heavy is None else min(heavy, games),
            running=max(LEAST_GOING_ON, games // RUNNING_OF),
            open=max(LEAST_GOING_ON, games // OPEN_OF),
            with_log=max(1, games // LOGGED_OF) if logs is None else min(logs, games),
            seed=seed,
            password=make_password(PASSWORD) if settings.DEBUG else "",
        )
        began = time.monotonic()
        for done in fill(load, timezone.now() - timedelta(seconds=1)):
            self.stdout.write(f"{time.monotonic() - began:6.0f} s  {done}")
            self.stdout.flush()
