"""Codes that are sent in mails: to confirm an address, to sign in, to confirm that it is you.

A session asks for a code and is the only one that it works in. Whether there is anybody to send it to is found out by
the worker that writes the mail (`accounts.mails`); until then, and where there is nobody, the row has no code, and each
try is a wrong one. So asking and trying do the same whoever has the address.
"""

from datetime import datetime, timedelta
from typing import Final

from allauth.core.internal.cryptokit import generate_user_code, normalize_user_code
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.models import EmailCode, Purpose, User

LIFE: Final = timedelta(minutes=15)
"""How long a code works, from the moment at which its mail was written."""
SAME_PRESS: Final = timedelta(minutes=1)
"""For how long the same form sent again leads to the code that it asked for. It does not tell whether there is one."""
MOST_TRIES: Final = 5
"""After how many wrong tries a code is dead."""
KEPT_FOR: Final = timedelta(days=1)
"""How long the row of a code is kept."""
LONGEST: Final = 30
"""Letters that may be typed, with blanks and dashes."""


def ask(request: HttpRequest, purpose: Purpose, address: str, *, now: datetime, asker: User | None = None) -> EmailCode:
    """Let this session wait for a code, and for no other; pressed twice, it waits for the same one."""
    waiting = EmailCode.objects.filter(
        purpose=purpose, address=address, asker=asker, tries=0, used_at=None, asked_at__gt=now - SAME_PRESS
    )
    if asker is None:
        waiting = waiting.filter(pk=_held(request, purpose))
    code = waiting.first() or EmailCode.objects.create(purpose=purpose, address=address, asker=asker, asked_at=now)
    request.session[_key(purpose)] = code.pk
    return code


def make(code: EmailCode, user: User, *, now: datetime) -> str:
    """Draw the code that a mail to a person brings, in place of one that was drawn before."""
    drawn = generate_user_code(length=8)
    code.user, code.made_at, code.hash = user, now, _hash(code, user, drawn)
    code.save(update_fields=["user", "made_at", "hash"])
    return drawn


def awaited(request: HttpRequest, purpose: Purpose) -> EmailCode | None:
    """Return the code that this session waits for, or None."""
    return EmailCode.objects.filter(pk=_held(request, purpose), purpose=purpose, used_at=None).first()


def is_dead(code: EmailCode) -> bool:
    """Return whether a code was tried in vain so often that only a new one helps."""
    return code.tries >= MOST_TRIES


@transaction.atomic
def spend(request: HttpRequest, purpose: Purpose, typed: str, *, now: datetime) -> User | None:
    """Use up the code that this session waits for, and return whom it is for; None for a wrong one, which is counted.

    It is void once its person has another password or address, since the hash is bound to these.
    """
    rows = EmailCode.objects.select_for_update().filter(pk=_held(request, purpose), purpose=purpose, used_at=None)
    code = rows.first()
    if code is None or is_dead(code):
        return None
    user = User.objects.filter(pk=code.user_id or 0, is_active=True).first()
    right = constant_time_compare(code.hash, _hash(code, user, typed))
    if right and user is not None and code.made_at is not None and now < code.made_at + LIFE:
        code.used_at = now
        code.save(update_fields=["used_at"])
        request.session.pop(_key(purpose), None)
        return user
    code.tries += 1
    code.save(update_fields=["tries"])
    return None


def spent(now: datetime) -> QuerySet[EmailCode]:
    """Return the rows that have served their time."""
    return EmailCode.objects.filter(asked_at__lt=now - KEPT_FOR)


def _key(purpose: Purpose) -> str:
    return f"code_{purpose}"


def _held(request: HttpRequest, purpose: Purpose) -> int:
    return int(request.session.get(_key(purpose), 0))


def _hash(code: EmailCode, user: User | None, typed: str) -> str:
    """Return the hash of a code for one person, one session and one purpose; also where there is nobody."""
    bound = ("", "") if user is None else (user.pk, user.get_session_auth_hash())
    text = "\n".join(map(str, (code.pk, code.purpose, *bound, normalize_user_code(typed[:LONGEST]))))
    return salted_hmac("accounts.codes", text, algorithm="sha256").hexdigest()
