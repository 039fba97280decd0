"""Invitations, and messages with triggers that keep them as they are."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from games.models.append_only import append_only, installing, removing

STATEMENTS = append_only("games_message", "messages are append-only")


class Migration(migrations.Migration):
    """Two tables, and the triggers on messages by vendor."""

    dependencies = [
        ("games", "0003_clocks"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Invitation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField(verbose_name="at")),
                ("declined_at", models.DateTimeField(blank=True, null=True, verbose_name="declined at")),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="sent_invitations",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="invited by",
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="invitations",
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invitations",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="person",
                    ),
                ),
            ],
            options={
                "verbose_name": "invitation",
                "verbose_name_plural": "invitations",
                "constraints": [models.UniqueConstraint(fields=("game", "user"), name="invitation_once_a_game")],
            },
        ),
        migrations.CreateModel(
            name="Message",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seat", models.PositiveSmallIntegerField(verbose_name="seat")),
                ("text", models.CharField(max_length=1000, verbose_name="text")),
                ("at", models.DateTimeField(verbose_name="at")),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="messages",
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
            ],
            options={
                "verbose_name": "message",
                "verbose_name_plural": "messages",
                "indexes": [models.Index(fields=["game", "-id"], name="message_of_game")],
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("seat__gte", 1)), name="message_seat_positive"),
                    models.CheckConstraint(condition=models.Q(("text", ""), _negated=True), name="message_not_empty"),
                ],
            },
        ),
        migrations.RunPython(installing(STATEMENTS), removing(STATEMENTS)),
    ]
