"""The processes of the last release go on while a new one's migrations are applied: these add, and take nothing."""

from collections.abc import Sequence

import pytest
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

OURS = {"accounts": 5, "games": 12, "notices": 9}
"""The apps, with the number of the last migration for which old processes had to be stopped, or that went before."""
JUDGED: dict[tuple[str, str], str] = {
    ("games", "0014_outages_of_one_game"): "the new constraint takes all rows that the old one took",
    ("notices", "0011_outlets"): "the rows that old processes write stand under the same constraints as before",
    ("games", "0027_removed_seats"): "likewise; rows of the new kind are written by the staff, who wait (CHANGELOG)",
}
"""Migrations that do more, with the reason why old processes live with it; where they do not, CHANGELOG says so."""
HARMLESS = (migrations.CreateModel, migrations.AddIndex, migrations.AlterModelOptions, migrations.RunPython)
LOADER = MigrationLoader(None)
LATER = sorted(key for key in LOADER.disk_migrations if key[0] in OURS and int(key[1].partition("_")[0]) > OURS[key[0]])


def takes(app: str, operations: Sequence[Operation], before: ProjectState) -> list[str]:
    """Return what processes would stumble upon that know the tables from before."""
    made = {operation.name_lower for operation in operations if isinstance(operation, migrations.CreateModel)}
    found = []
    for operation in operations:
        match operation:
            case migrations.AddField(field=field):
                fine = field.null or field.many_to_many or field.has_db_default()
            case migrations.AlterField(model_name_lower=model, name=name, field=field):
                fine = columns(before.models[app, model].fields[name]) == columns(field)
            case migrations.AddConstraint(model_name_lower=model):
                fine = model in made
            case _:
                fine = isinstance(operation, HARMLESS)
        if not (fine or getattr(operation, "model_name_lower", None) in made):
            found.append(operation.describe())
    return found


def columns(field: models.Field) -> object:
    """Return what the database knows of a field."""
    _name, path, args, kwargs = field.deconstruct()
    return path, args, {name: value for name, value in kwargs.items() if name not in field.non_db_attrs}


@pytest.mark.parametrize("key", LATER, ids=".".join)
def test_a_migration_only_adds_what_old_processes_may_ignore(key: tuple[str, str]) -> None:
    before = LOADER.project_state(key, at_end=False)
    assert takes(key[0], LOADER.disk_migrations[key].operations, before) == [] or key in JUDGED


def test_what_old_processes_may_not_ignore_is_noticed() -> None:
    assert ("accounts", "0006_account_mails_given_up") in LATER
    before = LOADER.project_state()
    wide, known = models.CharField(max_length=300), LOADER.project_state().models["games", "pause"].fields["reason"]
    breaking: list[Operation] = [
        migrations.AddField("game", "mood", models.CharField(max_length=8, default="")),  # its default is not kept
        migrations.RemoveField("game", "key"),
        migrations.RenameField("game", "key", "name"),
        migrations.AlterField("pause", "reason", wide),
        migrations.AddConstraint("pause", models.CheckConstraint(condition=models.Q(reason="staff"), name="one")),
        migrations.DeleteModel("pause"),
        migrations.RunSQL("DROP TABLE games_pause"),
    ]
    for operation in breaking:
        assert takes("games", [operation], before) == [operation.describe()]
    same = known.clone()
    same.verbose_name, same.choices = "why", [("staff", "the staff")]
    harmless: list[Operation] = [
        migrations.AddField("game", "mood", models.CharField(max_length=8, db_default="")),
        migrations.AddField("game", "mood", models.CharField(max_length=8, null=True)),
        migrations.AlterField("pause", "reason", same),
    ]
    assert takes("games", harmless, before) == []
