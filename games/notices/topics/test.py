"""A test that a person asked for, to see whether they are reached."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.notices.kinds import Cadence, NoticeKind
from games.notices.topic import Item, Personal, Sample, Topic, done_stays_done

TOPIC: Final = Topic(
    value="test",
    label=_("test"),
    kind=NoticeKind.TEST,
    cadence=Cadence.ONCE,
    urgency=180,
    subject=_("Test e-mail"),
    sentence=_("This is the test e-mail you asked for: your e-mails are getting through."),
    outdated=done_stays_done,
    sample=Sample(None),
    personal=Personal(title=_("Your e-mails"), button=_("Notification settings"), page="notices"),
)

OF_OUTLET: Final = Topic(
    value="outlet-test",
    label=_("test"),
    kind=NoticeKind.TEST,
    cadence=Cadence.ONCE,
    urgency=190,
    subject=_("A test"),
    sentence=_("This is the test you asked for: notifications reach you here."),
    outdated=done_stays_done,
    sample=Sample(None),
    personal=Personal(title=_("Your notifications"), button=_("What was sent to you"), page="deliveries"),
)


def items(user: User, now: datetime, topic: Topic = TOPIC) -> Iterator[Item]:
    """Yield the test, for who asked for it."""
    yield Item(topic, [user.pk], now.isoformat(timespec="seconds"))
