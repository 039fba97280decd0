"""A holiday of yours begins, or is over."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from functools import partial
from typing import Final

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.models import Holiday
from games.notices.kinds import Cadence, Cause, NoticeKind
from games.notices.models import Notice
from games.notices.topic import Check, Item, NoticeText, Personal, Sample, Situation, Topic
from games.words.time import format_date

PERSONAL: Final = Personal(title=_("Your holidays"), button=_("Open my holidays"), page="holidays")


def _begins(text: NoticeText) -> str:
    words = gettext(
        "Your holiday has begun. Up to and including %(last)s your clock is stopped in all games that allow holidays."
    )
    return words % {"last": format_date(date.fromisoformat(text.params["last"]))}


def _outdated(edge: str, _notices: Sequence[Notice], person: Situation) -> Check:
    """Return the check of whether the holiday ``begins``, or ``ends``, when the notice says so, and it is so now."""
    spans = {row.pk: row.span for row in Holiday.objects.filter(user=person.user)}

    def check(notice: Notice) -> Cause | None:
        span = spans.get(notice.params["holiday"])
        if span is None or getattr(span, edge) != notice.at:
            return Cause.TAKEN_BACK
        if edge == "begins":
            return Cause.TOO_LATE if span.ends <= person.now else None
        return Cause.NOT_SO if any(each.begins <= person.now < each.ends for each in spans.values()) else None

    return check


BEGINS: Final = Topic(
    value="holiday-begins",
    label=_("holiday begins"),
    kind=NoticeKind.CALENDAR,
    cadence=Cadence.LATER,
    urgency=160,
    subject=_("Your holiday begins"),
    sentence=_begins,
    outdated=partial(_outdated, "begins"),
    sample=Sample(None, lambda now: {"last": (now + timedelta(days=9)).date().isoformat()}),
    personal=PERSONAL,
)
ENDS: Final = Topic(
    value="holiday-ends",
    label=_("holiday ends"),
    kind=NoticeKind.CALENDAR,
    cadence=Cadence.LATER,
    urgency=170,
    subject=_("Your holiday is over"),
    sentence=_("Your holiday is over: your clocks are running again."),
    outdated=partial(_outdated, "ends"),
    sample=Sample(None),
    personal=PERSONAL,
)
TOPICS: Final = (BEGINS, ENDS)


def items(holiday: Holiday) -> Iterator[Item]:
    """Yield the beginning and the end of a holiday, for its owner, each true when their clocks stop or run again."""
    first, last = holiday.first.isoformat(), holiday.last.isoformat()
    params = {"holiday": holiday.pk, "first": first, "last": last}
    yield Item(BEGINS, [holiday.user_id], f"{holiday.pk}:{first}", params, holiday.span.begins)
    yield Item(ENDS, [holiday.user_id], f"{holiday.pk}:{last}", params, holiday.span.ends)
