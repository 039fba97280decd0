"""Outages: list them, mark one, take one back."""

from argparse import ArgumentParser
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from accounts.audit import add_staff_arguments, staff_of
from games import commands
from games.commands.mark_outage import OutageRefusedError
from games.log.record import write_instant
from games.models import Pause


class Command(BaseCommand):
    help = (
        "Lists the last 20 outages; with --mark the time between two instants counts for nobody, with --undo it does."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        change = parser.add_mutually_exclusive_group()
        change.add_argument("--mark", nargs=2, metavar=("FROM", "TO"), help="two instants: 2026-11-28T09:30, UTC")
        change.add_argument("--undo", type=int, metavar="NUMBER", help="the number of an outage in the list")
        add_staff_arguments(parser)

    def handle(self, *, mark: list[str] | None, undo: int | None, **options: Any) -> None:
        now = timezone.now()
        try:
            if mark is not None:
                start, end = (_read(text) for text in mark)
                commands.mark_outage(start=start, end=end, now=now, staff=staff_of(options))
            elif undo is not None:
                changed = commands.unmark_outage(outage_id=undo, now=now, staff=staff_of(options))
                self.stdout.write(f"taken back in {changed} games")
        except OutageRefusedError as error:
            raise CommandError(str(error)) from error
        for outage in Pause.objects.filter(game=None).order_by("-start", "-pk")[:20]:
            self.stdout.write(_line(outage))


def _read(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise CommandError(f"{text} is no instant: write 2026-11-28T09:30.") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _line(outage: Pause) -> str:
    if outage.end is None:
        return f"{outage.pk}: from {write_instant(outage.start)} on, all clocks stopped by the staff"
    if outage.end == outage.start:
        return f"{outage.pk}: at {write_instant(outage.start)}, taken back"
    state = "given back" if outage.credited else "to be given back by the next sweep"
    return f"{outage.pk}: {write_instant(outage.start)} to {write_instant(outage.end)}, {outage.reason}, {state}"
