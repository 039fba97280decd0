"""Give the player who is to move more time."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from accounts.audit import add_staff_arguments, staff_of
from games import commands
from games.errors import GameError
from games.log.record import write_instant


class Command(BaseCommand):
    help = "Gives the open turn of a game more time; the players see it in the game's log."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", help="the key of the game: the last part of its address")
        parser.add_argument("minutes", type=int, help="how many minutes more")
        add_staff_arguments(parser)

    def handle(self, *, game: str, minutes: int, **options: Any) -> None:
        if minutes <= 0:
            raise CommandError("Time can be given, not taken.")
        try:
            changed = commands.give_time(
                game_key=game, seconds=60 * minutes, now=timezone.now(), staff=staff_of(options)
            )
        except GameError as error:
            raise CommandError(f"Game {game}: {error.code.value}") from error
        ends = "stands still" if changed.deadline is None else f"ends at {write_instant(changed.deadline)}"
        self.stdout.write(f"game {game}: the turn {ends}")
