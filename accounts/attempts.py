"""How often a password may be guessed, without a stranger's guesses keeping the owner out.

Guesses are counted by account and the address of the network together, and, over all addresses, by account with a wide
limit. A browser in which someone has signed in to the account, or has just chosen its new password through a mail, is
known: its guesses are counted apart from all others.
"""

from hashlib import sha256
from typing import Final

from allauth.core.internal import ratelimit
from allauth.core.internal.ratelimit import RateLimitUsage
from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponseBase
from django.utils.crypto import get_random_string

COOKIE: Final = "known"
SESSION: Final = "known_account"
SALT: Final = "accounts.attempts"
YEAR: Final = 60 * 60 * 24 * 365
MOST: Final = 5
"""How many accounts one browser is remembered for."""


def consume(request: HttpRequest, login: str) -> RateLimitUsage | None:
    """Count a guess at an account; return what takes it back, or None if it is one too many."""
    account = _account(login)
    browser = _known_browser(request, account)
    network = ratelimit.get_ip(request)
    near = _consume(request, "login_failed", f"{account}:{browser or network}")
    if near is None or browser:
        return near
    wide = _consume(request, "login_failed_anywhere", account)
    if wide is None:
        near.rollback()
        return None
    return RateLimitUsage(near.usage + wide.usage)


def remember(request: HttpRequest, response: HttpResponseBase, login: str) -> str:
    """Let the browser that this answer goes to be known for an account that it has signed in to; return its name."""
    browser, accounts = _read(request)
    browser = browser or get_random_string(22)
    account = _account(login)
    kept = [account, *(one for one in accounts if one != account)][:MOST]
    response.set_cookie(
        COOKIE,
        signing.dumps([browser, kept], salt=SALT),
        max_age=YEAR,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return browser


def browser_of(request: HttpRequest) -> str:
    """Return the name of a browser in which someone has signed in, or the empty text."""
    return _read(request)[0]


def is_known(request: HttpRequest, login: str) -> bool:
    """Return whether somebody has signed in to an account in this browser; it tells nothing of who has an address."""
    return _known_browser(request, _account(login)) != ""


def trust_session(request: HttpRequest, login: str) -> None:
    """Let this session be known for an account whose mailbox it has proved to hold."""
    request.session[SESSION] = [_account(login), get_random_string(22)]


def _consume(request: HttpRequest, action: str, key: str) -> RateLimitUsage | None:
    return ratelimit.consume(request, app="allauth.account", action=action, key=key)


def _account(login: str) -> str:
    return sha256(login.strip().lower().encode()).hexdigest()[:32]


def _known_browser(request: HttpRequest, account: str) -> str:
    """Return what a browser that is known for an account is called, or the empty text."""
    browser, accounts = _read(request)
    if account in accounts:
        return browser
    trusted, name = request.session.get(SESSION) or ("", "")
    return str(name) if trusted == account else ""


def _read(request: HttpRequest) -> tuple[str, list[str]]:
    try:
        browser, accounts = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=YEAR)
    except signing.BadSignature:
        return "", []
    return browser, accounts
