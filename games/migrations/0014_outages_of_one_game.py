"""An outage may be of one game: the time between its export and its import."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("games", "0013_holidays_have_zones")]

    operations = [
        migrations.RemoveConstraint(model_name="pause", name="pause_of_game_or_site"),
        migrations.AddConstraint(
            model_name="pause",
            constraint=models.CheckConstraint(
                name="pause_outage_is_over", condition=Q(reason="staff") | Q(reason="outage", end__isnull=False)
            ),
        ),
    ]
