"""What a person has learnt: the names of the lessons that they have completed.

Who is signed in keeps them with the account. Who is not keeps them in a cookie, which the account takes over as soon as
somebody signs in: nothing is lost on the way from a guest to an account.
"""

from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.core import signing
from django.db import transaction
from django.http import HttpRequest, HttpResponse

from accounts.models import User

COOKIE: Final = "lessons"
KEPT_FOR: Final = timedelta(days=365)
_SIGNER: Final = signing.Signer(salt="lessons that were completed")


def completed(request: HttpRequest) -> frozenset[str]:
    """Return the names of the lessons that the reader has completed. No query."""
    stored = request.user.lessons.split() if isinstance(request.user, User) else ()
    return frozenset((*stored, *_carried(request)))


def complete(request: HttpRequest, response: HttpResponse, name: str) -> None:
    """Write down that the reader has completed a lesson, with the account or in a cookie of ``response``."""
    if isinstance(request.user, User):
        _store(request.user, [name])
        return
    names = " ".join(sorted(_carried(request) | {name}))
    response.set_cookie(
        COOKIE,
        _SIGNER.sign(names),
        max_age=KEPT_FOR,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def take_along(request: HttpRequest, user: User) -> bool:
    """Give the account what its owner completed before they signed in; return whether the cookie is to go."""
    if COOKIE not in request.COOKIES:
        return False
    _store(user, _carried(request))
    return True


def _carried(request: HttpRequest) -> frozenset[str]:
    try:
        return frozenset(_SIGNER.unsign(request.COOKIES.get(COOKIE, "")).split())
    except signing.BadSignature:
        return frozenset()


def _store(user: User, names: Iterable[str]) -> None:
    """Add names to those of an account. Two requests at once count each other."""
    if set(names) <= set(user.lessons.split()):
        return
    with transaction.atomic():
        locked = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        user.lessons = " ".join(sorted({*locked.lessons.split(), *names}))
        user.save(update_fields=["lessons"])
