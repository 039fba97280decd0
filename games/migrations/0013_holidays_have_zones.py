"""A holiday has the zone in which its days are counted: so far that of its owner."""

from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.models import OuterRef, Subquery


def count_in_owners_zone(apps: StateApps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Give each holiday the present zone of its owner."""
    people = apps.get_model("accounts", "User").objects.filter(pk=OuterRef("user"))
    apps.get_model("games", "Holiday").objects.update(zone=Subquery(people.values("time_zone")[:1]))


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("games", "0012_form_tokens"),
    ]

    operations = [
        migrations.AddField(
            model_name="holiday",
            name="zone",
            field=models.CharField(db_default="UTC", max_length=64, verbose_name="time zone"),
        ),
        migrations.RunPython(count_in_owners_zone, migrations.RunPython.noop),
    ]
