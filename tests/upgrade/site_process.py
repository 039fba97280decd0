"""A site of an older version, brought up to date and played on: ``python -m tests.upgrade.site_process``.

``rows.jsonl`` holds the rows of a site as SQLite kept them before the rooms of ``games`` were named: for each table a
line with its columns, then a line a row. That version's own commands made them: games of every status, one with goodie
cards and a computer player, proposals, a stopped clock, an outage, messages, notices sent and waiting, a holiday, a
deleted account. The output is one JSON object of what was seen.
"""

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any, Final

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gravitysite.settings")
django.setup()

from django.core.management import call_command  # noqa: E402
from django.core.management.color import no_style  # noqa: E402
from django.db import connection, models  # noqa: E402
from django.db.migrations.executor import MigrationExecutor  # noqa: E402

from games import commands, queries  # noqa: E402
from games.delivery.deliver import send_due  # noqa: E402
from games.log.positions import position_at, rules_of  # noqa: E402
from games.models import Game, Seat  # noqa: E402
from games.models.choices import Status  # noqa: E402
from games.notices.models import Notice  # noqa: E402

ROWS: Final = Path(__file__).with_name("rows.jsonl")
BEFORE: Final = [
    ("accounts", "0002_mail_address"),
    ("games", "0004_invitations_and_messages"),
    ("notices", "0002_invitations_and_messages"),
]
"""The last migrations of the version that made the rows."""
NOW: Final = datetime(2026, 11, 27, 18, tzinfo=UTC)


def main() -> None:
    """Migrate, compare, play on; print what was seen."""
    fill()
    call_command("migrate", verbosity=0)
    seen: dict[str, Any] = {
        "exported": output_of("export_games"),
        "verified": output_of("verify_games"),
        "waiting": Notice.objects.filter(state="waiting").count(),
    }
    seen["mails"] = send_due(NOW)
    stored = Notice.objects.filter(state="waiting", kind="clock", at__gt=NOW).order_by("at")
    seen["warned as before"] = [warned(notice) for notice in stored]
    seen["played"] = {game.key: play_on(game) for game in Game.objects.filter(status=Status.ACTIVE)}
    seen["lines"] = [lines_of(game) for game in Game.objects.exclude(started_at=None)]
    seen["warned"] = [warned_anew(game) for game in Game.objects.exclude(warning_at=None)]
    seen["verified afterwards"] = output_of("verify_games")
    print(json.dumps(seen))  # noqa: T201 - for who started the process


def fill() -> None:
    """Make the tables of the older version and put the rows into them."""
    executor = MigrationExecutor(connection)
    others = [key for key in executor.loader.graph.leaf_nodes() if key[0] not in dict(BEFORE)]
    state = executor.migrate([*BEFORE, *others])
    old = {model._meta.db_table: model for model in state.apps.get_models()}
    stored: dict[type[models.Model], list[models.Model]] = {}
    for model, columns, row in rows(old):
        fields = {field.column: field for field in model._meta.concrete_fields}
        values = {fields[name].attname: read(fields[name], value) for name, value in zip(columns, row, strict=True)}
        stored.setdefault(model, []).append(model(**values))
    with connection.constraint_checks_disabled():
        for model, made in stored.items():
            model._default_manager.bulk_create(made)
    for statement in connection.ops.sequence_reset_sql(no_style(), list(old.values())):
        with connection.cursor() as cursor:
            cursor.execute(statement)


def rows(old: dict[str, type[models.Model]]) -> Iterator[tuple[type[models.Model], list[str], list[Any]]]:
    """Yield model, columns and values of each row, people and games before what belongs to them."""
    tables: dict[str, tuple[list[str], list[list[Any]]]] = {}
    for line in map(json.loads, ROWS.read_text().splitlines()):
        if isinstance(line, dict):
            tables[line["table"]] = (line["columns"], [])
            newest = line["table"]
        else:
            tables[newest][1].append(line)
    first = ("accounts_user", "games_game", "games_pause", "games_proposal")
    for table in (*first, *(name for name in tables if name not in first)):
        columns, values = tables[table]
        for row in values:
            yield old[table], columns, row


def read(field: models.Field[Any, Any], value: Any) -> Any:
    """Return a value as the model has it."""
    if isinstance(field, models.JSONField):
        return None if value is None else json.loads(value)
    if isinstance(field, models.DateTimeField) and value is not None:
        return datetime.fromisoformat(value).replace(tzinfo=UTC)
    return field.to_python(value)


def output_of(command: str) -> list[str]:
    """Return the lines that a management command prints."""
    output = StringIO()
    call_command(command, stdout=output)
    return output.getvalue().splitlines()


def play_on(game: Game) -> int:
    """Play one turn of whoever is to move; return how many entries the game has then."""
    rules, rng = rules_of(game), Random(3)
    seat = Seat.objects.get(game=game, number=game.to_move)
    if seat.bot:
        commands.play_bot_turn(game_id=game.pk, seq=game.seq, rng=rng, now=NOW)
    else:
        assert seat.user is not None
        turn = rules.choose_turn(rules.bots[0], position_at(game, game.seq).state, rng)
        commands.play_turn(game_key=game.key, user=seat.user, seq=game.seq, turn=turn, now=NOW)
    return Game.objects.get(pk=game.pk).entries.count()


def warned(notice: Notice) -> list[str]:
    """Send what is due when a warning comes that the older version had stored; return what became of it."""
    send_due(notice.at)
    notice.refresh_from_db()
    return [notice.state, notice.cause]


def warned_anew(game: Game) -> list[str]:
    """Send what is due when the next warning of a game comes; return what became of its rows."""
    assert game.warning_at is not None
    send_due(game.warning_at)
    return list(game.notices.filter(kind="clock", at=game.warning_at).values_list("state", flat=True))


def lines_of(game: Game) -> int:
    """Return how many entries of the log a guest may read."""
    return len(queries.log_page(queries.game_page(game.key, None).game, None, size=10_000))


if __name__ == "__main__":
    main()
