"""Your consent is asked: to cancel the game, or to another time control."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from django.utils.translation import gettext_lazy as _

from games.clock import PRESETS, TimeControl
from games.log.table import Table, seat_of
from games.models import Game, Proposal
from games.models.choices import ProposalKind
from games.notices.facts import ConsentAsked
from games.notices.kinds import Cadence, Cause, NoticeKind
from games.notices.models import Notice
from games.notices.seats import users_in_seats
from games.notices.topic import Call, Check, Item, LazyText, NoticeText, Sample, Situation, Stage, Topic, read_text
from games.words.time import describe_time_control

SENTENCES: Final[Mapping[str, LazyText]] = {
    ProposalKind.CANCEL: _("%(who)s proposes to cancel the game. Do you agree?"),
    ProposalKind.TIME_CONTROL: _("%(who)s proposes a different time control: %(terms)s Do you agree?"),
}


def _sentence(text: NoticeText) -> str:
    time_control = "" if text.time_control is None else describe_time_control(text.time_control)
    return str(SENTENCES[text.params["what"]]) % {"who": text.who, "terms": time_control}


def _text(notice: Notice, table: Table, now: datetime) -> NoticeText:
    proposal = Proposal.objects.get(pk=notice.params["proposal"])
    proposed = TimeControl.from_json(proposal.time_control) if proposal.time_control else None
    return replace(read_text(notice, table, now), time_control=proposed)


def _outdated(notices: Sequence[Notice], person: Situation) -> Check:
    asked = {notice.params["proposal"] for notice in notices}
    rows = Proposal.objects.filter(pk__in=asked, closed_at=None).prefetch_related("consents")
    waiting = {row.pk for row in rows if _waits_for(row, person)}
    return lambda notice: None if notice.params["proposal"] in waiting else Cause.ANSWERED


def _waits_for(proposal: Proposal, person: Situation) -> bool:
    """Return whether an open proposal still waits for the person's answer."""
    seat = seat_of(person.games[proposal.game_id], person.user)
    if seat is None or seat.retired:
        return False
    return seat.number not in {consent.seat for consent in proposal.consents.all()}


TOPIC: Final = Topic(
    value="asked",
    label=_("your consent is needed"),
    kind=NoticeKind.CONSENT,
    cadence=Cadence.ONCE,
    urgency=40,
    subject=_("Your answer is needed: game with %(players)s"),
    sentence=_sentence,
    outdated=_outdated,
    sample=Sample(Stage.RUNNING, lambda _now: {"what": ProposalKind.TIME_CONTROL}, PRESETS["daily"]),
    text=_text,
    call=Call(3, _("Answer the proposal"), "game_time_control"),
)


def items(game: Game, fact: ConsentAsked) -> Iterator[Item]:
    """Yield the question, for those who have to answer."""
    params = {"proposal": fact.proposal_id, "what": fact.kind.value, "by": fact.seat}
    yield Item(TOPIC, users_in_seats(game, fact.asked), str(fact.proposal_id), params)
