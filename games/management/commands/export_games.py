"""Write games as JSON lines."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, TextIO

from django.core.management.base import BaseCommand
from django.db import transaction

from games.commands._lock import lock_game
from games.commands._running_outage import last_sign_of_life
from games.log.backup import write_game
from games.log.table import ENDED
from games.models import Game


class Command(BaseCommand):
    help = (
        "Writes every game, or those named, as one JSON line each, from which import_games makes them again. "
        "Running games are written with their hidden cards: keep the file to yourself, or take --ended."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("keys", nargs="*", metavar="KEY", help="only these games")
        parser.add_argument("--ended", action="store_true", help="only games in which nothing is hidden any more")
        parser.add_argument("--output", type=Path, metavar="FILE", help="instead of the standard output")

    def handle(self, *, keys: list[str], ended: bool, output: Path | None, **_options: Any) -> None:
        games = Game.objects.order_by("pk")
        if keys:
            games = games.filter(key__in=keys)
        if ended:
            games = games.filter(status__in=ENDED)
        chosen = list(games.values_list("key", flat=True))
        if output is None:
            self._write(chosen, self.stdout)  # type: ignore[arg-type]
            return
        fresh = output.with_name(f"{output.name}.part")
        fresh.touch(mode=0o600)
        with fresh.open("w", encoding="utf-8") as file:
            self._write(chosen, file)
        fresh.replace(output)

    def _write(self, keys: list[str], file: TextIO) -> None:
        for key in keys:
            with transaction.atomic():
                document = write_game(lock_game(key=key), last_sign_of_life())
            file.write(f"{json.dumps(document, ensure_ascii=False, separators=(',', ':'))}\n")
        sys.stderr.write(f"{len(keys)} games written\n")
