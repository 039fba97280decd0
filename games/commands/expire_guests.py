"""The end of guest accounts to which nobody has come back."""

from datetime import datetime

import structlog

from accounts import guests
from accounts.models import User
from games.commands.delete_account import delete_account

logger = structlog.get_logger(__name__)


def expire_guests(*, size: int, now: datetime) -> int:
    """Delete at most ``size`` guest accounts that were idle for `guests.KEPT_FOR`; return how many.

    Each ends as `delete_account` ends it, in a transaction of its own; one that fails delays no other. Who comes back,
    or keeps the account, at this very moment stays. Safe to run twice at once.
    """
    gone = 0
    for user in guests.idle(now).order_by("seen_at", "pk")[:size]:
        try:
            delete_account(user=user, now=now, among=guests.idle(now))
        except User.DoesNotExist:
            continue
        except Exception:
            logger.exception("guest account not deleted", user=user.pk)
        else:
            gone += 1
    return gone
