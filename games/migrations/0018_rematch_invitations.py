"""An invitation says of which game it is a rematch that it asks for."""

from django.db import migrations, models
from django.db.models import deletion


class Migration(migrations.Migration):
    dependencies = [("games", "0017_game_name")]

    operations = [
        migrations.AddField(
            model_name="invitation",
            name="rematch_of",
            field=models.ForeignKey(
                "games.game",
                verbose_name="rematch of",
                null=True,
                blank=True,
                on_delete=deletion.PROTECT,
                related_name="+",
            ),
        ),
    ]
