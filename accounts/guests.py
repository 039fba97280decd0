"""Guest accounts: people who play before they have given an address or a password.

The site chooses the name of a guest account, from those that nobody else may take. It is used from the one browser that
it was made in, and is deleted when nobody has come back for `KEPT_FOR`. Who gives an address and a password keeps it
with its games: these wait as an account of their own (`accounts.pending`), which the guest account takes over once the
address is confirmed.
"""

from datetime import datetime, timedelta
from secrets import randbelow
from typing import Final
from uuid import UUID

from allauth.account.models import EmailAddress
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext

from accounts.addresses import no_address
from accounts.models import User

KEPT_FOR: Final = timedelta(days=30)
"""After how long without a visit a guest account is deleted."""
SEEN_EVERY: Final = timedelta(days=1)
"""How often at most it is written down that a guest is here."""
SAME_PRESS: Final = timedelta(minutes=1)
"""For how long the same form sent again leads to the guest account that it made."""
DIGITS: Final = range(4, 10)
"""How many digits the number in a guest's name has: more where those with few are taken."""


def make_guest(*, language: str, now: datetime, token: UUID | None = None) -> User:
    """Make a guest account, or return the one that the form with this ``token`` made a moment ago."""
    for digits in DIGITS:
        earlier = _of_form(token)
        if earlier is not None and _is_of_same_press(earlier, now):
            return earlier
        if earlier is not None:
            token = None  # a page from the history of a browser, whoever sits before it by now
        user = User(
            email=no_address(),
            display_name=_draw_name(digits),
            language=language,
            is_guest=True,
            guest_token=token,
            date_joined=now,
            seen_at=now,
        )
        user.set_unusable_password()
        if User.objects.name_taken(user.display_name):
            continue
        try:
            with transaction.atomic():
                user.save()
        except IntegrityError:  # the name, or the form, at this moment
            continue
        return user
    raise RuntimeError("no free name for a guest")


def made_with(token: UUID | None, *, now: datetime) -> User | None:
    """Return the guest account that the form with this ``token`` made a moment ago, or None."""
    made = _of_form(token)
    return made if made is not None and _is_of_same_press(made, now) else None


def _of_form(token: UUID | None) -> User | None:
    return None if token is None else User.objects.filter(guest_token=token).first()


def _is_of_same_press(made: User, now: datetime) -> bool:
    return made.is_guest and made.date_joined > now - SAME_PRESS


def note_seen(user: User, now: datetime) -> None:
    """Write down that a guest is here, unless that was done within the last day."""
    if user.seen_at is None or user.seen_at < now - SEEN_EVERY:
        User.objects.filter(pk=user.pk, is_guest=True).update(seen_at=now)


def idle(now: datetime) -> QuerySet[User]:
    """Return the guest accounts to which nobody has come back for so long that they are to be deleted."""
    return User.objects.filter(is_guest=True, seen_at__lt=now - KEPT_FOR)


def lock_kept(waiting_id: int) -> User | None:
    """Return the guest account that a waiting account keeps, locked until the transaction ends, or None.

    Whoever changes both locks the guest account first.
    """
    kept = User.objects.filter(pk=waiting_id).values("keeps")
    return User.objects.select_for_update().filter(pk__in=kept, is_guest=True).first()


def keep(guest: User, waiting: User, address: EmailAddress) -> None:
    """Make a guest account a full one: name, password, zone and address are of the one that waits, which goes.

    Both rows are locked. The sessions of the guest end, as with any new password.
    """
    EmailAddress.objects.filter(user=guest).delete()
    EmailAddress.objects.filter(pk=address.pk).update(user=guest)
    guest.display_name, guest.password, guest.time_zone = waiting.display_name, waiting.password, waiting.time_zone
    waiting.delete()
    guest.is_guest, guest.guest_token, guest.seen_at = False, None, None
    columns = (
        "display_name",
        "name_key",
        "name_skeleton",
        "password",
        "time_zone",
        "is_guest",
        "guest_token",
        "seen_at",
    )
    guest.save(update_fields=columns)


def _draw_name(digits: int) -> str:
    least = 10 ** (digits - 1)
    return gettext("Guest %(number)s") % {"number": least + randbelow(9 * least)}
