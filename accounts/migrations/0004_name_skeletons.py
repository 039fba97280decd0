from django.core.exceptions import ValidationError
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

import accounts.models
from accounts.names import skeleton, validate_name, validate_person


def backfill(apps: StateApps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Keep every name; ask for another one where it looks like an older one, or could not be taken now."""
    User = apps.get_model("accounts", "User")
    taken = set()
    for user in User.objects.order_by("date_joined", "pk").iterator():
        looks = skeleton(user.display_name)
        user.name_asked = looks in taken or not (user.is_staff or is_sound(user.display_name))
        user.name_skeleton = f"{looks}\n{user.pk}" if looks in taken else looks
        taken.add(looks)
        # Not through `save`, which would fold the name anew.
        User.objects.filter(pk=user.pk).update(name_skeleton=user.name_skeleton, name_asked=user.name_asked)


def is_sound(name: str) -> bool:
    try:
        validate_name(name)
        validate_person(name)
    except ValidationError:
        return False
    return True


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0003_confirmed_addresses"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="name_asked",
            field=models.BooleanField(default=False, editable=False, verbose_name="asked for another name"),
        ),
        migrations.AddField(
            model_name="user",
            name="name_skeleton",
            field=accounts.models.SkeletonField(default="", editable=False, max_length=180, source="display_name"),
            preserve_default=False,
        ),
        migrations.RunPython(backfill, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="user",
            name="name_skeleton",
            field=accounts.models.SkeletonField(
                editable=False,
                error_messages={"unique": "That name is already taken."},
                max_length=180,
                source="display_name",
                unique=True,
            ),
        ),
    ]
