"""A turn whose author turned out to be signed out: it waits in a cookie of the game's page until they are back."""

from typing import Final

from django.conf import settings
from django.core import signing
from django.http import HttpResponse
from django.urls import reverse

from games.presenters.composition import Composition
from games.queries.game_page import GamePage
from games.web.answers import Request
from games.web.forms.turn import TurnForm

COOKIE: Final = "turn"
AGE: Final = 60 * 60
"""Seconds that a turn waits: enough to sign in."""
_SIGNER: Final = signing.Signer(salt="a turn that waits")


def keep_turn(response: HttpResponse, key: str, form: TurnForm) -> None:
    """Put the steps of a form into a cookie that this browser sends to the page of this game alone."""
    if not form.is_valid() or not form.cleaned_data["steps"]:
        return
    kept = {"seq": form.cleaned_data["seq"], "steps": form.cleaned_data["steps"]}
    value = _SIGNER.sign_object(kept)
    response.set_cookie(
        COOKIE, value, AGE, path=_path(key), secure=settings.SESSION_COOKIE_SECURE, httponly=True, samesite="Lax"
    )


def kept_turn(request: Request, page: GamePage) -> Composition | None:
    """Return the turn that waits for the reader of a page, if it was composed for the position that the page shows."""
    try:
        kept = _SIGNER.unsign_object(request.COOKIES.get(COOKIE, ""))
    except signing.BadSignature:
        return None
    return Composition(tuple(kept["steps"])) if page.may_move and kept["seq"] == page.seq else None


def forget_turn(request: Request, response: HttpResponse, key: str) -> None:
    """Let go of the cookie, whatever was in it."""
    if COOKIE in request.COOKIES:
        response.delete_cookie(COOKIE, path=_path(key), samesite="Lax")


def _path(key: str) -> str:
    return reverse("game", args=[key])
