"""A game has started."""

from collections.abc import Iterator, Sequence
from typing import Final

from django.utils.translation import gettext_lazy as _

from games.log.table import ENDED
from games.models import Game
from games.notices.kinds import Cadence, Cause, NoticeKind
from games.notices.models import Notice
from games.notices.seats import all_users
from games.notices.topic import Check, Item, Sample, Situation, Stage, Topic


def _outdated(_notices: Sequence[Notice], person: Situation) -> Check:
    def check(notice: Notice) -> Cause | None:
        game = person.game_of(notice)
        return Cause.GAME_OVER if game is not None and game.status in ENDED else None

    return check


TOPIC: Final = Topic(
    value="started",
    label=_("game started"),
    kind=NoticeKind.GAME,
    cadence=Cadence.LATER,
    urgency=120,
    subject=_("The game with %(players)s has started"),
    sentence=_("The game has started."),
    outdated=_outdated,
    sample=Sample(Stage.STARTED),
)


def items(game: Game) -> Iterator[Item]:
    """Yield the start, for all people in the game."""
    yield Item(TOPIC, all_users(game))
