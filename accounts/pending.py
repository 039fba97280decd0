"""Accounts that wait for their first confirmation.

Until then an account has a name, perhaps a password, and no address of its own: the address that was typed may belong
to somebody else, who may have an account. So the same happens whatever address is typed, and only the mail, which its
owner alone can read, says which it was.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

import structlog
from allauth.account.models import EmailAddress
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError, QuerySet

from accounts.addresses import has_address, no_address
from accounts.models import User
from accounts.names import fold_name

CAME_FOR: Final = "came_for"
"""Where a session keeps the address that its person signed up to go to."""
KEPT_FOR: Final = timedelta(days=7)
"""How long an account waits; its name is held as long. The link in the mail works as long too."""

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Application:
    """What a form of a sign-up says. Without a password a secret of the form, its ``token``, knows it again."""

    email: str
    display_name: str
    password: str = ""
    token: UUID | None = None


def sign_up(form: Application, *, language: str, time_zone: str = "UTC", guest: User | None = None) -> User:
    """Make an account that waits for an address to be confirmed, or return the one that this very form made before.

    Once it is confirmed it is that of a ``guest``, for whom one at most waits: the link of an earlier one is dead.
    Raises `IntegrityError` if someone else takes the name at the same time.
    """
    user = User(email=no_address(), display_name=form.display_name, language=language, time_zone=time_zone)
    user.set_password(form.password or None)
    user.guest_token = None if User.objects.filter(guest_token=form.token).exists() else form.token
    try:
        with transaction.atomic():
            if guest is not None:
                user.keeps = _make_room(guest, form)
            user.save()
            EmailAddress.objects.create(user=user, email=form.email, primary=True)
    except IntegrityError:
        earlier = signed_up(form)
        if earlier is None:
            raise
        if user.keeps is not None and earlier.keeps_id is None:  # signed up for before they played as a guest
            User.objects.filter(pk=earlier.pk).update(keeps=user.keeps)
        return earlier
    return user


def keeper_of(guest: User) -> User | None:
    """Return the account that waits to become a guest's, or None."""
    return waiting().filter(keeps=guest).first()


def _make_room(guest: User, form: Application) -> User | None:
    """Lock a guest and delete the account that waits for them, unless this very form made it; None if they are gone."""
    locked = User.objects.select_for_update().filter(pk=guest.pk, is_guest=True).first()
    if locked is None:
        return None
    same = signed_up(form)
    waiting().filter(keeps=locked).exclude(pk=0 if same is None else same.pk).delete()
    return locked


def signed_up(form: Application) -> User | None:
    """Return the waiting account that this form made before, so that pressing twice makes one account; or None."""
    user = waiting().filter(name_key=fold_name(form.display_name), emailaddress__email=form.email).first()
    return user if user is not None and not has_address(user) and _is_of(user, form) else None


def _is_of(user: User, form: Application) -> bool:
    if form.password:
        return user.check_password(form.password)
    return not user.has_usable_password() and form.token is not None and user.guest_token == form.token


def waiting() -> QuerySet[User]:
    """Return the accounts that were never confirmed and that nobody has signed in to."""
    return User.objects.filter(confirmed_address="", last_login=None, is_staff=False, is_guest=False, owner=None)


@transaction.atomic
def correct_address(user_id: int, email: str) -> EmailAddress | None:
    """Let an account wait for another address; return it, or None if the account does not wait any more.

    The link that went to the first address ends with it.
    """
    user = waiting().select_for_update().filter(pk=user_id).first()
    if user is None or has_address(user):
        return None
    EmailAddress.objects.filter(user=user).delete()
    return EmailAddress.objects.create(user=user, email=email, primary=True)


@transaction.atomic
def withdraw(user_id: int) -> None:
    """Delete an account that still waits, with its name."""
    user = waiting().select_for_update().filter(pk=user_id).first()
    if user is not None and not has_address(user):
        user.delete()


def expire(*, now: datetime, size: int) -> int:
    """Delete at most ``size`` accounts that waited too long, with their names; return how many.

    Safe against a confirmation at the same time, which locks the user's row as this does.
    """
    gone = 0
    with transaction.atomic():
        due = waiting().select_for_update(skip_locked=True).filter(date_joined__lt=now - KEPT_FOR).order_by("pk")
        for user in due[:size]:
            try:
                with transaction.atomic():
                    user.delete()
            except ProtectedError:
                logger.exception("account not deleted", user=user.pk)
            else:
                gone += 1
    return gone
