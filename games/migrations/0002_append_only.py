"""Make the database itself refuse to change or delete a row of the move log."""

from typing import Any

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

MESSAGE = "the move log is append-only"

POSTGRESQL_INSTALL = (
    f"""
    CREATE OR REPLACE FUNCTION games_entry_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION '{MESSAGE}' USING ERRCODE = 'restrict_violation'; END $$
    """,
    """
    CREATE TRIGGER games_entry_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON games_entry
    FOR EACH STATEMENT EXECUTE FUNCTION games_entry_refuse_change()
    """,
)
POSTGRESQL_REMOVE = (
    "DROP TRIGGER IF EXISTS games_entry_append_only ON games_entry",
    "DROP FUNCTION IF EXISTS games_entry_refuse_change()",
)
SQLITE_INSTALL = (
    f"""
    CREATE TRIGGER games_entry_no_update BEFORE UPDATE ON games_entry
    BEGIN SELECT RAISE(ABORT, '{MESSAGE}'); END
    """,
    f"""
    CREATE TRIGGER games_entry_no_delete BEFORE DELETE ON games_entry
    BEGIN SELECT RAISE(ABORT, '{MESSAGE}'); END
    """,
    # INSERT OR REPLACE deletes the old row without firing the trigger above.
    f"""
    CREATE TRIGGER games_entry_no_replace BEFORE INSERT ON games_entry
    WHEN EXISTS (SELECT 1 FROM games_entry WHERE id = NEW.id OR (game_id = NEW.game_id AND seq = NEW.seq))
    BEGIN SELECT RAISE(ABORT, '{MESSAGE}'); END
    """,  # noqa: S608 - no outside text gets in
)
SQLITE_REMOVE = (
    "DROP TRIGGER IF EXISTS games_entry_no_update",
    "DROP TRIGGER IF EXISTS games_entry_no_delete",
    "DROP TRIGGER IF EXISTS games_entry_no_replace",
)
STATEMENTS = {
    "postgresql": (POSTGRESQL_INSTALL, POSTGRESQL_REMOVE),
    "sqlite": (SQLITE_INSTALL, SQLITE_REMOVE),
}


def install(_apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Create the triggers."""
    for statement in STATEMENTS[schema_editor.connection.vendor][0]:
        schema_editor.execute(statement)


def remove(_apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Drop the triggers."""
    for statement in STATEMENTS[schema_editor.connection.vendor][1]:
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    """Triggers on the move log, by vendor; another database is an error."""

    dependencies = [("games", "0001_initial")]
    operations = [migrations.RunPython(install, remove)]
