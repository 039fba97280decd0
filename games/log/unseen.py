"""Which messages a person is spared: those of people whom they have blocked."""

from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from accounts.blocks import blocked_by
from games.models import Message, Seat


def shown_to(messages: QuerySet[Message], person: Any) -> QuerySet[Message]:
    """Return the messages without those that a person, given by number, is spared: no query more."""
    spared = Seat.objects.filter(game=OuterRef("game"), number=OuterRef("seat"), user__in=blocked_by(person))
    return messages.filter(~Exists(spared))
