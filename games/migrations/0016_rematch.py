"""A finished game has one rematch."""

from django.db import migrations, models
from django.db.models import deletion


class Migration(migrations.Migration):
    dependencies = [("games", "0015_count_games")]

    operations = [
        migrations.AddField(
            model_name="game",
            name="rematch_of",
            field=models.OneToOneField(
                "games.game",
                verbose_name="rematch of",
                null=True,
                blank=True,
                on_delete=deletion.PROTECT,
                related_name="+",
            ),
        ),
    ]
