"""Who seems to live in one household, and whether ratings are shown to others."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0013_safety"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="ratings_shown",
            field=models.BooleanField(
                db_default=True, default=True, verbose_name="show my ratings and results to others"
            ),
        ),
        migrations.CreateModel(
            name="Trace",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("network", "network"), ("device", "browser")], max_length=8, verbose_name="kind"
                    ),
                ),
                ("digest", models.CharField(max_length=32, verbose_name="keyed hash")),
                ("seen_at", models.DateTimeField(verbose_name="last seen")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="user",
                    ),
                ),
            ],
            options={
                "verbose_name": "trace",
                "verbose_name_plural": "traces",
                "indexes": [
                    models.Index(fields=["kind", "digest"], name="trace_of_place"),
                    models.Index(fields=["seen_at"], name="trace_seen"),
                ],
                "constraints": [models.UniqueConstraint(fields=("user", "kind", "digest"), name="trace_once")],
            },
        ),
    ]
