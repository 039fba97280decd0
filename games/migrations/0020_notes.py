"""What players write down about their games for themselves."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("games", "0019_games_to_watch"),
    ]

    operations = [
        migrations.CreateModel(
            name="Note",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.CharField(max_length=4000, verbose_name="text")),
                ("at", models.DateTimeField(verbose_name="at")),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="person",
                    ),
                ),
            ],
            options={"verbose_name": "private note", "verbose_name_plural": "private notes"},
        ),
        migrations.AddConstraint(
            model_name="note",
            constraint=models.UniqueConstraint(fields=("user", "game"), name="note_once_a_game"),
        ),
        migrations.AddConstraint(
            model_name="note",
            constraint=models.CheckConstraint(condition=~models.Q(text=""), name="note_not_empty"),
        ),
    ]
