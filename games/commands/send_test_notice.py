"""A test, to see whether notices reach a person."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.notices.outbox import enqueue_test


@transaction.atomic(durable=True)
def send_test_notice(*, user: User, now: datetime) -> None:
    """Put a test into the outbox: it goes with the next sweep."""
    enqueue_test(user, now)
