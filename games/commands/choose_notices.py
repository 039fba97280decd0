"""What a person wants to be notified of, and when; it holds for notices that wait already."""

from collections.abc import Iterable

from django.db import transaction

from accounts.models import User
from games.commands._outbox import reconsider
from games.notices.kinds import Cadence, Channel, NoticeKind
from games.notices.models import ChannelPreference, NoticePreference
from games.notices.preferences import DEFAULTS, Choices, choices_of


@transaction.atomic(durable=True)
def choose_notices(*, user: User, choices: Choices) -> None:
    """Store what a person chose for mails, and their quiet hours, which hold for all channels."""
    for kind, choice in choices.kinds.items():
        NoticePreference.objects.update_or_create(
            user=user,
            kind=kind,
            defaults={"cadence": choice.cadence, "minutes": choice.minutes, "before": ""},
        )
    user.digest_hour = choices.digest_hour
    user.quiet_from, user.quiet_until = choices.quiet_from, choices.quiet_until
    user.save(update_fields=["digest_hour", "quiet_from", "quiet_until"])
    reconsider(user)


@transaction.atomic(durable=True)
def choose_channel(*, user: User, channel: Channel, choices: Choices) -> None:
    """Store what a person chose for a channel beside mail."""
    for kind, choice in choices.kinds.items():
        ChannelPreference.objects.update_or_create(
            user=user, channel=channel, kind=kind, defaults={"cadence": choice.cadence, "minutes": choice.minutes}
        )
    reconsider(user)


@transaction.atomic(durable=True)
def unsubscribe(*, user: User, kinds: Iterable[NoticeKind]) -> None:
    """End these kinds for a person; what held before is kept for the way back. Once more is no error."""
    present = choices_of(user)
    for kind in kinds:
        choice = present.kinds[kind]
        if choice.cadence is not Cadence.NEVER:
            NoticePreference.objects.update_or_create(
                user=user,
                kind=kind,
                defaults={"cadence": Cadence.NEVER, "minutes": choice.minutes, "before": choice.cadence},
            )
    reconsider(user)


@transaction.atomic(durable=True)
def resubscribe(*, user: User, kinds: Iterable[NoticeKind]) -> None:
    """Undo `unsubscribe`."""
    for row in NoticePreference.objects.filter(user=user, kind__in=list(kinds), cadence=Cadence.NEVER):
        row.cadence, row.before = row.before or DEFAULTS[NoticeKind(row.kind)], ""
        row.save(update_fields=["cadence", "before"])
    reconsider(user)
