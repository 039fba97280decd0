"""A proposal needs no more answers."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from django.utils.translation import gettext_lazy as _

from games.log.table import ENDED, people_in
from games.models import Consent, Game, Proposal
from games.models.choices import ProposalKind, ProposalOutcome, Status
from games.notices.facts import ProposalClosed
from games.notices.kinds import Cadence, Cause, NoticeKind, NoticeState
from games.notices.models import Notice
from games.notices.seats import users_in_seats
from games.notices.topic import Check, Item, LazyText, NoticeText, Sample, Situation, Stage, Topic
from games.notices.topics.consent_asked import TOPIC as CONSENT_ASKED

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


def _outdated(notices: Sequence[Notice], person: Situation) -> Check:
    """Say that it goes on, or by another time control, while that is so, and to those who know of the proposal."""
    games = {notice.game_id for notice in notices}
    agreed = Proposal.objects.filter(game__in=games, kind=ProposalKind.TIME_CONTROL, outcome=ProposalOutcome.ACCEPTED)
    newest = dict(agreed.order_by("pk").values_list("game_id", "pk"))
    knows = _known(notices, person)

    def check(notice: Notice) -> Cause | None:
        game = person.game_of(notice)
        if game is None or game.status in ENDED:
            return Cause.GAME_OVER
        if not knows(notice):
            return Cause.NEVER_TOLD
        accepted = notice.params["outcome"] == ProposalOutcome.ACCEPTED
        return Cause.NOT_SO if accepted and str(newest.get(game.pk)) != notice.ref else None

    return check


def _known(notices: Sequence[Notice], person: Situation) -> Callable[[Notice], bool]:
    """Return whether the person knows of the proposal of a notice: they agreed to it, or were told of the question."""
    games = {notice.game_id for notice in notices}
    asked = Notice.objects.filter(user=person.user, game__in=games, topic=CONSENT_ASKED.value, state=NoticeState.SENT)
    told = set(asked.values_list("game", "ref"))
    # Who made a proposal has agreed to it.
    agreed = set(Consent.objects.filter(proposal__in=[int(n.ref) for n in notices]).values_list("proposal", "seat"))

    def knows(notice: Notice) -> bool:
        seat = person.seat_in(notice)
        return (notice.game_id, notice.ref) in told or (seat is not None and (int(notice.ref), seat.number) in agreed)

    return knows


TOPIC: Final = Topic(
    value="settled",
    label=_("proposal decided"),
    kind=NoticeKind.CONSENT,
    cadence=Cadence.ONCE,
    urgency=130,
    subject=_("A proposal has been decided: game with %(players)s"),
    sentence=_sentence,
    outdated=_outdated,
    sample=Sample(Stage.RUNNING, lambda _now: {"what": ProposalKind.TIME_CONTROL, "outcome": ProposalOutcome.REFUSED}),
)


def items(game: Game, fact: ProposalClosed) -> Iterator[Item]:
    """Yield how a proposal ended, for all people in the game but who closed it."""
    if (fact.kind, fact.outcome) not in SENTENCES or game.status != Status.ACTIVE:
        return
    others = [number for number in people_in(game) if number != fact.seat]
    params = {"what": fact.kind.value, "outcome": fact.outcome.value, "by": fact.seat}
    yield Item(TOPIC, users_in_seats(game, others), str(fact.proposal_id), params)
