"""A game is finished."""

from collections.abc import Iterator
from typing import Final

from django.utils.translation import gettext_lazy as _

from games.models import Game
from games.notices.kinds import Cadence, NoticeKind
from games.notices.seats import all_users
from games.notices.topic import Item, Sample, Stage, Topic, done_stays_done

TOPIC: Final = Topic(
    value="over",
    label=_("game over"),
    kind=NoticeKind.GAME,
    cadence=Cadence.LATER,
    urgency=100,
    subject=_("The game with %(players)s is over"),
    sentence=_("The game is over."),
    outdated=done_stays_done,
    sample=Sample(Stage.FINISHED),
)


def items(game: Game) -> Iterator[Item]:
    """Yield the end, for all people in the game."""
    yield Item(TOPIC, all_users(game))
