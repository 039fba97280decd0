import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0004_name_skeletons"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="quiet_from",
            field=models.PositiveSmallIntegerField(
                blank=True,
                null=True,
                validators=[django.core.validators.MaxValueValidator(23)],
                verbose_name="quiet hours from",
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="quiet_until",
            field=models.PositiveSmallIntegerField(
                blank=True,
                null=True,
                validators=[django.core.validators.MaxValueValidator(23)],
                verbose_name="quiet hours until",
            ),
        ),
    ]
