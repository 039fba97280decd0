"""Writing anew whatever is derived from a game's log."""

from datetime import datetime

from django.db import transaction

from engine.errors import RecordError, RulesError
from games.commands._lock import lock_game, save_change
from games.log.columns import GAME_COLUMNS, SEAT_COLUMNS
from games.log.positions import latest_columns, replay
from games.log.seats import seats_of
from games.log.table import next_actor
from games.log.verify import differences
from games.models import Seat
from games.timing.deadlines import CLOCK_COLUMNS, DUE_COLUMNS, derive_due


@transaction.atomic(durable=True)
def rebuild_game(*, game_key: str, now: datetime) -> list[str]:
    """Make a started game's last position and derived columns anew, and return what was different.

    What can't be replayed is left as it is. Of the clock's warnings those after ``now`` are still to come.
    """
    game = lock_game(key=game_key)
    found = list(differences(game))
    try:
        *_before, last = replay(game, game.entries.order_by("seq"))
    except (RulesError, RecordError):
        transaction.set_rollback(True)
        return found
    for seat in seats_of(game):
        if seat != next_actor(game):
            seat.since = None
    derive_due(game, now)
    Seat.objects.bulk_update(seats_of(game), (*SEAT_COLUMNS, *CLOCK_COLUMNS))
    save_change(game, *GAME_COLUMNS, *DUE_COLUMNS, **latest_columns(game, last))
    return found


@transaction.atomic
def verify_game(*, game_key: str) -> list[str]:
    """Return a line for each difference between a started game and its log; nothing is changed.

    The lock keeps the game from moving on meanwhile.
    """
    return list(differences(lock_game(key=game_key)))
