"""Your seat in an open game was taken away."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from django.utils.translation import gettext_lazy as _

from games.log.table import seat_of
from games.models import Game
from games.notices.facts import Removed
from games.notices.kinds import Cadence, Cause, NoticeKind
from games.notices.models import Notice
from games.notices.topic import Item, Sample, Situation, Stage, Topic
from games.notices.topics._open_game import no_longer_open


def _outdated(person: Situation, notice: Notice) -> Cause | None:
    """Return why a person no longer needs to hear that they were removed, or None: they may sit there again."""
    game = person.game_of(notice)
    back = game is not None and seat_of(game, person.user) is not None
    return no_longer_open(person, notice) or (Cause.NOT_SO if back else None)


TOPIC: Final = Topic(
    value="removed",
    label=_("removed before the start"),
    kind=NoticeKind.GAME,
    cadence=Cadence.LATER,
    urgency=95,
    subject=_("You are not in the game any more"),
    sentence=_("The player who created the game has removed you from it before its start."),
    outdated=lambda _notices, person: partial(_outdated, person),
    sample=Sample(Stage.OPEN),
)


def items(_game: Game, fact: Removed) -> Iterator[Item]:
    """Yield the removal, for who was removed."""
    yield Item(TOPIC, [fact.user_id], str(fact.removal_id))
