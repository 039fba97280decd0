"""What people choose about notices, and the signed word in a mail that stands for kinds of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from django.core import signing

from accounts.models import User
from games.notices.kinds import Cadence, Channel, NoticeKind
from games.notices.models import DELAY_DEFAULT, ChannelPreference, NoticePreference
from games.notices.topics import TOPICS

DEFAULTS: Final[Mapping[NoticeKind, Cadence]] = {topic.kind: topic.cadence for topic in TOPICS.values()}
"""When each kind is mailed to whom has not chosen otherwise."""
GATHERED: Final = frozenset({Cadence.HOURLY, Cadence.DAILY})
"""What is gathered for a mail; other channels bring each after a few minutes, unless their person says otherwise."""
CHOSEN: Final = tuple(kind for kind in NoticeKind if kind is not NoticeKind.TEST)
"""The kinds that people choose about."""
SALT: Final = "games.notices.unsubscribe"


@dataclass(frozen=True, slots=True)
class Choice:
    """When a person wants a kind of notice."""

    cadence: Cadence
    minutes: int = DELAY_DEFAULT


@dataclass(frozen=True, slots=True)
class Choices:
    """All that a person chose."""

    kinds: Mapping[NoticeKind, Choice]
    digest_hour: int
    quiet_from: int | None = None
    quiet_until: int | None = None
    """Hours of their own zone in which nothing comes that can wait; none, if either is None."""


def default_of(kind: NoticeKind, channel: Channel) -> Cadence:
    """Return when a kind comes through a channel to whom has not chosen otherwise."""
    cadence = DEFAULTS[kind]
    return Cadence.LATER if channel is not Channel.MAIL and cadence in GATHERED else cadence


def choices_of(user: User, channel: Channel = Channel.MAIL) -> Choices:
    """Return what a person chose for a channel, defaults filled in: one query."""
    kinds = {kind: Choice(default_of(kind, channel)) for kind in DEFAULTS}
    rows: Iterable[NoticePreference | ChannelPreference] = (
        NoticePreference.objects.filter(user=user)
        if channel is Channel.MAIL
        else ChannelPreference.objects.filter(user=user, channel=channel)
    )
    for row in rows:
        kinds[NoticeKind(row.kind)] = Choice(Cadence(row.cadence), row.minutes)
    return Choices(kinds, user.digest_hour, user.quiet_from, user.quiet_until)


def unsubscribe_token(user: User, kinds: Iterable[NoticeKind]) -> str:
    """Return a signed word that stands for a person and kinds of notice. It opens nothing else and never expires."""
    return signing.dumps([user.pk, sorted({kind.value for kind in kinds})], salt=SALT, compress=False)


def parse_token(token: str) -> tuple[int, tuple[NoticeKind, ...]] | None:
    """Return the id of the person and the kinds that a token stands for, or None for one that we did not make."""
    try:
        user_id, kinds = signing.loads(token, salt=SALT)
    except signing.BadSignature:
        return None
    return user_id, tuple(NoticeKind(kind) for kind in kinds if kind in NoticeKind)
