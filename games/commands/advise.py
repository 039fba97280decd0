"""Showing a person a good turn: it is asked for, a worker thinks of it, and it is kept for a day.

It is no part of the game and changes nothing of it, so it is kept in the cache alone, by the entry that it follows.
"""

import time
from typing import Final

from django.core.cache import cache

from accounts.nudge import nudge

ADVISE: Final = "games.advise"
KEPT: Final = 24 * 60 * 60
"""Seconds for which a turn that was thought of can be looked at."""
GIVEN_UP: Final = 30.0
"""Seconds after which one that was asked for may be asked for again."""


def ask_advice(*, game_id: int, seq: int) -> None:
    """Ask a worker for a good turn after entry ``seq``, unless it was asked for a moment ago or is there."""
    known = cache.get(_key(game_id, seq))
    if known is None or (isinstance(known, float) and time.time() - known > GIVEN_UP):
        cache.set(_key(game_id, seq), time.time(), KEPT)
        nudge(ADVISE, expires=GIVEN_UP, game_id=game_id, seq=seq)


def keep_advice(*, game_id: int, seq: int, turn: str) -> None:
    """Keep a good turn after entry ``seq``."""
    cache.set(_key(game_id, seq), turn, KEPT)


def find_advice(*, game_id: int, seq: int) -> tuple[str, bool]:
    """Return a good turn after entry ``seq``, empty if there is none yet, and whether one is being thought of."""
    known = cache.get(_key(game_id, seq))
    if isinstance(known, str):
        return known, False
    return "", known is not None and time.time() - known < GIVEN_UP


def _key(game_id: int, seq: int) -> str:
    return f"{ADVISE}:{game_id}:{seq}"
