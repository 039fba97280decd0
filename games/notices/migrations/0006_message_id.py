from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("notices", "0005_unconfirmed_people"),
    ]

    operations = [
        migrations.AlterField(
            model_name="notice",
            name="message_id",
            field=models.CharField(blank=True, max_length=320, verbose_name="Message-ID"),
        ),
    ]
