"""It is your turn."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from django.utils.translation import gettext_lazy as _

from games.models import Game
from games.notices.facts import TurnBegan
from games.notices.kinds import Cadence, NoticeKind
from games.notices.seats import users_in_seats
from games.notices.topic import Item, Sample, Stage, Topic
from games.notices.topics._open_turn import MAKE_MOVE, turn_over

TOPIC: Final = Topic(
    value="turn",
    label=_("your turn"),
    kind=NoticeKind.TURN,
    cadence=Cadence.LATER,
    urgency=30,
    by_deadline=True,
    subject=_("Your turn: game with %(players)s"),
    sentence=_("It is your turn."),
    outdated=lambda _notices, person: partial(turn_over, person),
    sample=Sample(Stage.RUNNING),
    call=MAKE_MOVE,
)


def items(game: Game, fact: TurnBegan) -> Iterator[Item]:
    """Yield the turn, for whoever is to move."""
    yield Item(TOPIC, users_in_seats(game, [fact.seat]), str(fact.seq), {"seq": fact.seq, "turns": game.turns})
