"""``manage.py recount_results``: what finished games came to, counted anew from their logs."""

from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand

from games import commands
from games.models import Game
from games.models.choices import Status


class Command(BaseCommand):
    """Counts every finished game again, or with ``--missing`` those that were not counted yet."""

    help = "Count up again what all finished games came to: results, careers, head-to-heads, what games are found by."

    def add_arguments(self, parser: Any) -> None:
        """Take ``--missing``."""
        parser.add_argument("--missing", action="store_true", help="only games that were not counted yet")

    def handle(self, *_args: object, missing: bool, **_options: object) -> None:
        """Count game by game: it may be ended at any moment, and workers go on from there."""
        if not missing:
            commands.forget_results()
        counted = failed = 0
        for pk in _uncounted():
            try:
                counted += commands.tally_game(game_id=pk)
            except Exception as error:  # noqa: BLE001 - one game must not keep the others from being counted
                failed += 1
                self.stderr.write(f"game {pk}: {type(error).__name__}: {error}")
        self.stdout.write(f"{counted} games counted, {failed} failed")


def _uncounted() -> Iterator[int]:
    games = Game.objects.filter(status=Status.FINISHED, is_tallied=False).order_by("pk")
    return games.values_list("pk", flat=True).iterator()
