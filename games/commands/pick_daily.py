"""Choosing the puzzle of a day."""

from datetime import date
from random import Random
from typing import Final

from django.db import IntegrityError, transaction

from games.models import DailyPuzzle, Puzzle

MODERATE: Final = (900, 1500)
"""The ratings that a daily puzzle has, where there are such."""
AMONG: Final = 20
"""Of so many that fewest people have tried one is drawn."""
ATTEMPTS: Final = 3


def pick_daily(*, day: date, rng: Random) -> DailyPuzzle | None:
    """Return the puzzle of a day, chosen now unless it was before; None where all have been daily puzzles.

    Whoever chooses at the same time gets the same one.
    """
    for _attempt in range(ATTEMPTS):
        found = DailyPuzzle.objects.filter(date=day).first()
        if found is not None:
            return found
        puzzle = _draw(rng)
        if puzzle is None:
            return None
        try:
            with transaction.atomic():
                return DailyPuzzle.objects.create(date=day, puzzle=puzzle)
        except IntegrityError:  # somebody was faster, or took the puzzle for another day
            continue
    return DailyPuzzle.objects.filter(date=day).first()


def _draw(rng: Random) -> Puzzle | None:
    unused = Puzzle.objects.filter(daily=None).order_by("attempts", "pk")
    least, most = MODERATE
    for rows in (unused.filter(rating__gte=least, rating__lte=most), unused):
        if chosen := list(rows[:AMONG]):
            return rng.choice(chosen)
    return None
