from secrets import token_hex

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def backfill(apps: StateApps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Take from allauth's rows who is confirmed; whoever signed up and never confirmed has no address any more.

    Who has no such row was made by the staff or the command line, and counts as confirmed, as such people do now.
    """
    User = apps.get_model("accounts", "User")
    EmailAddress = apps.get_model("account", "EmailAddress")
    mine = EmailAddress.objects.filter(user=models.OuterRef("pk"))
    confirmed = mine.filter(verified=True, email=models.OuterRef("email"))
    taken = EmailAddress.objects.filter(verified=True, email=models.OuterRef("email"))
    made = User.objects.exclude(models.Exists(mine)).exclude(models.Exists(taken))
    rows = (EmailAddress(user=user, email=user.email, primary=True, verified=True) for user in made.iterator())
    EmailAddress.objects.bulk_create(rows)
    User.objects.filter(models.Exists(confirmed)).update(confirmed_address=models.F("email"))
    waiting = User.objects.filter(models.Exists(mine), confirmed_address="", last_login=None, is_staff=False)
    for user in waiting.iterator():
        user.email = f"{token_hex(16)}@unconfirmed.invalid"
        user.save(update_fields=["email"])


class Migration(migrations.Migration):
    dependencies = [
        ("account", "0009_emailaddress_unique_primary_email"),
        ("accounts", "0002_mail_address"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="confirmed_address",
            field=models.EmailField(blank=True, editable=False, max_length=254, verbose_name="confirmed address"),
        ),
        migrations.CreateModel(
            name="AccountMail",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("template", models.CharField(max_length=40, verbose_name="template")),
                ("address", models.EmailField(max_length=254, verbose_name="e-mail address")),
                ("params", models.JSONField(default=dict, verbose_name="parameters")),
                ("language", models.CharField(max_length=7, verbose_name="language")),
                ("at", models.DateTimeField(verbose_name="asked for")),
                ("due_at", models.DateTimeField(verbose_name="looked at next")),
                ("attempts", models.PositiveSmallIntegerField(default=0, verbose_name="attempts")),
                ("closed_at", models.DateTimeField(blank=True, null=True, verbose_name="sent or closed at")),
                ("sent", models.BooleanField(default=False, verbose_name="sent")),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="user",
                    ),
                ),
            ],
            options={
                "verbose_name": "account mail",
                "verbose_name_plural": "account mails",
                "indexes": [
                    models.Index(condition=models.Q(("closed_at", None)), fields=["due_at"], name="account_mail_due"),
                    models.Index(fields=["address", "at"], name="account_mail_address"),
                ],
            },
        ),
        migrations.RunPython(backfill, migrations.RunPython.noop),
    ]
