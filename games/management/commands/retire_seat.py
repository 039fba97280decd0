"""Put a seat out of a running game."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from accounts.audit import add_staff_arguments, staff_of
from engine.errors import RulesError
from games import commands
from games.errors import GameError
from games.models.choices import Actor, Reason


class Command(BaseCommand):
    help = "Puts a seat out of a running game, for good: it ranks last, and the others play on."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", help="the key of the game: the last part of its address")
        parser.add_argument("seat", type=int, help="the number of the seat, from 1")
        add_staff_arguments(parser)

    def handle(self, *, game: str, seat: int, **options: Any) -> None:
        try:
            entry = commands.retire_seat(
                game_key=game,
                seat=seat,
                reason=Reason.REMOVED,
                by=Actor.STAFF,
                now=timezone.now(),
                staff=staff_of(options),
            )
        except (GameError, RulesError) as error:
            raise CommandError(f"Game {game}, seat {seat}: {error.code.value}") from error
        self.stdout.write(f"game {game}: seat {seat} {'had left already' if entry is None else 'is out'}")
