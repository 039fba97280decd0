"""Your time ran out, and a computer player played for you."""

from collections.abc import Iterator, Sequence
from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games.clock.turns import MISSES_TO_RETIRE
from games.models import Game
from games.notices.facts import AutopilotPlayed
from games.notices.kinds import Cadence, Cause, NoticeKind
from games.notices.models import Notice
from games.notices.seats import users_in_seats
from games.notices.topic import Check, Item, NoticeText, Sample, Situation, Stage, Topic


def _sentence(text: NoticeText) -> str:
    misses = text.params["misses"]
    return ngettext(
        "Your time ran out, and a computer player played your turn. You have missed %(count)s turn; at %(limit)s in a "
        "row you are out of the game.",
        "Your time ran out, and a computer player played your turn. You have missed %(count)s turns in a row; at "
        "%(limit)s you are out of the game.",
        misses,
    ) % {"count": misses, "limit": MISSES_TO_RETIRE}


def _outdated(_notices: Sequence[Notice], person: Situation) -> Check:
    """Say that the misses do not count any more once the person has played a turn since."""

    def check(notice: Notice) -> Cause | None:
        seat = person.seat_in(notice)
        if seat is None:
            return Cause.NOT_SO
        return Cause.NOT_SO if not seat.retired and seat.misses < notice.params["misses"] else None

    return check


TOPIC: Final = Topic(
    value="autopilot",
    label=_("a computer player played for you"),
    kind=NoticeKind.AUTOPILOT,
    cadence=Cadence.ONCE,
    urgency=15,
    urgent=True,
    subject=_("A computer player played for you: game with %(players)s"),
    sentence=_sentence,
    outdated=_outdated,
    sample=Sample(Stage.RUNNING, lambda _now: {"misses": 2}),
)


def items(game: Game, fact: AutopilotPlayed) -> Iterator[Item]:
    """Yield the missed turn, for whoever missed it."""
    params = {"seq": fact.seq, "misses": fact.misses}
    yield Item(TOPIC, users_in_seats(game, [fact.seat]), str(fact.seq), params)
