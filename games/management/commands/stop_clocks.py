"""Stop the clocks of all games, for maintenance."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from accounts.audit import add_staff_arguments, staff_of
from games import commands
from games.log.record import write_instant


class Command(BaseCommand):
    help = "Stops the clocks of all games until start_clocks, for maintenance. Turns can still be played."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_staff_arguments(parser)

    def handle(self, **options: Any) -> None:
        pause = commands.stop_clocks(now=timezone.now(), staff=staff_of(options))
        self.stdout.write(f"all clocks stand still since {write_instant(pause.start)}")
