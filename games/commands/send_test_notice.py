"""A test, to see whether notices reach a person."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.notices.models import Outlet
from games.notices.outbox import enqueue_test


@transaction.atomic(durable=True)
def send_test_notice(*, user: User, now: datetime, outlet: Outlet | None = None) -> None:
    """Put a test into the outbox, a mail or for one outlet: it goes with the next sweep."""
    enqueue_test(user, now, outlet)
