# Fields get the names that the code uses now; the columns keep theirs, so no row is touched.

from django.db import migrations, models

import games.models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0004_invitations_and_messages"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="proposal",
            name="proposal_terms_to_consent_to",
        ),
        migrations.AlterField(
            model_name="game",
            name="expiry_told",
            field=models.BooleanField(
                db_column="expiry_told", default=False, verbose_name="told that it is about to expire"
            ),
        ),
        migrations.RenameField(
            model_name="game",
            old_name="expiry_told",
            new_name="expiry_noticed",
        ),
        migrations.AlterField(
            model_name="game",
            name="contract",
            field=models.JSONField(
                db_column="contract", default=games.models.default_time_control, verbose_name="time control"
            ),
        ),
        migrations.RenameField(
            model_name="game",
            old_name="contract",
            new_name="time_control",
        ),
        migrations.AlterField(
            model_name="proposal",
            name="contract",
            field=models.JSONField(blank=True, db_column="contract", null=True, verbose_name="proposed time control"),
        ),
        migrations.RenameField(
            model_name="proposal",
            old_name="contract",
            new_name="time_control",
        ),
        migrations.AlterField(
            model_name="proposal",
            name="kind",
            field=models.CharField(
                choices=[("cancel", "to cancel the game"), ("contract", "different time control")],
                max_length=10,
                verbose_name="kind",
            ),
        ),
        migrations.AlterField(
            model_name="remark",
            name="kind",
            field=models.CharField(
                choices=[
                    ("outage", "time given back after an outage"),
                    ("paused", "clock stopped by the staff"),
                    ("resumed", "clock started by the staff"),
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
            model_name="proposal",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "cancel"), ("time_control__isnull", True)),
                    models.Q(("kind", "contract"), ("time_control__isnull", False)),
                    _connector="OR",
                ),
                name="proposal_terms_to_consent_to",
            ),
        ),
    ]
