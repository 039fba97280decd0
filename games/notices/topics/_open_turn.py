"""What topics about an open turn share."""

from datetime import datetime
from typing import Final

from django.utils.translation import gettext_lazy as _

from games.log.table import ENDED, next_actor
from games.notices.kinds import Cause
from games.notices.models import Notice
from games.notices.topic import Call, Situation

MAKE_MOVE: Final = Call(2, _("Make your move"))


def turn_over(person: Situation, notice: Notice) -> Cause | None:
    """Return why the turn that a notice is about does not wait for the person any more, or None."""
    game = person.game_of(notice)
    if game is None or game.status in ENDED:
        return Cause.GAME_OVER
    mover = next_actor(game)
    if mover is None or mover.user_id != person.user.pk or game.turns != notice.params["turns"]:
        return Cause.TURN_OVER
    return None


def deadline_over(person: Situation, notice: Notice) -> Cause | None:
    """Return why the deadline that a notice is about does not count any more, or None."""
    return turn_over(person, notice) or _other_deadline(person, notice)


def format_deadline(instant: datetime | None) -> str:
    """Return an instant as parameters and references have it: empty for none."""
    return "" if instant is None else instant.isoformat()


def _other_deadline(person: Situation, notice: Notice) -> Cause | None:
    game = person.game_of(notice)
    deadline = None if game is None else game.deadline
    stored = notice.params["deadline"]
    if deadline != (datetime.fromisoformat(stored) if stored else None):
        return Cause.OTHER_DEADLINE
    return Cause.TOO_LATE if deadline is not None and deadline <= person.now else None
