"""Invitations, and messages with triggers that keep them as they are."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

MESSAGE = "messages are append-only"
POSTGRESQL_INSTALL = (
    f"""
    CREATE OR REPLACE FUNCTION games_message_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION '{MESSAGE}' USING ERRCODE = 'restrict_violation'; END $$
    """,
    """
    CREATE TRIGGER games_message_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON games_message
    FOR EACH STATEMENT EXECUTE FUNCTION games_message_refuse_change()
    """,
)
POSTGRESQL_REMOVE = (
    "DROP TRIGGER IF EXISTS games_message_append_only ON games_message",
    "DROP FUNCTION IF EXISTS games_message_refuse_change()",
)
SQLITE_INSTALL = (
    f"""
    CREATE TRIGGER games_message_no_update BEFORE UPDATE ON games_message
    BEGIN SELECT RAISE(ABORT, '{MESSAGE}'); END
    """,
    f"""
    CREATE TRIGGER games_message_no_delete BEFORE DELETE ON games_message
    BEGIN SELECT RAISE(ABORT, '{MESSAGE}'); END
    """,
    # INSERT OR REPLACE deletes the old row without firing the trigger above.
    f"""
    CREATE TRIGGER games_message_no_replace BEFORE INSERT ON games_message
    WHEN EXISTS (SELECT 1 FROM games_message WHERE id = NEW.id)
    BEGIN SELECT RAISE(ABORT, '{MESSAGE}'); END
    """,  # noqa: S608 - no outside text gets in
)
SQLITE_REMOVE = (
    "DROP TRIGGER IF EXISTS games_message_no_update",
    "DROP TRIGGER IF EXISTS games_message_no_delete",
    "DROP TRIGGER IF EXISTS games_message_no_replace",
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
    """Two tables, and the triggers on messages by vendor."""

    dependencies = [
        ("games", "0003_clocks"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Invitation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField(verbose_name="at")),
                ("declined_at", models.DateTimeField(blank=True, null=True, verbose_name="declined at")),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="sent_invitations",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="invited by",
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="invitations",
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invitations",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="person",
                    ),
                ),
            ],
            options={
                "verbose_name": "invitation",
                "verbose_name_plural": "invitations",
                "constraints": [models.UniqueConstraint(fields=("game", "user"), name="invitation_once_a_game")],
            },
        ),
        migrations.CreateModel(
            name="Message",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seat", models.PositiveSmallIntegerField(verbose_name="seat")),
                ("text", models.CharField(max_length=1000, verbose_name="text")),
                ("at", models.DateTimeField(verbose_name="at")),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="messages",
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
            ],
            options={
                "verbose_name": "message",
                "verbose_name_plural": "messages",
                "indexes": [models.Index(fields=["game", "-id"], name="message_of_game")],
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("seat__gte", 1)), name="message_seat_positive"),
                    models.CheckConstraint(condition=models.Q(("text", ""), _negated=True), name="message_not_empty"),
                ],
            },
        ),
        migrations.RunPython(install, remove),
    ]
