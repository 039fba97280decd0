"""Games are counted by status for each scrape of the figures."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0014_outages_of_one_game")]

    operations = [migrations.AddIndex("game", models.Index(fields=["status"], name="game_status"))]
