"""What workers do for accounts."""

from typing import Final

import structlog
from celery import shared_task
from django.utils import timezone

from accounts import mails, pending

EXPIRE: Final = "accounts.expire"
SIZE: Final = 500
"""The most accounts that one task deletes."""

logger = structlog.get_logger(__name__)


@shared_task(name=mails.SEND, queue=mails.QUEUE)
def send_mails() -> None:
    """Send the account mails that wait."""
    mails.send_waiting(now=timezone.now())


@shared_task(name=EXPIRE, queue=mails.QUEUE)
def expire() -> None:
    """Delete accounts that were never confirmed."""
    gone = pending.expire(now=timezone.now(), size=SIZE)
    if gone:
        logger.info("unconfirmed accounts deleted", count=gone)
