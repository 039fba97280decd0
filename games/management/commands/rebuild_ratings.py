"""Compute all ratings anew from the results of games."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from games.commands.rebuild_ratings import check_ratings, rebuild_ratings


class Command(BaseCommand):
    help = (
        "Computes all ratings, each change of one, the months of leaderboards and the turns played in time anew from "
        "the results and logs of games, and stores what was another. Games that end meanwhile are rated afterwards."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="change nothing; name the first row that is another, and exit with 1"
        )

    def handle(self, *, check: bool, **_options: Any) -> None:
        if not check:
            self.stdout.write(f"ratings computed anew, {rebuild_ratings(now=timezone.now())} rows were others")
            return
        difference = check_ratings(now=timezone.now())
        self.stdout.write(difference or "all ratings follow from the results, to the last digit")
        if difference:
            raise SystemExit(1)
