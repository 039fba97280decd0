"""Make games again from JSON lines."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from games.commands.import_game import ImportRefusedError, import_game


class Command(BaseCommand):
    help = (
        "Stores the games of a file that export_games wrote. Each log is replayed and its chain checked. "
        "A game that is stored already is left alone; one that can't be stored is named, and the exit status is 1. "
        "A person is who has the name and the address of the one who played."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="a file of JSON lines, or - for the standard input")
        parser.add_argument(
            "--without-people", action="store_true", help="leave seats whose person has no account here to nobody"
        )

        parser.add_argument(
            "--people", type=Path, metavar="FILE", help="a JSON object that gives the address of a person for each name"
        )

    def handle(self, *, file: Path, without_people: bool, people: Path | None, **_options: Any) -> None:
        addresses: dict[str, str] = {} if people is None else json.loads(people.read_text(encoding="utf-8"))
        stored = known = refused = 0
        with sys.stdin if str(file) == "-" else file.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                try:
                    fresh = import_game(_read(line), without_people=without_people, known=addresses, now=timezone.now())
                except ImportRefusedError as error:
                    self.stdout.write(f"line {number}: {error}")
                    refused += 1
                else:
                    stored += fresh
                    known += not fresh
        self.stdout.write(f"{stored} games stored, {known} there already, {refused} refused")
        if refused:
            raise SystemExit(1)


def _read(line: str) -> dict[str, Any]:
    try:
        document = json.loads(line)
    except ValueError as error:
        raise ImportRefusedError("this is no JSON") from error
    if not isinstance(document, dict):
        raise ImportRefusedError("this is no JSON object")
    return document
