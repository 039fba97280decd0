"""What topics about a game that has not started share."""

from datetime import datetime

from django.utils.translation import gettext as _

from games.log.table import ENDED, Table
from games.models.choices import Status
from games.notices.kinds import Cause
from games.notices.models import Notice
from games.notices.topic import NoticeText, Situation
from games.words.lists import list_words


def no_longer_open(person: Situation, notice: Notice) -> Cause | None:
    """Return why the game that a notice is about is not open any more, or None."""
    game = person.game_of(notice)
    if game is None or game.status == Status.OPEN:
        return None
    return Cause.GAME_OVER if game.status in ENDED else Cause.GAME_STARTED


def text_by_user(notice: Notice, table: Table, now: datetime) -> NoticeText:
    """Return the text of a notice whose ``user`` did it: their name in the game."""
    user_id = notice.params["user"]
    who = next((name for seat, name in table.seated if seat.user_id == user_id), _("Someone"))
    return NoticeText(notice.params, now, list_words(table.rivals), who)
