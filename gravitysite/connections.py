"""The pool of connections to PostgreSQL: one that was used a moment ago is taken at its word."""

from time import monotonic
from typing import Any, Final
from weakref import WeakKeyDictionary

from psycopg import Connection
from psycopg_pool import ConnectionPool

IDLE: Final = 1.0
"""Seconds after which a connection is asked whether it still works before it is used again."""

_returned: Final[WeakKeyDictionary[Connection[Any], float]] = WeakKeyDictionary()


def note_return(connection: Connection[Any]) -> None:
    """Remember when a connection came back to the pool."""
    _returned[connection] = monotonic()


def check_idle(connection: Connection[Any]) -> None:
    """Ask a connection that has idled whether it still works; the pool replaces one that raises.

    One that a restart of the server cuts while it is in use fails one request, which is answered by a 503.
    """
    returned = _returned.get(connection)
    if returned is None or monotonic() - returned > IDLE:
        ConnectionPool.check_connection(connection)
