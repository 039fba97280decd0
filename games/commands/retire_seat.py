"""Putting a seat out of a running game."""

from datetime import datetime

from django.db import transaction

from accounts.audit import Staff, record
from accounts.models import StaffAct
from games.commands._append import add_retirement
from games.commands._clocks import add_remark
from games.commands._lock import lock_game
from games.errors import GameCode, GameError
from games.log.seats import seats_of
from games.models import Entry
from games.models.choices import Actor, Reason, RemarkKind, Status


@transaction.atomic(durable=True)
def retire_seat(
    *, game_key: str, seat: int, reason: Reason, by: Actor, now: datetime, staff: Staff | None = None
) -> Entry | None:
    """Retire seat number ``seat`` of a running game; return the entry, or None if it has left already.

    By the staff it is written down, and players read the public reason. Raises `GameError`: ``no-such-game``,
    ``not-running``; `RulesError` (``not-active``) for a seat that never was.
    """
    game = lock_game(key=game_key)
    if any(other.retired for other in seats_of(game) if other.number == seat):
        return None
    if game.status != Status.ACTIVE:
        raise GameError(GameCode.NOT_RUNNING)
    person = next((other.user_id for other in seats_of(game) if other.number == seat), None)
    if by != Actor.STAFF:
        return add_retirement(game, seat=seat, reason=reason, by=by, now=now)
    staff = staff or Staff.operator()
    if staff.told:
        add_remark(game, RemarkKind.REMOVED, now, seat=seat, **staff.told)
    entry = add_retirement(game, seat=seat, reason=reason, by=by, now=now)
    record(staff, StaffAct.RETIRE, now, person=person, game=game.key, said=staff.public_why, seat=seat)
    return entry
