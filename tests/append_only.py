"""Lets the test runner empty the database between tests, which the append-only logs rightly refuse."""

from importlib import import_module
from typing import Any, Final

from django.db import connection
from django.test import TransactionTestCase

INSTALL: Final = 0
REMOVE: Final = 1
MIGRATIONS: Final = ("games.migrations.0002_append_only", "games.migrations.0003_clocks")


def let_logs_be_flushed() -> None:
    """Lift the triggers of the append-only tables for the flush that follows a test with real transactions."""
    flush = TransactionTestCase._fixture_teardown  # type: ignore[attr-defined]

    def flush_without_triggers(case: Any) -> None:
        _run(REMOVE)
        try:
            flush(case)
        finally:
            _run(INSTALL)

    TransactionTestCase._fixture_teardown = flush_without_triggers  # type: ignore[attr-defined]


def _run(part: int) -> None:
    with connection.cursor() as cursor:
        for name in MIGRATIONS:
            for statement in import_module(name).STATEMENTS[connection.vendor][part]:
                cursor.execute(statement)
