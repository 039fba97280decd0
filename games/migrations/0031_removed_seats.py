"""A seat that the staff puts out of a game has a remark, in which players read why."""

from django.db import migrations, models

from games.models.append_only import append_only, installing, removing

REMARKS = append_only("games_remark", "remarks are append-only")


class Migration(migrations.Migration):
    dependencies = [("games", "0030_safety")]

    operations = [
        # SQLite makes the table anew, which would lose the triggers.
        migrations.RunPython(removing(REMARKS), installing(REMARKS)),
        migrations.RemoveConstraint(
            model_name="remark",
            name="remark_kind_known",
        ),
        migrations.AlterField(
            model_name="remark",
            name="kind",
            field=models.CharField(
                choices=[
                    ("outage", "time given back after an outage"),
                    ("maintenance", "clocks of all games stopped by the staff"),
                    ("undone", "outage taken back by the staff"),
                    ("given", "time given by the staff"),
                    ("paused", "clock stopped by the staff"),
                    ("resumed", "clock started by the staff"),
                    ("removed", "seat put out by the staff"),
                    ("asked", "consent asked for"),
                    ("agreed", "consent given"),
                    ("refused", "consent refused"),
                    ("withdrawn", "proposal withdrawn"),
                    ("lapsed", "proposal lapsed"),
                    ("new-contract", "different time control"),
                    ("cancelled", "game cancelled"),
                    ("expired", "open game expired"),
                ],
                max_length=20,
                verbose_name="kind",
            ),
        ),
        migrations.AddConstraint(
            model_name="remark",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "kind__in",
                        [
                            "outage",
                            "maintenance",
                            "undone",
                            "given",
                            "paused",
                            "resumed",
                            "removed",
                            "asked",
                            "agreed",
                            "refused",
                            "withdrawn",
                            "lapsed",
                            "new-contract",
                            "cancelled",
                            "expired",
                        ],
                    )
                ),
                name="remark_kind_known",
            ),
        ),
        migrations.RunPython(installing(REMARKS), removing(REMARKS)),
    ]
