"""Statements that are compiled once, for the few that run in every request.

Putting the SQL of a QuerySet together takes Django several times as long as running it. Here an ordinary QuerySet is
compiled when it first runs: its SQL, the places of its parameters and the way its rows become instances are kept, one
set a database. What is asked, and what comes back, is the same as of the QuerySet; `docs/decisions` gives the cost.

    GAME = Select(Game.objects.select_for_update().filter(key=Parameter("key")))
    game = GAME.first(key="r2d2")

No signals are sent. Uses what Django keeps to itself: its compilers and what they hold, `get_related_populators`, and
a connection's ``_prepare_cursor``.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, cast

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from django.db.models import Expression, Field, Model, QuerySet
from django.db.models.constants import OnConflict
from django.db.models.query import get_related_populators
from django.db.models.sql import InsertQuery, UpdateQuery
from django.db.transaction import TransactionManagementError
from psycopg import Cursor

PLAIN: Final = (str, int)
"""What a parameter without a field may be: every database takes it as it is."""


def _preparing(field: type["Field[Any, Any]"]) -> tuple[object, ...]:
    """Return the methods with which a class of fields prepares values."""
    return field.get_prep_value, field.get_db_prep_value, field.get_db_prep_save


PLAIN_FIELDS: Final[dict[tuple[object, ...], type]] = {
    _preparing(models.CharField): str,
    _preparing(models.TextField): str,
    _preparing(models.IntegerField): int,
    _preparing(models.AutoField): int,
    _preparing(models.BooleanField): bool,
}
"""By how a field prepares values, the type of those that it passes to the database unchanged."""


class Parameter(Expression):
    """A value that is given when the statement runs. One that is neither text nor number needs its ``field``."""

    def __init__(self, name: str, field: "Field[Any, Any] | None" = None, *, saved: bool = False) -> None:
        super().__init__(output_field=field)
        self.place = Place(name, field, saved=saved)

    def as_sql(self, compiler: Any, connection: BaseDatabaseWrapper) -> tuple[str, tuple[Any, ...]]:  # noqa: ARG002
        """Leave the place open."""
        return "%s", (self.place,)


class Place:
    """Where a parameter stands among those of a statement."""

    def __init__(self, name: str, field: "Field[Any, Any] | None", *, saved: bool) -> None:
        self.name, self.field, self.saved = name, field, saved
        self.plain = PLAIN_FIELDS.get(_preparing(type(_target(field)))) if field is not None else None

    def fill(self, values: Mapping[str, Any], connection: BaseDatabaseWrapper) -> Any:
        """Return the parameter's value as the database takes it. Raises `TypeError` where it would take other SQL."""
        value = values[self.name]
        if self.field is None:
            if not isinstance(value, PLAIN):
                raise TypeError(f"parameter {self.name} is {value!r}: give it a field")
            return value
        if self.plain is not None and (type(value) is self.plain or (value is None and self.saved)):
            return value
        if self.saved:
            return self.field.get_db_prep_save(value, connection)
        if value is None:
            raise TypeError(f"parameter {self.name} is None: nothing equals that")
        return self.field.get_db_prep_value(value, connection)


def _target(field: "Field[Any, Any]") -> "Field[Any, Any]":
    """Return the field that a foreign key refers to; any other field as it is."""
    return _target(field.target_field) if isinstance(field, models.ForeignKey) else field


def _cursor(connection: BaseDatabaseWrapper) -> CursorWrapper:
    """Return a cursor; on PostgreSQL one whose statements the server prepares once a connection, as Django's does not.

    It does so where the connection's ``prepare_threshold`` allows it.
    """
    if connection.vendor != "postgresql":
        return connection.cursor()
    connection.ensure_connection()
    with connection.wrap_database_errors:
        return cast("Any", connection)._prepare_cursor(Cursor(connection.connection))  # type: ignore[no-any-return]


class _Compiled:
    """A statement for one database."""

    def __init__(self, sql: str, params: Sequence[Any]) -> None:
        self.sql = sql
        self.params = tuple(params)

    def fill(self, values: Mapping[str, Any], connection: BaseDatabaseWrapper) -> list[Any]:
        return [_fill(param, values, connection) for param in self.params]


def _fill(param: Any, values: Mapping[str, Any], connection: BaseDatabaseWrapper) -> Any:
    if isinstance(param, Place):
        return param.fill(values, connection)
    if isinstance(param, list):  # PostgreSQL takes several rows as one array a column
        return [_fill(part, values, connection) for part in param]
    return param


class _Rows(_Compiled):
    """A statement that returns rows, with what turns them into the QuerySet's results."""

    def __init__(self, queryset: QuerySet[Any, Any], alias: str) -> None:
        compiler = cast("Any", queryset.query.clone().get_compiler(using=alias))  # compiling changes a query
        super().__init__(*compiler.as_sql())
        expressions = [column[0] for column in compiler.select[: compiler.col_count]]
        self.converters = [(at, *found) for at, found in compiler.get_converters(expressions).items()]
        self.is_model = compiler.klass_info is not None and queryset._iterable_class is models.query.ModelIterable
        if self.is_model:
            columns = compiler.klass_info["select_fields"]
            self.columns = slice(columns[0], columns[-1] + 1)
            self.names = [column[0].target.attname for column in compiler.select[self.columns]]
            self.annotations = compiler.annotation_col_map or {}
            mode = cast("Any", queryset)._fetch_mode
            self.related = get_related_populators(compiler.klass_info, compiler.select, alias, mode)

    def read(self, row: Sequence[Any], model: type[Model], connection: BaseDatabaseWrapper) -> Any:
        """Return a row as an instance with its related ones, or as a tuple where the QuerySet asks for values."""
        if self.converters:
            row = list(row)
            for at, converters, expression in self.converters:
                for convert in converters:
                    row[at] = convert(row[at], expression, connection)
        if not self.is_model:
            return tuple(row)
        made = model.from_db(connection.alias, self.names, row[self.columns])
        for populator in self.related:
            populator.populate(row, made)
        for name, at in self.annotations.items():
            setattr(made, name, row[at])
        return made


