"""Where a person is signed in: the browsers, the networks, when each was last seen, and how a sign-in is ended.

Each session of a person with an address has a row beside Django's, with the network and the browser of its sign-in. The
row goes with the session. When a session was last seen follows from its end, which every request moves.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib import import_module
from typing import Any, Final

from allauth.core.internal.httpkit import HTTP_USER_AGENT_MAX_LENGTH, get_client_ip
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, update_session_auth_hash
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext

from accounts import tokens
from accounts.models import User

MOST: Final = 50
"""How many sessions of a person are listed, the latest sign-ins first."""
BROWSERS: Final[Mapping[str, str]] = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Vivaldi": "Vivaldi",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "Chrome": "Chrome",
    "CriOS": "Chrome",
    "Safari": "Safari",
}
"""What a browser calls itself among others, and its name: the first that is found counts."""
SYSTEMS: Final[Mapping[str, str]] = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "CrOS": "ChromeOS",
    "Mac OS X": "macOS",
    "Linux": "Linux",
}


@dataclass(frozen=True, slots=True)
class SignIn:
    """A session of a person, as they are shown it. An unknown browser or system is the empty text."""

    number: int
    browser: str
    system: str
    network: str
    began_at: datetime
    seen_at: datetime
    """To within an hour."""
    is_this: bool


def note_session(request: HttpRequest, user: User) -> None:
    """Write down the network and the browser of this session, unless that was done."""
    key, network = request.session.session_key, get_client_ip(request)
    if user.is_guest or key is None or network is None:
        return
    browser = request.META.get("HTTP_USER_AGENT", "").replace("\0", "")[:HTTP_USER_AGENT_MAX_LENGTH]
    UserSession.objects.get_or_create(session_key=key, defaults={"user": user, "ip": network, "user_agent": browser})


def follow_new_address(request: HttpRequest, user: User) -> None:
    """End the sessions of a person whose address has changed, but let this one go on if it is theirs."""
    keep_session(request, user)
    end_other_sessions(user, current=request.session.session_key)


def keep_session(request: HttpRequest, user: User) -> None:
    """Let this session go on, if it is the person's, whose address has changed: sessions are bound to it."""
    if request.user == user:
        update_session_auth_hash(request, user)
        note_session(request, user)


def list_sessions(user: User, *, current: str | None, now: datetime) -> list[SignIn]:
    """Return where a person is signed in, this session first, then as they were last seen."""
    rows = UserSession.objects.filter(user=user).order_by("-created_at", "-pk")[:MOST]
    keys = {row.session_key: row for row in rows}
    age = timedelta(seconds=settings.SESSION_COOKIE_AGE)
    found = [
        SignIn(
            number=row.pk,
            browser=_name_in(row.user_agent, BROWSERS),
            system=_name_in(row.user_agent, SYSTEMS),
            network=row.ip,
            began_at=row.created_at,
            seen_at=max(session.expire_date - age, row.created_at),
            is_this=row.session_key == current,
        )
        for session in Session.objects.filter(session_key__in=keys, expire_date__gt=now)
        if _is_of(user, session) and (row := keys[session.session_key])
    ]
    return sorted(found, key=lambda one: (one.is_this, one.seen_at), reverse=True)


def end_session(user: User, number: int, *, current: str | None) -> bool:
    """Sign a person out of another browser; return whether there was such a session."""
    return _end(UserSession.objects.filter(user=user, pk=number).exclude(session_key=current or ""))


def end_other_sessions(user: User, *, current: str | None) -> bool:
    """Sign a person out everywhere but in this session, and revoke their access tokens; return whether there was one.

    All that ends sign-ins which somebody else may have comes here: whoever was there may have made a token.
    """
    revoked = tokens.revoke_all(user)
    return _end(UserSession.objects.filter(user=user).exclude(session_key=current or "")) or revoked > 0


def browser_of(user_agent: str) -> str:
    """Return what a browser and its system are called, in the active language; empty for unknown ones."""
    browser, system = _name_in(user_agent, BROWSERS), _name_in(user_agent, SYSTEMS)
    if browser and system:
        return gettext("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system


def left_over() -> QuerySet[UserSession]:
    """Return the rows whose session is gone."""
    return UserSession.objects.exclude(Exists(Session.objects.filter(session_key=OuterRef("session_key"))))


def follow_sign_in(request: HttpRequest, user: Any, **_more: Any) -> None:
    """Write down a new session; allauth's own way would ask three times for each old one."""
    if isinstance(user, User):
        note_session(request, user)


def follow_new_password(request: HttpRequest, user: Any, **_more: Any) -> None:
    """End the other sessions, which lead nowhere any more; this one, if it is theirs, goes on under another key."""
    if isinstance(user, User):
        if request.user == user:
            note_session(request, user)
        end_other_sessions(user, current=request.session.session_key)


def follow_sign_out(request: HttpRequest, **_more: Any) -> None:
    """Forget a session that its person ends."""
    UserSession.objects.filter(session_key=request.session.session_key or "").delete()


@transaction.atomic
def _end(rows: QuerySet[UserSession]) -> bool:
    keys = list(rows.values_list("session_key", flat=True))
    Session.objects.filter(session_key__in=keys).delete()
    return bool(rows.filter(session_key__in=keys).delete()[0])


def _is_of(user: User, session: Session) -> bool:
    """Return whether a person is signed in with a session: another password or address has ended it."""
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    held = store.decode(session.session_data).get(HASH_SESSION_KEY, "")
    hashes = [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]
    return any(constant_time_compare(held, one) for one in hashes)


def _name_in(user_agent: str, names: Mapping[str, str]) -> str:
    return next((name for mark, name in names.items() if mark in user_agent), "")
