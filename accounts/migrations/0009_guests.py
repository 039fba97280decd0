"""Guest accounts, and the accounts that wait to take their place."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0008_board_view"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="guest_token",
            field=models.UUIDField(
                blank=True, editable=False, null=True, unique=True, verbose_name="token of the form"
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="is_guest",
            field=models.BooleanField(db_default=False, default=False, editable=False, verbose_name="guest account"),
        ),
        migrations.AddField(
            model_name="user",
            name="keeps",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
                verbose_name="keeps the games of",
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="seen_at",
            field=models.DateTimeField(blank=True, editable=False, null=True, verbose_name="last seen"),
        ),
        migrations.AddIndex(
            model_name="user",
            index=models.Index(condition=models.Q(("is_guest", True)), fields=["seen_at"], name="user_idle_guest"),
        ),
    ]
