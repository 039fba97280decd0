import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("notices", "0006_message_id"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="notice",
            name="tried_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="first tried at"),
        ),
        migrations.CreateModel(
            name="MailRefusal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField(verbose_name="at")),
                ("reply", models.CharField(max_length=200, verbose_name="reply")),
                ("gone", models.BooleanField(verbose_name="nobody has the address")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mail_refusals",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="person",
                    ),
                ),
            ],
            options={
                "verbose_name": "refusal of a mail",
                "verbose_name_plural": "refusals of mails",
                "indexes": [models.Index(fields=["at"], name="refusal_at")],
            },
        ),
    ]
