"""Access tokens, and that the staff can revoke them."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0016_shows_seen"),
    ]

    operations = [
        migrations.AlterField(
            model_name="staffaction",
            name="act",
            field=models.CharField(
                choices=[
                    ("warn", "warned a person"),
                    ("silence", "silenced a person"),
                    ("suspend", "suspended a person"),
                    ("lift", "lifted what a person was barred from"),
                    ("rename", "took a person's name away"),
                    ("take-report", "took a report"),
                    ("close-report", "closed a report"),
                    ("add-person", "added a person"),
                    ("change-person", "changed a person's account"),
                    ("delete-person", "deleted an account"),
                    ("end-sessions", "signed a person out everywhere"),
                    ("remove-factors", "removed second factors"),
                    ("revoke-tokens", "revoked access tokens"),
                    ("send-again", "let mails be sent again"),
                    ("change-group", "changed a group of the staff"),
                    ("pause", "stopped the clock of a game"),
                    ("resume", "started the clock of a game"),
                    ("give-time", "gave time"),
                    ("retire", "put a seat out of a game"),
                    ("rename-game", "took a game's name away"),
                    ("stop-clocks", "stopped the clocks of all games"),
                    ("start-clocks", "started the clocks of all games"),
                    ("mark-outage", "marked an outage"),
                    ("unmark-outage", "took an outage back"),
                ],
                max_length=20,
                verbose_name="what",
            ),
        ),
        migrations.CreateModel(
            name="AccessToken",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=50, verbose_name="name")),
                ("start", models.CharField(max_length=8, verbose_name="start")),
                ("hash", models.CharField(editable=False, max_length=64, unique=True, verbose_name="hash")),
                ("scopes", models.CharField(max_length=40, verbose_name="scopes")),
                ("made_at", models.DateTimeField(verbose_name="made at")),
                ("used_at", models.DateTimeField(blank=True, null=True, verbose_name="last used")),
                ("expires_at", models.DateTimeField(blank=True, null=True, verbose_name="expires at")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="access_tokens",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="person",
                    ),
                ),
            ],
            options={
                "verbose_name": "access token",
                "verbose_name_plural": "access tokens",
                "indexes": [
                    models.Index(
                        condition=models.Q(("expires_at", None), _negated=True),
                        fields=["expires_at"],
                        name="access_token_ends",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("user", "name"), name="access_token_name"),
                    models.CheckConstraint(
                        condition=models.Q(("scopes", ""), _negated=True), name="access_token_has_scope"
                    ),
                ],
            },
        ),
    ]
