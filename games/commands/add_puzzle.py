"""Keeping a puzzle that was found, unless its position is one already."""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from django.db import transaction

from games.models import Puzzle, PuzzleSource, PuzzleTheme

STARTERS: Final = Path(__file__).resolve().parents[1] / "data" / "puzzles.jsonl"
"""The puzzles that a site has from the first minute: found by the engine in games between computer players."""


def is_worth_it(written: Mapping[str, Any]) -> bool:
    """Return whether people should get what `engine.puzzles.write_puzzle` wrote: not easy, and about something."""
    return not written["easy"] and bool(written["themes"])


def digest_of(written: Mapping[str, Any]) -> str:
    """Return what tells positions apart: nobody's names, and none of what is claimed."""
    position = {name: written[name] for name in ("ruleset", "setup", "position", "seat")}
    return sha256(json.dumps(position, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


@transaction.atomic(durable=True)
def add_puzzle(*, written: Mapping[str, Any], source: PuzzleSource, now: datetime) -> Puzzle | None:
    """Return a new puzzle; None for one that is not worth it, or whose position is there."""
    if not is_worth_it(written):
        return None
    puzzle, is_new = Puzzle.objects.get_or_create(
        digest=digest_of(written),
        defaults={
            "ruleset": written["ruleset"],
            "content": dict(written),
            "players": len(written["setup"]["players"]),
            "source": source,
            "made_at": now,
            "rating": written["rating"],
        },
    )
    if not is_new:
        return None
    PuzzleTheme.objects.bulk_create(PuzzleTheme(puzzle=puzzle, theme=theme) for theme in written["themes"])
    return puzzle


def add_starters(*, now: datetime) -> Iterator[Puzzle]:
    """Store the puzzles that come with the site and are not there yet, and yield them: one query where all are."""
    lines = map(json.loads, STARTERS.read_text(encoding="utf-8").splitlines())
    found = {digest_of(written): written for written in lines}
    known = set(Puzzle.objects.filter(digest__in=found).values_list("digest", flat=True))
    for digest, written in found.items():
        puzzle = None if digest in known else add_puzzle(written=written, source=PuzzleSource.SELF_PLAY, now=now)
        if puzzle is not None:
            yield puzzle
