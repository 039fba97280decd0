# The last position of a running game moves to the game's row; the others are replayed from the log when asked for.

from typing import Any

from django.db import migrations, models

RUNNING = "active"


def move_positions(apps: Any, _schema_editor: Any) -> None:
    Game = apps.get_model("games", "Game")
    Position = apps.get_model("games", "Position")
    for game in Game.objects.filter(status=RUNNING).only("pk", "seq").iterator():
        latest = Position.objects.filter(game_id=game.pk, seq=game.seq).first()
        if latest is not None:
            Game.objects.filter(pk=game.pk).update(state=latest.state, events=latest.events)


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0005_time_control"),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="state",
            field=models.TextField(blank=True, default="", verbose_name="state"),
        ),
        migrations.AddField(
            model_name="game",
            name="events",
            field=models.JSONField(blank=True, default=list, verbose_name="events"),
        ),
        migrations.RunPython(move_positions, migrations.RunPython.noop),
        migrations.DeleteModel(name="Position"),
        migrations.AlterModelOptions(
            name="game",
            options={"base_manager_name": "objects", "verbose_name": "game", "verbose_name_plural": "games"},
        ),
    ]
