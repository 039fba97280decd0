"""``manage.py make_puzzles``: finds puzzles in finished games, in games between computer players, or in a file."""

import json
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from engine.errors import RulesError
from engine.rulesets import RULESETS
from games import commands
from games.models import Puzzle


class Command(BaseCommand):
    """Makes puzzles; it may be stopped at any moment, and goes on where it was."""

    help = (
        "Look for puzzles in the finished games that anyone may watch, from where the last search stopped; or in games "
        "between computer players. What is easy, or about nothing, is left out."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take where to look, and how far."""
        parser.add_argument(
            "--starters", action="store_true", help="store those that come with the site, and no others"
        )
        parser.add_argument("--selfplay", type=int, metavar="N", help="play N games between computer players instead")
        parser.add_argument("--ruleset", choices=RULESETS, default=next(iter(RULESETS)), help="what they are games of")
        parser.add_argument("--players", type=int, default=2, help="their seats (default: 2)")
        parser.add_argument("--options", type=json.loads, default={}, metavar="JSON", help="their options")
        parser.add_argument("--seed", type=int, default=1, help="the number of the first one (default: 1)")
        parser.add_argument("--playouts", type=int, default=commands.PLAYOUTS, help="how far the search looks")
        parser.add_argument("--per-game", type=int, default=commands.PER_GAME, help="the most puzzles of a stored game")
        parser.add_argument("--minutes", type=float, help="stop looking in stored games after so long")
        parser.add_argument("--anew", action="store_true", help="begin with the stored game that ended first")

    def handle(self, *_args: object, verbosity: int, **options: Any) -> None:
        """Print each puzzle as it is found, and how many there were."""
        if options["starters"]:
            found = commands.add_starters(now=timezone.now())
        elif options["selfplay"]:
            found = self._self_play(options)
        else:
            found = self._stored_games(options)
        count = 0
        for puzzle in found:
            count += 1
            if verbosity > 0:
                themes = ", ".join(puzzle.content["themes"])
                self.stdout.write(f"puzzle {puzzle.pk}: {puzzle.players} players, {round(puzzle.rating)}, {themes}")
        if verbosity > 0:
            self.stdout.write(f"{count} new puzzles")

    def _self_play(self, options: dict[str, Any]) -> Iterator[Puzzle]:
        ruleset = options["ruleset"]
        if options["players"] not in RULESETS[ruleset].seats:
            raise CommandError("not a number of players that the game is for")
        for seed in range(options["seed"], options["seed"] + options["selfplay"]):
            try:
                yield from commands.search_self_play(
                    ruleset=ruleset,
                    size=options["players"],
                    options=options["options"],
                    seed=seed,
                    playouts=options["playouts"],
                    now=timezone.now(),
                )
            except RulesError as error:
                raise CommandError(f"the game can't be played with these options: {error.code}") from error

    def _stored_games(self, options: dict[str, Any]) -> Iterator[Puzzle]:
        began, minutes = time.monotonic(), options["minutes"]

        def goes_on() -> bool:
            commands.hold_sweep(name=commands.SEARCH, lease=commands.SEARCH_LEASE, now=timezone.now())
            return minutes is None or time.monotonic() - began < 60 * minutes

        if not commands.begin_sweep(name=commands.SEARCH, lease=commands.SEARCH_LEASE, now=timezone.now()):
            raise CommandError("another search is at work")
        try:
            if options["anew"]:
                commands.search_anew()
            yield from commands.search_games(
                playouts=options["playouts"],
                per_game=options["per_game"],
                now=timezone.now(),
                goes_on=goes_on,
            )
        finally:
            commands.end_sweep(name=commands.SEARCH)
