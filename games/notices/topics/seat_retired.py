"""You are out of a running game, and it was not you who left it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from django.utils.translation import gettext_lazy as _

from games.models import Game
from games.models.choices import Reason
from games.notices.facts import SeatRetired
from games.notices.kinds import Cadence, Cause, NoticeKind
from games.notices.models import Notice
from games.notices.seats import users_in_seats
from games.notices.topic import Check, Item, LazyText, NoticeText, Sample, Situation, Stage, Topic

SENTENCES: Final[Mapping[str, LazyText]] = {
    Reason.TIMEOUT: _("Your time ran out, so under the game's time control you are out of the game."),
    Reason.REMOVED: _("The staff removed you from the game."),
}


def _sentence(text: NoticeText) -> str:
    return str(SENTENCES[text.params["reason"]])


def _outdated(_notices: Sequence[Notice], person: Situation) -> Check:
    def check(notice: Notice) -> Cause | None:
        seat = person.seat_in(notice)
        return None if seat is not None and seat.retired else Cause.NOT_SO

    return check


TOPIC: Final = Topic(
    value="retired",
    label=_("you are out of the game"),
    kind=NoticeKind.AUTOPILOT,
    cadence=Cadence.ONCE,
    urgency=5,
    urgent=True,
    subject=_("You are out of the game with %(players)s"),
    sentence=_sentence,
    outdated=_outdated,
    sample=Sample(Stage.LEFT, lambda _now: {"reason": Reason.TIMEOUT}),
)


def items(game: Game, fact: SeatRetired) -> Iterator[Item]:
    """Yield the retirement, for whoever sat there."""
    if fact.reason != Reason.RESIGNED:
        params = {"seq": fact.seq, "reason": fact.reason.value}
        yield Item(TOPIC, users_in_seats(game, [fact.seat]), str(fact.seq), params)
