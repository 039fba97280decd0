"""People whose address nobody has are counted for each scrape of the figures."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0006_account_mails_given_up")]

    operations = [
        migrations.AddIndex(
            "user",
            models.Index(
                fields=["is_active"], name="user_refused", condition=models.Q(("refused_address", ""), _negated=True)
            ),
        )
    ]
