"""Reports to the staff, and games for their players only."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0020_notes"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Report",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("message", "a message"),
                            ("name", "a name"),
                            ("conduct", "how someone plays or behaves"),
                        ],
                        max_length=10,
                        verbose_name="kind",
                    ),
                ),
                ("thing", models.CharField(editable=False, max_length=60, verbose_name="thing")),
                ("quoted", models.CharField(blank=True, max_length=1000, verbose_name="message")),
                ("name", models.CharField(max_length=150, verbose_name="name")),
                ("text", models.CharField(blank=True, max_length=1000, verbose_name="what was reported")),
                ("at", models.DateTimeField(verbose_name="at")),
                (
                    "state",
                    models.CharField(
                        choices=[("open", "open"), ("taken", "taken"), ("closed", "closed")],
                        default="open",
                        max_length=10,
                        verbose_name="state",
                    ),
                ),
                ("taken_by", models.CharField(blank=True, max_length=150, verbose_name="taken by")),
                ("closed_at", models.DateTimeField(blank=True, null=True, verbose_name="closed at")),
                (
                    "outcome",
                    models.CharField(
                        blank=True,
                        choices=[("acted", "something was done"), ("nothing", "nothing was done")],
                        max_length=10,
                        verbose_name="outcome",
                    ),
                ),
            ],
            options={
                "verbose_name": "report",
                "verbose_name_plural": "reports",
            },
        ),
        migrations.AddField(
            model_name="game",
            name="players_only",
            field=models.BooleanField(db_default=False, default=False, verbose_name="for its players only"),
        ),
        migrations.AddField(
            model_name="report",
            name="game",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="games.game",
                verbose_name="game",
            ),
        ),
        migrations.AddField(
            model_name="report",
            name="message",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="games.message",
                verbose_name="message",
            ),
        ),
        migrations.AddField(
            model_name="report",
            name="reported",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="reports",
                to=settings.AUTH_USER_MODEL,
                verbose_name="person",
            ),
        ),
        migrations.AddField(
            model_name="report",
            name="reporter",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="reports_made",
                to=settings.AUTH_USER_MODEL,
                verbose_name="reported by",
            ),
        ),
        migrations.AddIndex(
            model_name="report",
            index=models.Index(fields=["state", "at"], name="report_queue"),
        ),
        migrations.AddIndex(
            model_name="report",
            index=models.Index(
                condition=models.Q(("closed_at__isnull", False)), fields=["closed_at"], name="report_closed"
            ),
        ),
        migrations.AddConstraint(
            model_name="report",
            constraint=models.UniqueConstraint(
                condition=models.Q(models.Q(("state", "closed"), _negated=True), ("reporter__isnull", False)),
                fields=("reporter", "thing"),
                name="report_open_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="report",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("closed_at__isnull", False), ("state", "closed"), models.Q(("outcome", ""), _negated=True)
                    ),
                    models.Q(
                        models.Q(("state", "closed"), _negated=True), ("closed_at__isnull", True), ("outcome", "")
                    ),
                    _connector="OR",
                ),
                name="report_closed_has_outcome",
            ),
        ),
    ]
