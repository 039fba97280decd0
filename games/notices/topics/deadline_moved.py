"""The deadline of your turn is another one now, and it was not you who moved it."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from django.utils.translation import gettext_lazy as _

from games.models import Game
from games.notices.facts import DeadlineMoved, MovedBy
from games.notices.kinds import Cadence, NoticeKind
from games.notices.seats import users_in_seats
from games.notices.topic import Item, LazyText, NoticeText, Sample, Stage, Topic
from games.notices.topics._open_turn import deadline_over, format_deadline

SENTENCES: Final[Mapping[str, LazyText]] = {
    MovedBy.OUTAGE: _("The site was down for a while. You get that time back."),
    MovedBy.TIME_CONTROL: _("The game has a new time control now, and your turn has a new deadline."),
    MovedBy.STAFF: _("The staff stopped your clock or started it again."),
    MovedBy.GIVEN: _("The staff has given you more time."),
}
"""By why the deadline moved. Who moved it themselves, or had it corrected, gets no notice."""


def _sentence(text: NoticeText) -> str:
    return str(SENTENCES[text.params["why"]])


TOPIC: Final = Topic(
    value="moved",
    label=_("your deadline has moved"),
    kind=NoticeKind.CALENDAR,
    cadence=Cadence.LATER,
    urgency=80,
    subject=_("Your clock was adjusted: game with %(players)s"),
    sentence=_sentence,
    outdated=lambda _notices, person: partial(deadline_over, person),
    sample=Sample(Stage.RUNNING, lambda _now: {"why": MovedBy.OUTAGE}),
)


def items(game: Game, fact: DeadlineMoved) -> Iterator[Item]:
    """Yield the new deadline, for whoever is to move."""
    if fact.why in SENTENCES:
        deadline = format_deadline(fact.deadline)
        params = {"why": fact.why.value, "deadline": deadline, "turns": game.turns}
        yield Item(TOPIC, users_in_seats(game, [fact.seat]), f"{game.turns}:{fact.why}:{deadline}", params)
