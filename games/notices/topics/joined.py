"""Someone has joined your open game."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from django.utils.translation import gettext_lazy as _

from games.log.seats import seats_of
from games.models import Game
from games.notices.facts import Joined
from games.notices.kinds import Cadence, Cause, NoticeKind
from games.notices.models import Notice
from games.notices.topic import Item, Sample, Situation, Stage, Topic
from games.notices.topics._open_game import no_longer_open, text_by_user


def _outdated(person: Situation, notice: Notice) -> Cause | None:
    """Return why it is not so that a person has joined, or None: they may have left again."""
    game, user_id = person.game_of(notice), notice.params["user"]
    sits = game is not None and any(seat.user_id == user_id for seat in seats_of(game))
    return no_longer_open(person, notice) or (None if sits else Cause.NOT_SO)


TOPIC: Final = Topic(
    value="joined",
    label=_("someone joined"),
    kind=NoticeKind.JOINED,
    cadence=Cadence.DAILY,
    urgency=150,
    subject=_("%(who)s has joined your game"),
    sentence=_("%(who)s has joined your game."),
    outdated=lambda _notices, person: partial(_outdated, person),
    sample=Sample(Stage.OPEN),
    text=text_by_user,
)


def items(game: Game, fact: Joined) -> Iterator[Item]:
    """Yield who joined, for the creator."""
    if game.creator_id != fact.user_id:
        yield Item(TOPIC, [game.creator_id], str(fact.user_id), {"user": fact.user_id})
