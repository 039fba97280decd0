"""Your time runs out soon: half of it is gone, or nearly all."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from django.utils.translation import gettext_lazy as _

from games.clock import WarningKind
from games.models import Game
from games.notices.facts import TimeRunsShort
from games.notices.kinds import Cadence, NoticeKind
from games.notices.seats import users_in_seats
from games.notices.topic import Item, Sample, Stage, Topic
from games.notices.topics._open_turn import MAKE_MOVE, deadline_over, format_deadline

HALF: Final = Topic(
    value="half",
    label=_("half your time has passed"),
    kind=NoticeKind.CLOCK,
    cadence=Cadence.ONCE,
    urgency=20,
    urgent=True,
    by_deadline=True,
    subject=_("Half your time has passed: game with %(players)s"),
    sentence=_("Half your time for this turn has passed."),
    outdated=lambda _notices, person: partial(deadline_over, person),
    sample=Sample(Stage.RUNNING),
    call=MAKE_MOVE,
)
LAST: Final = Topic(
    value="last",
    label=_("your time is almost up"),
    kind=NoticeKind.CLOCK,
    cadence=Cadence.ONCE,
    urgency=10,
    urgent=True,
    by_deadline=True,
    subject=_("Your time is almost up: game with %(players)s"),
    sentence=_("Your time for this turn is almost up."),
    outdated=lambda _notices, person: partial(deadline_over, person),
    sample=Sample(Stage.RUNNING),
    call=MAKE_MOVE,
)
TOPICS: Final = (HALF, LAST)
TOPIC_OF: Final[Mapping[WarningKind, Topic]] = {WarningKind.HALF: HALF, WarningKind.LAST: LAST}


def items(game: Game, fact: TimeRunsShort) -> Iterator[Item]:
    """Yield the warnings that have come, each true from its own instant on."""
    deadline = format_deadline(fact.deadline)
    for warning in fact.warnings:
        yield Item(
            TOPIC_OF[warning.kind],
            users_in_seats(game, [fact.seat]),
            f"{game.turns}:{deadline}",
            {"deadline": deadline, "turns": game.turns},
            warning.at,
        )
