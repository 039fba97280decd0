"""Storing very many rows at once: by COPY on PostgreSQL, by statements with many rows elsewhere."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final

from django.core.management.color import no_style
from django.db import connection
from django.db.models import Field, JSONField, Model

type Row = tuple[Any, ...]

BATCH: Final = 50_000
"""So many rows of a table wait at most to be stored."""
STRIPPED: Final = """
SELECT 'ALTER TABLE ' || conrelid::regclass || ' DROP CONSTRAINT ' || quote_ident(conname),
    'ALTER TABLE ' || conrelid::regclass || ' ADD CONSTRAINT ' || quote_ident(conname) || ' '
        || pg_get_constraintdef(oid)
FROM pg_constraint WHERE contype IN ('f', 'u') AND conrelid = ANY(%(tables)s::regclass[])
UNION ALL
SELECT 'DROP INDEX ' || indexrelid::regclass, pg_get_indexdef(indexrelid)
FROM pg_index WHERE indrelid = ANY(%(tables)s::regclass[])
    AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u'))
"""
"""What takes an index, or a constraint that looks into other rows, off a table, and what brings it back."""


class Tables:
    """Rows on their way into tables, with numbers of their own; columns that are not named get their defaults."""

    def __init__(self) -> None:
        self._columns: dict[type[Model], tuple[str, ...]] = {}
        self._rest: dict[type[Model], Row] = {}
        self._waiting: defaultdict[type[Model], list[Row]] = defaultdict(list)
        self.stored: defaultdict[type[Model], int] = defaultdict(int)

    def into(self, model: type[Model], *columns: str) -> Callable[..., None]:
        """Return what takes the values of these columns as the next row of a table."""
        fields = {field.attname: field for field in model._meta.concrete_fields}
        rest = [name for name in fields if name not in columns]
        self._columns[model] = tuple(fields[name].column or name for name in (*columns, *rest))
        self._rest[model] = tuple(_default(fields[name]) for name in rest)
        rows, tail = self._waiting[model], self._rest[model]

        def add(*values: Any) -> None:
            rows.append((*values, *tail))

        return add

    def store(self, *, all_of_them: bool = False) -> None:
        """Store what waits where it is much, or all of it."""
        for model, rows in self._waiting.items():
            if rows and (all_of_them or len(rows) >= BATCH):
                _store(model._meta.db_table, self._columns[model], rows)
                self.stored[model] += len(rows)
                rows.clear()


def _default(field: "Field[Any, Any]") -> Any:
    value = field.get_default()
    return json.dumps(value) if isinstance(field, JSONField) and value is not None else value


def _store(table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
    names = ", ".join(map(connection.ops.quote_name, columns))
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
            return
        marks = ", ".join(["%s"] * len(columns))
        statement = f"INSERT INTO {table} ({names}) VALUES ({marks})"  # noqa: S608 - the names of our own tables
        cursor.executemany(statement, [tuple(map(_adapted, row)) for row in rows])


def _adapted(value: Any) -> Any:
    return connection.ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value


@contextmanager
def bare(models: Sequence[type[Model]]) -> Iterator[None]:
    """Take indexes and keys off tables, and make them anew over all rows at the end: far quicker than row by row.

    In one transaction, so that nobody ever sees a table without them. Elsewhere than on PostgreSQL nothing is done.
    """
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL maintenance_work_mem = '256MB'")
        cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")  # while much is computed
        cursor.execute(STRIPPED, {"tables": [model._meta.db_table for model in models]})
        found = cursor.fetchall()
        for off, _back in found:
            cursor.execute(off)
    yield
    with connection.cursor() as cursor:
        # Keys that others refer to come first, as these were taken off last.
        for _off, back in sorted(found, key=lambda pair: "FOREIGN KEY" in pair[1]):
            cursor.execute(back)


def go_on_counting(models: Sequence[type[Model]]) -> None:
    """Let the next rows of tables get the numbers after those that were stored."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), list(models)):
            cursor.execute(statement)
