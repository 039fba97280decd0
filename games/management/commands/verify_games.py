"""Replay every log and compare it with what is stored beside it."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from games.commands.rebuild_game import rebuild_game, verify_game
from games.models import Game


class Command(BaseCommand):
    help = "Replays every game's log and compares chain, positions and derived columns: a line for each difference."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("keys", nargs="*", metavar="KEY", help="only these games")
        parser.add_argument("--rebuild", action="store_true", help="drop and rebuild all that is derived from the logs")

    def handle(self, *, keys: list[str], rebuild: bool, **_options: Any) -> None:
        games = Game.objects.filter(setup__isnull=False).order_by("pk")
        if keys:
            games = games.filter(key__in=keys)
        count = different = 0
        for key in games.values_list("key", flat=True).iterator():
            lines = rebuild_game(game_key=key, now=timezone.now()) if rebuild else verify_game(game_key=key)
            for line in lines:
                self.stdout.write(f"{key}: {line}")
            count += 1
            different += bool(lines)
        self.stdout.write(f"{count} games replayed, {different} with differences")
        if different:
            raise SystemExit(1)
