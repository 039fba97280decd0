"""Whether the others in a game see what a person has read."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0015_names_of_games_taken"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="shows_seen",
            field=models.BooleanField(db_default=True, default=True, verbose_name="shows what is read"),
        ),
    ]
