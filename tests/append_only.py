"""Lets tests do to the append-only logs what their triggers rightly refuse."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final

from django.db import connection, transaction
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
DESCRIPTIVE: Final = {"django_content_type", "auth_permission"}
"""Tables whose rows follow from the models: Django's flush deletes them, and makes them anew."""


def empty_quickly() -> None:
    """After tests with real transactions delete what they wrote, where Django would empty every table there is."""

    def empty(case: Any) -> None:
        delete_all_rows()

    TransactionTestCase._fixture_teardown = empty  # type: ignore[attr-defined]


def delete_all_rows() -> None:
    """Delete the rows of all tables but the `DESCRIPTIVE` ones, also those of the append-only logs."""
    written = written_tables()
    if written:
        # Keys are looked at when it commits, so the order does not matter.
        with transaction.atomic(), lifted_triggers(), connection.cursor() as cursor:
            for table in written:
                cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")


def written_tables() -> list[str]:
    """Return the tables that hold rows, but for the `DESCRIPTIVE` ones."""
    tables = sorted(set(connection.introspection.django_table_names(only_existing=True)) - DESCRIPTIVE)
    quoted = map(connection.ops.quote_name, tables)
    with connection.cursor() as cursor:
        cursor.execute("SELECT " + ", ".join(f"EXISTS (SELECT 1 FROM {table})" for table in quoted))
        return [table for table, has_rows in zip(tables, cursor.fetchone(), strict=True) if has_rows]


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
