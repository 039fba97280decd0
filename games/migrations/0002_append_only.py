"""Make the database itself refuse to change or delete a row of the move log."""

from django.db import migrations

from games.models.append_only import append_only, installing, removing

STATEMENTS = append_only(
    "games_entry",
    "the move log is append-only",
    same="id = NEW.id OR (game_id = NEW.game_id AND seq = NEW.seq)",
)


class Migration(migrations.Migration):
    """Triggers on the move log, by vendor; another database is an error."""

    dependencies = [("games", "0001_initial")]
    operations = [migrations.RunPython(installing(STATEMENTS), removing(STATEMENTS))]
