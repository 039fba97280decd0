"""Stopping the clock of a running game, for the staff."""

from datetime import datetime

from django.db import transaction

from accounts.audit import Staff, record
from accounts.models import StaffAct
from games.clock import PauseReason
from games.commands._clocks import add_remark, move_deadline
from games.commands._lock import lock_game, save_change
from games.errors import GameCode, GameError
from games.models import Game, Pause
from games.models.choices import RemarkKind, Status
from games.notices.facts import MovedBy
from games.timing.deadlines import DUE_COLUMNS


@transaction.atomic(durable=True)
def pause_game(*, game_key: str, now: datetime, staff: Staff | None = None) -> Game:
    """Stop all clocks of a running game until `resume_game`; once more is no error. Turns can still be played.

    Players read the public reason of the ``staff``. Raises `GameError`: ``no-such-game``, ``not-running``.
    """
    game = lock_game(key=game_key)
    if game.status != Status.ACTIVE:
        raise GameError(GameCode.NOT_RUNNING)
    pause, created = Pause.objects.get_or_create(
        game=game, end=None, defaults={"reason": PauseReason.STAFF, "start": now}
    )
    if created:
        staff = staff or Staff.operator()
        add_remark(game, RemarkKind.PAUSED, now, pause=pause, **staff.told)
        record(staff, StaffAct.PAUSE, now, game=game.key, said=staff.public_why)
        move_deadline(game, MovedBy.STAFF, now)
        save_change(game, *DUE_COLUMNS)
    return game


@transaction.atomic(durable=True)
def resume_game(*, game_key: str, now: datetime, staff: Staff | None = None) -> Game:
    """Let the clocks of a game run again; no error if they do. Raises `GameError` (``no-such-game``)."""
    game = lock_game(key=game_key)
    pause = Pause.objects.filter(game=game, end=None).first()
    if pause is not None:
        pause.end = max(now, pause.start)
        pause.save(update_fields=["end"])
        staff = staff or Staff.operator()
        add_remark(game, RemarkKind.RESUMED, now, pause=pause, **staff.told)
        record(staff, StaffAct.RESUME, now, game=game.key, said=staff.public_why)
        move_deadline(game, MovedBy.STAFF, now)
        save_change(game, *DUE_COLUMNS)
    return game
