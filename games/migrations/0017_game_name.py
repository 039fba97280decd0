"""A game may have a name."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0016_rematch")]

    operations = [
        migrations.AddField(
            model_name="game",
            name="name",
            field=models.CharField("name", max_length=40, default="", db_default="", blank=True),
        ),
    ]
