"""Leaving a game alone for a while whose turn could not be played."""

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from games.models import Game, Setback

FIRST: Final = timedelta(seconds=10)
LONGEST: Final = timedelta(minutes=30)


@transaction.atomic(durable=True)
def set_back(*, game_id: int, cause: str, now: datetime) -> None:
    """Let the sweeps leave a game alone: for 10 seconds, and each time that its turn fails again for twice as long.

    Half an hour at most. ``cause`` is a word for the staff, which quotes nothing of the game. Safe to call *before* a
    turn is tried, which sees to it that a turn that takes the whole worker with it is not tried again at once. It does
    not lock the game, as whoever failed may have left it locked.
    """
    seq = Game.objects.filter(pk=game_id).values_list("seq", flat=True).first()
    if seq is None:
        return
    known = Setback.objects.filter(game_id=game_id).first()
    attempts = known.attempts + 1 if known is not None and known.seq == seq else 1
    wait = min(FIRST * 2 ** min(attempts - 1, 10), LONGEST)
    told = {"seq": seq, "attempts": attempts, "retry_at": now + wait, "cause": cause[:80]}
    Setback.objects.update_or_create(game_id=game_id, defaults=told)


def forget_setback(*, game_id: int) -> None:
    """Forget that a game's turn could not be played."""
    Setback.objects.filter(game_id=game_id).delete()
