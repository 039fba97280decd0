"""The one place for a person's address: the user's own row, with allauth's row of it written along.

``User.email`` is what one signs in with and what mail goes to. allauth keeps in rows of its own which addresses are
confirmed, and which one a person wants to change to; nobody signs in by those.
"""

from secrets import token_hex
from typing import TYPE_CHECKING, Final

from django.db import transaction

if TYPE_CHECKING:
    from allauth.account.models import EmailAddress

    from accounts.models import User

NOWHERE: Final = "@unconfirmed.invalid"
"""How the address of an account ends that waits for its first confirmation: the one that was typed is not its yet."""


def no_address() -> str:
    """Return an address that nobody has and nobody can guess, to stand in until one is confirmed."""
    return f"{token_hex(16)}{NOWHERE}"


def has_address(user: "User") -> bool:
    """Return whether a person has an address: an account that was just made has none before it is confirmed."""
    return not user.email.endswith(NOWHERE)


@transaction.atomic
def settle(user: "User", email: str, *, confirmed: bool) -> "EmailAddress":
    """Give a stored user an address in place of any other, and return allauth's row of it.

    It ends their sessions, which are bound to the address. Raises `IntegrityError` for one that someone else has.
    """
    from allauth.account.models import EmailAddress  # noqa: PLC0415 - its tables point to our user

    user.email = email.lower()
    if confirmed:
        user.confirmed_address = user.email
    user.save(update_fields=["email", "confirmed_address"])
    EmailAddress.objects.filter(user_id=user.pk).delete()
    return EmailAddress.objects.create(user_id=user.pk, email=user.email, primary=True, verified=confirmed)


@transaction.atomic
def move(user: "User", address: "EmailAddress") -> None:
    """Make allauth's row of the address that a stored user changes to the one of the account; others go.

    It ends their sessions, which are bound to the address. Raises `IntegrityError` for one that someone else has.
    """
    from allauth.account.models import EmailAddress  # noqa: PLC0415 - its tables point to our user

    user.email = user.confirmed_address = address.email
    user.save(update_fields=["email", "confirmed_address"])
    EmailAddress.objects.filter(user_id=user.pk).exclude(pk=address.pk).delete()
    address.primary = address.verified = True
    address.save(update_fields=["primary", "verified"])
