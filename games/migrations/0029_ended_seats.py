"""A seat says when its game ended; seats of games that have ended already get it here."""

from typing import Any

from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def end_seats(apps: Any, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Copy the end of each game to its seats: one statement."""
    game, seat = apps.get_model("games", "Game"), apps.get_model("games", "Seat")
    end = game.objects.filter(pk=models.OuterRef("game")).values("finished_at")
    ended = seat.objects.filter(game__status__in=("finished", "cancelled"))
    ended.order_by().update(ended_at=models.Subquery(end))


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0028_ratings"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="ended_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="ended at"),
        ),
        migrations.RunPython(end_seats, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(fields=["user", "-ended_at", "-game"], name="seat_of_person"),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("public", True), ("status", "active")),
                fields=["-started_at", "-id"],
                name="game_started",
            ),
        ),
    ]
