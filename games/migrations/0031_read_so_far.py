"""What was written before there were marks counts as read, though nobody knows who has seen it."""

from typing import Any

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

MARK = """
    INSERT INTO games_seenmark (game_id, user_id, up_to, at)
    SELECT seat.game_id, seat.user_id, MAX(message.id), NULL
    FROM games_seat seat JOIN games_message message ON message.game_id = seat.game_id
    WHERE seat.user_id IS NOT NULL
    GROUP BY seat.game_id, seat.user_id
"""


def mark(_apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    schema_editor.execute(MARK)


class Migration(migrations.Migration):
    dependencies = [("games", "0030_talk")]

    operations = [migrations.RunPython(mark, migrations.RunPython.noop)]
