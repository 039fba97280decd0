"""A change of address, in which both mailboxes have a say.

The new one has to be confirmed. The old one is asked: yes makes the change at once, no ends it and all sessions, and
silence for `SILENCE` counts as yes, since who changes an address may have lost the old one. So somebody who has got
into a session can't take the account along unless its owner reads no mail for a week.
"""

from datetime import datetime, timedelta
from typing import Any, Final

import structlog
from allauth.account.models import EmailAddress
from django.core import signing
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet

from accounts import mails, sessions
from accounts.addresses import move
from accounts.models import AddressChange, User

SILENCE: Final = timedelta(days=7)
"""How long the old mailbox may say no."""

logger = structlog.get_logger(__name__)


def is_change(address: EmailAddress) -> bool:
    """Return whether an address would take the place of a confirmed one."""
    user: User = address.user
    return user.is_confirmed and user.email != address.email


def begin(address: EmailAddress, *, now: datetime, again: bool = False) -> AddressChange:
    """Return the change to an address, in place of any other; ask the old mailbox if it is new, or ``again``."""
    user: User = address.user
    AddressChange.objects.filter(user=user).exclude(address=address).delete()
    change, made = AddressChange.objects.get_or_create(address=address, defaults={"user": user, "asked_at": now})
    if made or (again and change.old_at is None):
        mails.ask(mails.MOVING, user.email, user=user, change=change.pk)
    return change


def open_change(user: User) -> AddressChange | None:
    """Return the change that a person has asked for, or None."""
    return AddressChange.objects.select_related("address").filter(user=user).first()


def ends_at(change: AddressChange) -> datetime | None:
    """Return when silence is taken for a yes, or None while the old mailbox has not been told."""
    return None if change.told_at is None else change.told_at + SILENCE


def agree_at_new(change: AddressChange, *, now: datetime) -> bool:
    """Note the yes of the new mailbox, whose person's row is locked; return whether the address is changed.

    Raises `IntegrityError` if someone else has confirmed it.
    """
    if change.new_at is None:
        change.new_at = now
        change.save(update_fields=["new_at"])
    return change.old_at is not None and _finish(change)


def by_key(key: str) -> AddressChange | None:
    """Return the open change that a link to the old mailbox is about, or None."""
    try:
        pk = signing.Signer(salt=AddressChange.SALT).unsign_object(key)
    except signing.BadSignature:
        return None
    return AddressChange.objects.select_related("address", "user").filter(pk=pk).first()


@transaction.atomic
def agree_at_old(change: AddressChange, *, now: datetime) -> bool:
    """Note the yes of the old mailbox; return whether the address is changed."""
    locked = _lock(change)
    if locked is None:
        return False
    locked.old_at = now
    locked.save(update_fields=["old_at"])
    return locked.new_at is not None and _finish_or_drop(locked)


@transaction.atomic
def refuse(change: AddressChange, *, current: str | None) -> None:
    """End a change that the old mailbox does not want, and every session but the ``current`` one."""
    locked = _lock(change)
    if locked is not None:
        logger.warning("change of address refused", user=locked.user_id)
        locked.address.delete()
        sessions.end_other_sessions(locked.user, current=current)


def settle_due(*, now: datetime, size: int) -> int:
    """Make at most ``size`` changes to which the old mailbox has said nothing; drop those that nobody confirmed."""
    due = AddressChange.objects.filter(
        Q(told_at__lt=now - SILENCE, new_at__isnull=False) | Q(asked_at__lt=now - 2 * SILENCE, new_at=None)
    )
    return sum(_settle(change, due) for change in due.order_by("pk")[:size])


def follow_reset(user: Any, **_more: Any) -> None:
    """End the change that was under way when its person chose a new password through a mail to the old address."""
    if isinstance(user, User):
        EmailAddress.objects.filter(change__user=user).delete()


@transaction.atomic
def _settle(change: AddressChange, due: QuerySet[AddressChange]) -> bool:
    locked = _lock(change)
    if locked is None or not due.filter(pk=locked.pk).exists():
        return False
    if locked.new_at is None:
        locked.address.delete()
        return False
    if not _finish_or_drop(locked):
        return False
    sessions.end_other_sessions(locked.user, current=None)
    return True


def _lock(change: AddressChange) -> AddressChange | None:
    """Lock a person's row, and read their change anew; None if it is gone."""
    User.objects.select_for_update().filter(pk=change.user_id).first()
    return AddressChange.objects.select_related("address", "user").filter(pk=change.pk).first()


def _finish_or_drop(change: AddressChange) -> bool:
    """Make the change, or drop it if someone else has the address by now."""
    try:
        with transaction.atomic():
            return _finish(change)
    except IntegrityError:
        change.address.delete()
        return False


def _finish(change: AddressChange) -> bool:
    user, before, address = change.user, change.user.email, change.address
    change.delete()
    move(user, address)
    mails.ask(mails.MOVED, before, user=user, from_email=before, to_email=user.email)
    return True
