"""A seat that somebody wanted to take before they had signed in: they get it when they are back at the invitation."""

from typing import Final

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

COOKIE: Final = "seat"
AGE: Final = 24 * 60 * 60
"""Seconds that the wish is kept: enough to sign up, confirm an address and come back."""
_SIGNER: Final = signing.TimestampSigner(salt="a seat that is wanted")


def want_seat(response: HttpResponse, key: str) -> None:
    """Keep the wish in a cookie that this browser sends to the invitation to this game alone."""
    response.set_cookie(
        COOKIE,
        _SIGNER.sign(key),
        AGE,
        path=_path(key),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def is_seat_wanted(request: HttpRequest, key: str) -> bool:
    """Return whether whoever is back at an invitation has pressed a button there to take a seat."""
    try:
        return _SIGNER.unsign(request.COOKIES.get(COOKIE, ""), max_age=AGE) == key
    except signing.BadSignature:
        return False


def forget_seat(response: HttpResponse, key: str) -> None:
    """Let go of the wish."""
    response.delete_cookie(COOKIE, path=_path(key), samesite="Lax")


def _path(key: str) -> str:
    return reverse("invitation", args=[key])
