"""Django's sessions in the database, read by a statement that is compiled once: every request of a person reads one."""

from typing import Final

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db.models import DateTimeField
from django.utils import timezone

from statements import Parameter, Select

SESSION: Final = Select(
    Session.objects.filter(session_key=Parameter("key"), expire_date__gt=Parameter("now", DateTimeField()))
)


class SessionStore(db.SessionStore):
    """The sessions of `django.contrib.sessions.backends.db`: same table, same cookies."""

    def _get_session_from_db(self) -> Session | None:
        """Return the session's row, or None, and forget the key, where there is none or it has expired."""
        found = None if self.session_key is None else SESSION.first(key=self.session_key, now=timezone.now())
        if found is None:
            self._session_key = None
        return found
