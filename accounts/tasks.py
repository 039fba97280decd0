"""What workers do for accounts; `games.tasks` sends their mails, as it knows whether the mail server takes any."""

from typing import Final

import structlog
from celery import shared_task
from django.utils import timezone

from accounts import address_change, pending

EXPIRE: Final = "accounts.expire"
SIZE: Final = 500
"""The most accounts that one task deletes."""
LIMIT: Final = 150
"""Seconds after which the process that runs a task is ended and replaced."""

logger = structlog.get_logger(__name__)


@shared_task(name=EXPIRE, time_limit=LIMIT)
def expire() -> None:
    """Delete accounts that were never confirmed, and make the changes of address that nobody has refused."""
    gone = pending.expire(now=timezone.now(), size=SIZE)
    if gone:
        logger.info("unconfirmed accounts deleted", count=gone)
    changed = address_change.settle_due(now=timezone.now(), size=SIZE)
    if changed:
        logger.info("addresses changed without an answer", count=changed)