class _Statement[C: _Compiled]:
    """What all statements share: one compiled form a database, and where they take several rows, a number of rows."""

    def __init__(self, compile_for: Callable[[str, int], C]) -> None:
        self._compile = compile_for
        self._compiled: dict[tuple[str, int], C] = {}

    def _for(self, connection: BaseDatabaseWrapper, rows: int = 1) -> C:
        kind = (connection.alias, rows)
        found = self._compiled.get(kind)
        if found is None:  # two threads at once compile the same, each from a copy of the query
            found = self._compiled[kind] = self._compile(*kind)
        return found


class Select[Row](_Statement[_Rows]):
    """A QuerySet that reads, with a `Parameter` wherever a value is given later."""

    def __init__(self, queryset: "QuerySet[Any, Row]") -> None:
        super().__init__(lambda alias, _rows: _Rows(queryset, alias))
        self.queryset = queryset
        self.locks = queryset.query.select_for_update

    def __call__(self, **values: Any) -> Iterator[Row]:
        """Return what the QuerySet yields for these values: one query. Wrong ones raise `TypeError` or `KeyError`."""
        connection = connections[DEFAULT_DB_ALIAS]
        if self.locks and connection.features.has_select_for_update and connection.get_autocommit():
            raise TransactionManagementError("a row can be locked only in a transaction")
        compiled = self._for(connection)
        with _cursor(connection) as cursor:
            cursor.execute(compiled.sql, compiled.fill(values, connection))
            rows = cursor.fetchall()
        return (compiled.read(row, self.queryset.model, connection) for row in rows)

    def first(self, **values: Any) -> Row | None:
        """Return the first row, or None: one query."""
        return next(self(**values), None)


class Update(_Statement[_Compiled]):
    """An update of the named fields of all that a QuerySet with parameters finds; their values have their names."""

    def __init__(self, queryset: QuerySet[Any, Any], *names: str) -> None:
        def compile_for(alias: str, _rows: int) -> _Compiled:
            query = cast("Any", queryset.query.chain(UpdateQuery))
            query.add_update_values({name: _saved(queryset.model, name) for name in names})
            return _Compiled(*query.get_compiler(using=alias).as_sql())

        super().__init__(compile_for)

    def __call__(self, **values: Any) -> int:
        """Return how many rows were updated: one query."""
        connection = connections[DEFAULT_DB_ALIAS]
        compiled = self._for(connection)
        with _cursor(connection) as cursor:
            cursor.execute(compiled.sql, compiled.fill(values, connection))
            return int(cursor.rowcount)


class Insert[M: Model](_Statement[_Compiled]):
    """The insertion of new rows: of one, or with ``ignore_conflicts`` of several; those that are there already stay."""

    def __init__(self, model: type[M], *, ignore_conflicts: bool = False) -> None:
        fields = [field for field in model._meta.local_concrete_fields if not isinstance(field, models.AutoField)]

        def compile_for(alias: str, rows: int) -> _Compiled:
            query = InsertQuery(model, on_conflict=OnConflict.IGNORE if ignore_conflicts else None)
            places = [{field.attname: _saved(model, field.name, number) for field in fields} for number in range(rows)]
            query.insert_values(fields, [model(**values) for values in places])
            compiler = cast("Any", query.get_compiler(using=alias))
            compiler.returning_fields = [] if ignore_conflicts else [model._meta.pk]  # the others are given
            ((sql, params),) = compiler.as_sql()
            return _Compiled(sql, params)

        super().__init__(compile_for)
        self.fields, self.returns = fields, not ignore_conflicts

    def __call__(self, *rows: M) -> None:
        """Store unsaved instances, and set the key of a single one: one query."""
        if self.returns and len(rows) != 1:
            raise TypeError("several rows are inserted only where conflicts are ignored")
        connection = connections[DEFAULT_DB_ALIAS]
        compiled = self._for(connection, len(rows))
        values = {
            f"{field.name} {number}": field.pre_save(row, True)
            for number, row in enumerate(rows)
            for field in self.fields
        }
        with _cursor(connection) as cursor:
            cursor.execute(compiled.sql, compiled.fill(values, connection))
            if self.returns:
                (rows[0].pk,) = cursor.fetchone()
        for row in rows:
            row._state.adding, row._state.db = False, connection.alias


def _saved(model: type[Model], name: str, number: int | None = None) -> Parameter:
    """Return the parameter that a field, of one of several rows, is set to."""
    field = cast("Field[Any, Any]", model._meta.get_field(name))
    return Parameter(name if number is None else f"{name} {number}", field, saved=True)
