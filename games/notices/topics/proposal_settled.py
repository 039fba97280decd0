"""A proposal needs no more answers."""

from collections.abc import Iterator, Mapping
from typing import Final

from django.utils.translation import gettext_lazy as _

from games.log.table import people_in
from games.models import Game
from games.models.choices import ProposalKind, ProposalOutcome, Status
from games.notices.facts import ProposalClosed
from games.notices.kinds import Cadence, NoticeKind
from games.notices.seats import users_in_seats
from games.notices.topic import Item, LazyText, NoticeText, Sample, Stage, Topic, done_stays_done

SENTENCES: Final[Mapping[tuple[str, str], LazyText]] = {
    (ProposalKind.CANCEL, ProposalOutcome.REFUSED): _("%(who)s does not want to cancel the game. It goes on."),
    (ProposalKind.CANCEL, ProposalOutcome.WITHDRAWN): _("%(who)s no longer proposes to cancel the game."),
    (ProposalKind.TIME_CONTROL, ProposalOutcome.REFUSED): _(
        "%(who)s does not want a different time control. It stays as it is."
    ),
    (ProposalKind.TIME_CONTROL, ProposalOutcome.WITHDRAWN): _("%(who)s no longer proposes a different time control."),
    (ProposalKind.TIME_CONTROL, ProposalOutcome.ACCEPTED): _("Everyone has agreed to a different time control."),
}
"""By what was proposed and how it ended. What ends the game, or was overtaken by it, has no notice of its own."""


def _sentence(text: NoticeText) -> str:
    return str(SENTENCES[text.params["what"], text.params["outcome"]]) % {"who": text.who}


TOPIC: Final = Topic(
    value="settled",
    label=_("proposal decided"),
    kind=NoticeKind.CONSENT,
    cadence=Cadence.ONCE,
    urgency=130,
    subject=_("A proposal has been decided: game with %(players)s"),
    sentence=_sentence,
    outdated=done_stays_done,
    sample=Sample(Stage.RUNNING, lambda _now: {"what": ProposalKind.TIME_CONTROL, "outcome": ProposalOutcome.REFUSED}),
)


def items(game: Game, fact: ProposalClosed) -> Iterator[Item]:
    """Yield how a proposal ended, for all people in the game but who closed it."""
    if (fact.kind, fact.outcome) not in SENTENCES or game.status != Status.ACTIVE:
        return
    others = [number for number in people_in(game) if number != fact.seat]
    params = {"what": fact.kind.value, "outcome": fact.outcome.value, "by": fact.seat}
    yield Item(TOPIC, users_in_seats(game, others), str(fact.proposal_id), params)
