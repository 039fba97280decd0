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

from statements import Parameter, Select

SESSION: Final = Select(
    Session.objects.filter(session_key=Parameter("key"), expire_date__gt=Parameter("now", DateTimeField()))
)


PROLONGED_EVERY: Final = timedelta(days=1)
"""How much of its age a session loses before a request gives it all of it again: one write a day."""


class SessionStore(db.SessionStore):
    """The sessions of `django.contrib.sessions.backends.db`: same table, same cookies."""

    expires_at: datetime | None = None
    """Until when the session lasts as it was read; None where there is none yet."""

    def prolong(self, now: datetime) -> None:
        """Let the session last its whole age again, unless that was done within the last day."""
        full = now + timedelta(seconds=settings.SESSION_COOKIE_AGE)
        if self.expires_at is not None and self.expires_at < full - PROLONGED_EVERY:
            self.modified = True

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
        if request.user.is_authenticated and isinstance(request.session, SessionStore):
            request.session.prolong(timezone.now())
        return response
