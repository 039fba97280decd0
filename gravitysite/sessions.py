"""Django's sessions in the database, read by a statement that is compiled once: every request of a person reads one."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db.models import DateTimeField
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts.attempts import browser_of
from accounts.households import note_traces
from accounts.models import AccessToken, User
from accounts.sessions import note_session
from statements import Parameter, Select

SESSION: Final = Select(
    Session.objects.filter(session_key=Parameter("key"), expire_date__gt=Parameter("now", DateTimeField()))
)


PROLONGED_EVERY: Final = timedelta(hours=1)
"""How much of its age a session loses before a request gives it all of it again: one write an hour.

When a session was last seen follows from its end (`accounts.sessions`), and is no more exact than this.
"""


class SessionStore(db.SessionStore):
    """The sessions of `django.contrib.sessions.backends.db`: same table, same cookies."""

    expires_at: datetime | None = None
    """Until when the session lasts as it was read; None where there is none yet."""

    def prolong(self, now: datetime) -> bool:
        """Let the session last its whole age again, once an hour at most; return whether it does so now."""
        full = now + timedelta(seconds=settings.SESSION_COOKIE_AGE)
        if self.expires_at is None or self.expires_at >= full - PROLONGED_EVERY:
            return False
        self.modified = True
        return True

    def _get_session_from_db(self) -> Session | None:
        """Return the session's row, or None, and forget the key, where there is none or it has expired."""
        found = None if self.session_key is None else SESSION.first(key=self.session_key, now=timezone.now())
        if found is None:
            self._session_key = None
        else:
            self.expires_at = found.expire_date
        return found


class KeepSignedInMiddleware:
    """Lets a session last for as long as its person comes back in time; polls of an open page count."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer one request, and prolong the session of who asked."""
        response = self.get_response(request)
        if isinstance(getattr(request, "auth", None), AccessToken):
            return response  # the person is the token's, the session whoever's its cookie is
        user, session = request.user, request.session
        if isinstance(user, User) and isinstance(session, SessionStore) and session.prolong(timezone.now()):
            note_session(request, user)  # it is there already, unless the session began before such notes were taken
            note_traces(request, user, browser_of(request), timezone.now())
        return response
