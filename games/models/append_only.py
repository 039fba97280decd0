"""Triggers that keep the rows of a table as they are. Migrations rely on them, so what is made here never changes."""

from collections.abc import Callable
from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor

type Statements = dict[str, tuple[tuple[str, ...], tuple[str, ...]]]
"""SQL by database vendor: what installs the triggers of a table, and what removes them."""


def append_only(table: str, message: str, *, same: str = "id = NEW.id") -> Statements:
    """Return the triggers that refuse to change or delete rows of ``table``.

    ``message`` is the database's refusal; ``same`` the condition under which a new row would replace an old one.
    """
    refuse = f"BEGIN SELECT RAISE(ABORT, '{message}'); END"
    on_postgresql = (
        f"""
        CREATE OR REPLACE FUNCTION {table}_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION '{message}' USING ERRCODE = 'restrict_violation'; END $$
        """,
        f"""
        CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}
        FOR EACH STATEMENT EXECUTE FUNCTION {table}_refuse_change()
        """,
    )
    on_sqlite = (
        f"CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} {refuse}",
        f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} {refuse}",
        # INSERT OR REPLACE deletes the old row without firing the trigger above.
        f"""
        CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table}
        WHEN EXISTS (SELECT 1 FROM {table} WHERE {same}) {refuse}
        """,  # noqa: S608 - no outside text gets in
    )
    off_postgresql = (
        f"DROP TRIGGER IF EXISTS {table}_append_only ON {table}",
        f"DROP FUNCTION IF EXISTS {table}_refuse_change()",
    )
    off_sqlite = tuple(f"DROP TRIGGER IF EXISTS {table}_no_{what}" for what in ("update", "delete", "replace"))
    return {"postgresql": (on_postgresql, off_postgresql), "sqlite": (on_sqlite, off_sqlite)}


def installing(statements: Statements) -> Callable[[Any, BaseDatabaseSchemaEditor], None]:
    """Return the step of a migration that creates the triggers; a database they are not written for is an error."""
    return _running(statements, 0)


def removing(statements: Statements) -> Callable[[Any, BaseDatabaseSchemaEditor], None]:
    """Return the step of a migration that drops the triggers."""
    return _running(statements, 1)


def _running(statements: Statements, part: int) -> Callable[[Any, BaseDatabaseSchemaEditor], None]:
    def run(_apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
        for statement in statements[schema_editor.connection.vendor][part]:
            schema_editor.execute(statement)

    return run
