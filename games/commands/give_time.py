"""Giving the player who is to move more time, for the staff."""

from datetime import datetime

from django.db import transaction

from accounts.audit import Staff, record
from accounts.models import StaffAct
from games.commands._clocks import add_remark, move_deadline
from games.commands._lock import lock_game, save_change
from games.errors import GameCode, GameError
from games.log.table import next_actor
from games.models import Game
from games.models.choices import RemarkKind
from games.notices.facts import MovedBy
from games.timing.deadlines import CLOCK_COLUMNS, DUE_COLUMNS


@transaction.atomic(durable=True)
def give_time(*, game_key: str, seconds: int, now: datetime, staff: Staff | None = None) -> Game:
    """Give the open turn of a game so many seconds more, as a visible event.

    Players read the public reason of the ``staff``. Raises `GameError`: ``no-such-game``, ``not-running`` where no
    person's turn is open.
    """
    game = lock_game(key=game_key)
    seat = next_actor(game)
    if seat is None or seat.since is None:
        raise GameError(GameCode.NOT_RUNNING)
    seat.allowance += seconds
    seat.save(update_fields=CLOCK_COLUMNS)
    staff = staff or Staff.operator()
    add_remark(game, RemarkKind.TIME_GIVEN, now, seat=seat.number, seconds=seconds, **staff.told)
    record(staff, StaffAct.GIVE_TIME, now, person=seat.user_id, game=game.key, said=staff.public_why, seconds=seconds)
    move_deadline(game, MovedBy.GIVEN, now)
    save_change(game, *DUE_COLUMNS)
    return game
