"""Lists of public games to watch: those that are played, and those that have ended."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0018_rematch_invitations")]

    operations = [
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                name="game_running",
                fields=["-turn_began_at", "-id"],
                condition=models.Q(status="active", public=True),
            ),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                name="game_finished",
                fields=["-finished_at", "-id"],
                condition=models.Q(status="finished", public=True),
            ),
        ),
    ]
