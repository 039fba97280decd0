"""Starting the clock of a running game that has none: one that was imported, or stored before there were clocks."""

from datetime import datetime

from django.db import transaction

from games.commands._clocks import begin_turn, move_deadline
from games.commands._lock import lock_game, save_change
from games.log.table import next_actor
from games.models import Game
from games.notices.facts import MovedBy
from games.timing.deadlines import CLOCK_COLUMNS, DUE_COLUMNS


@transaction.atomic(durable=True)
def start_clock(*, game_id: int, now: datetime) -> Game:
    """Begin the turn of the person who must act, with a full allowance, if their clock does not run.

    If it does, only derive the deadline. Safe to repeat. Raises `GameError` (``no-such-game``).
    """
    game = lock_game(pk=game_id)
    seat = next_actor(game)
    if seat is None or seat.user is None or seat.number is None:
        return game
    if seat.since is None:
        begin_turn(game, now)
        seat.save(update_fields=CLOCK_COLUMNS)
        save_change(game, *DUE_COLUMNS)
    elif move_deadline(game, MovedBy.CALENDAR, now):
        save_change(game, *DUE_COLUMNS)
    return game
