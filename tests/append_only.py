"""Lets tests do to the append-only logs what their triggers rightly refuse."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final

from django.db import connection
from django.test import TransactionTestCase

INSTALL: Final = 0
REMOVE: Final = 1
MIGRATIONS: Final = (
    "accounts.migrations.0013_safety",
    "games.migrations.0002_append_only",
    "games.migrations.0003_clocks",
    "games.migrations.0004_invitations_and_messages",
    "games.migrations.0030_talk",
)


def let_logs_be_flushed() -> None:
    """Lift the triggers for the flush that follows a test with real transactions."""
    flush = TransactionTestCase._fixture_teardown  # type: ignore[attr-defined]

    def flush_without_triggers(case: Any) -> None:
        with lifted_triggers():
            flush(case)

    TransactionTestCase._fixture_teardown = flush_without_triggers  # type: ignore[attr-defined]


@contextmanager
def lifted_triggers() -> Iterator[None]:
    """Take the triggers of the append-only tables away for a while."""
    _run(REMOVE)
    try:
        yield
    finally:
        _run(INSTALL)


def _run(part: int) -> None:
    with connection.cursor() as cursor:
        for name in MIGRATIONS:
            for statement in import_module(name).STATEMENTS[connection.vendor][part]:
                cursor.execute(statement)
