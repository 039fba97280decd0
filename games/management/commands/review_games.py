"""``manage.py review_games``: reviews of finished games, made anew by what judges turns today."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from engine.rulesets import RULESETS
from games import commands
from games.models import Game, Review
from games.models.choices import Status


class Command(BaseCommand):
    """Asks for the reviews of the games that are named, or with ``--older`` of all that an older version reviewed."""

    help = "Make the reviews of finished games anew: workers do it, turn by turn, while nothing else waits."

    def add_arguments(self, parser: Any) -> None:
        """Take keys of games and ``--older``."""
        parser.add_argument("keys", nargs="*", metavar="KEY", help="the key of a finished game")
        parser.add_argument("--older", action="store_true", help="every game that an older version has reviewed")

    def handle(self, *_args: object, keys: list[str], older: bool, **_options: object) -> None:
        """Ask game by game: it may be ended at any moment."""
        found = dict(Game.objects.filter(key__in=keys, status=Status.FINISHED).values_list("key", "pk"))
        if missing := sorted(set(keys) - found.keys()):
            raise CommandError(f"no finished game: {', '.join(missing)}")
        games = set(found.values())
        if older:
            for name, rules in RULESETS.items():
                reviews = Review.objects.filter(game__ruleset=name).exclude(model=rules.judge)
                games |= set(reviews.values_list("game", flat=True))
        for game_id in sorted(games):
            commands.review_again(game_id=game_id, now=timezone.now())
        self.stdout.write(f"{len(games)} reviews asked for")
