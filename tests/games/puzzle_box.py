"""Puzzles for tests: positions made by hand in which a star by the wall wins the game with its last turn, and no other.

Each is another position; what is no solution loses all chances, so that a search finds that at once.
"""

from datetime import datetime
from functools import cache
from random import Random
from typing import Any, Final

from engine.gravity.puzzles import find
from engine.puzzles import write_puzzle
from engine.rulesets import RULESETS
from games import commands
from games.models import Puzzle, PuzzleSource
from tests.engine.play import with_seat
from tests.engine.test_puzzles import SHORT, to_win
from tests.flows.play import NOW

LOOT: Final = ("p3g2o1", "p2g3o1", "p1g2o3", "p2g1o3", "p3g1o2", "p1g3o2")
BEST: Final = "S<(D)"
WRONG: Final = "S>(D)"
"""Turns that solve each of them, and that do not."""


@cache
def written(number: int = 0) -> dict[str, Any]:
    """Return what the engine writes of a puzzle."""
    state = with_seat(to_win((1, 5)), 1, loot=LOOT[number])
    found = find(state, Random(1), SHORT)
    assert found is not None
    return {**write_puzzle(RULESETS["gravity-1"], state, found), "easy": False}


def make_puzzle(number: int = 0, *, now: datetime = NOW, rating: float | None = None) -> Puzzle:
    """Store a puzzle."""
    puzzle = commands.add_puzzle(written=written(number), source=PuzzleSource.SELF_PLAY, now=now)
    assert puzzle is not None
    if rating is not None:
        Puzzle.objects.filter(pk=puzzle.pk).update(rating=rating)
        puzzle.refresh_from_db()
    return puzzle
