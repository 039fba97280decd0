"""A holiday of yours begins, or is over."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from functools import partial
from typing import Final

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.zones import zone
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


def _taken_back(day: str, _notices: Sequence[Notice], person: Situation) -> Check:
    """Return the check of whether ``first`` or ``last`` is still that day of the holiday, and it is so today."""
    rows = {row.pk: row for row in Holiday.objects.filter(user=person.user)}
    today = person.now.astimezone(zone(person.user.time_zone)).date()

    def check(notice: Notice) -> Cause | None:
        holiday = rows.get(notice.params["holiday"])
        if holiday is None or getattr(holiday, day).isoformat() != notice.params[day]:
            return Cause.TAKEN_BACK
        if day == "first":
            return Cause.TOO_LATE if today > holiday.last else None
        return Cause.NOT_SO if any(row.first <= today <= row.last for row in rows.values()) else None

    return check


BEGINS: Final = Topic(
    value="holiday-begins",
    label=_("holiday begins"),
    kind=NoticeKind.CALENDAR,
    cadence=Cadence.LATER,
    urgency=160,
    subject=_("Your holiday begins"),
    sentence=_begins,
    outdated=partial(_taken_back, "first"),
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
    outdated=partial(_taken_back, "last"),
    sample=Sample(None),
    personal=PERSONAL,
)
TOPICS: Final = (BEGINS, ENDS)


def items(holiday: Holiday, user: User) -> Iterator[Item]:
    """Yield the beginning and the end of a holiday, for its owner, each true when it comes by their calendar."""
    here = zone(user.time_zone)
    begins = datetime.combine(holiday.first, time(), tzinfo=here)
    ends = datetime.combine(holiday.last + timedelta(days=1), time(), tzinfo=here)
    first, last = holiday.first.isoformat(), holiday.last.isoformat()
    params = {"holiday": holiday.pk, "first": first, "last": last}
    yield Item(BEGINS, [user.pk], f"{holiday.pk}:{first}", params, begins)
    yield Item(ENDS, [user.pk], f"{holiday.pk}:{last}", params, ends)
