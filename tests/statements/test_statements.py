"""A compiled statement answers as the QuerySet that it was made from, on both databases."""

import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import DateTimeField, Exists, F, OuterRef
from django.db.transaction import TransactionManagementError
from django.utils.safestring import SafeString
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.models import Entry, Game, Holiday, Message, Seat
from games.models.choices import ProposalKind, Status
from games.notices.models import Notice
from statements import Insert, Parameter, Select, Update
from tests.flows.play import NOW, make_user, start_game

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]
EXAMPLES = settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20)
SEATS = Select(Seat.objects.filter(game=Parameter("game")).select_related("user").order_by("number"))
NAMES = Select(Seat.objects.filter(name=Parameter("name")).values_list("number", "name"))
RECENT = Select(Game.objects.filter(created_at__gt=Parameter("after", DateTimeField())).order_by("pk"))
LOCKED = Select(Game.objects.select_for_update(no_key=True).filter(key=Parameter("key")))
WRITTEN_IN = Select(Game.objects.annotate(written=Exists(Message.objects.filter(game=OuterRef("pk")))).order_by("pk"))


@pytest.fixture
def game(ada: User, bo: User) -> Game:
    return start_game([ada, bo])


def columns(row: Any) -> dict[str, Any]:
    return {name: value for name, value in vars(row).items() if name != "_state"}


def test_rows_become_the_instances_that_the_queryset_makes(game: Game) -> None:
    Seat.objects.filter(game=game, number=2).update(user=None)
    plain = list(Seat.objects.filter(game=game).select_related("user").order_by("number"))
    made = list(SEATS(game=game.pk))
    assert [columns(seat) for seat in made] == [columns(seat) for seat in plain]
    assert [seat.user and columns(seat.user) for seat in made] == [seat.user and columns(seat.user) for seat in plain]
    assert [(seat._state.db, seat._state.adding) for seat in made] == [("default", False)] * 2


def test_a_related_instance_costs_no_query_and_neither_does_compiling(
    game: Game, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    fresh = Select(Seat.objects.filter(game=Parameter("game")).select_related("user").order_by("number"))
    for _time in range(2):
        with django_assert_num_queries(1):
            assert [seat.user.display_name for seat in fresh(game=game.pk) if seat.user] == ["Ada", "Bo"]


def test_deferred_columns_and_annotations_are_as_in_the_queryset(game: Game) -> None:
    (plain,) = Game.objects.annotate(written=Exists(Message.objects.filter(game=OuterRef("pk"))))
    (made,) = WRITTEN_IN()
    assert columns(made) == columns(plain)
    assert made.get_deferred_fields() == {"setup", "state", "events"}


@EXAMPLES
@given(name=TEXTS)
def test_any_text_finds_what_the_queryset_finds(game: Game, name: str) -> None:
    Seat.objects.filter(game=game, number=1).update(name=name)
    assert list(NAMES(name=name)) == list(Seat.objects.filter(name=name).values_list("number", "name"))
    assert list(NAMES(name=f"{name}%")) == []


@EXAMPLES
@given(shift=st.timedeltas(timedelta(days=-2), timedelta(days=2)))
def test_any_instant_finds_what_the_queryset_finds(game: Game, shift: timedelta) -> None:
    assert list(RECENT(after=NOW + shift)) == list(Game.objects.filter(created_at__gt=NOW + shift).order_by("pk"))


@EXAMPLES
@given(
    points=st.integers(-(2**31), 2**31 - 1),
    retired=st.booleans(),
    since=st.none() | st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001
    zone=TEXTS,
)
def test_an_update_writes_what_the_queryset_would(
    game: Game, points: int, retired: bool, since: datetime | None, zone: str
) -> None:
    update = Update(Seat.objects.filter(pk=Parameter("pk")), "points", "retired", "since", "zone")
    one, two = game.seats.order_by("number")
    values = {"points": points, "retired": retired, "since": since, "zone": zone}
    assert update(pk=one.pk, **values) == 1
    Seat.objects.filter(pk=two.pk).update(**values)
    one.refresh_from_db()
    two.refresh_from_db()
    assert {name: getattr(one, name) for name in values} == {name: getattr(two, name) for name in values} == values


@pytest.mark.parametrize(
    "values",
    [
        {"points": "7", "retired": 1, "name": 5, "zone": Status.OPEN, "place": None},
        {"points": True, "retired": "True", "name": ProposalKind.CANCEL, "zone": SafeString("<b>"), "place": 2.0},
    ],
)
def test_values_of_another_type_than_the_column_are_written_as_by_the_queryset(
    game: Game, values: dict[str, Any]
) -> None:
    one, two = game.seats.order_by("number")
    Update(Seat.objects.filter(pk=Parameter("pk")), *values)(pk=one.pk, **values)
    Seat.objects.filter(pk=two.pk).update(**values)
    one.refresh_from_db()
    two.refresh_from_db()
    assert {name: getattr(one, name) for name in values} == {name: getattr(two, name) for name in values}


def test_an_update_says_how_many_rows_it_found(game: Game) -> None:
    update = Update(Game.objects.filter(pk=Parameter("pk"), version=Parameter("read")), "version")
    assert update(pk=game.pk, read=game.version, version=9) == 1
    assert update(pk=game.pk, read=game.version, version=10) == 0
    assert Game.objects.get(pk=game.pk).version == 9


def test_an_inserted_row_has_its_key_and_is_as_a_saved_one(game: Game) -> None:
    values = {"seat": 1, "turn": "C", "by": "player", "at": NOW, "digest": "d"}
    one, two = Entry(game=game, seq=1, **values), Entry(game=game, seq=2, **values)
    Insert(Entry)(one)
    two.save(force_insert=True)
    assert one.pk
    first, second = Entry.objects.order_by("seq")
    assert first == one
    assert {**columns(first), "seq": 2, "id": second.pk} == columns(second)


def test_several_rows_go_in_one_query_and_those_that_are_there_stay(
    game: Game, ada: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    insert = Insert(Notice, ignore_conflicts=True)
    values = {"user": ada, "game": game, "kind": "turn", "topic": "turn", "at": NOW, "due_at": NOW}
    insert(Notice(ref="x", params={"a": [1, None, "ü"]}, **values))
    with django_assert_num_queries(1):
        insert(*(Notice(ref=ref, params={"ref": ref}, **values) for ref in "xyz"))
    found = Notice.objects.filter(game=game, ref__in=("x", "y", "z")).order_by("ref")
    assert [notice.params for notice in found] == [{"a": [1, None, "ü"]}, {"ref": "y"}, {"ref": "z"}]
    with pytest.raises(TypeError, match="several rows"):
        Insert(Notice)(Notice(**values), Notice(**values))


@pytest.mark.parametrize("value", [None, 1.5, [1], NOW, F("pk")])
def test_a_value_that_would_take_other_sql_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="key"):
        Select(Game.objects.filter(key=Parameter("key"))).first(key=value)


def test_none_is_refused_where_a_field_is_compared(game: Game) -> None:
    with pytest.raises(TypeError, match="after"):
        RECENT.first(after=None)


def test_a_value_that_is_missing_is_refused() -> None:
    with pytest.raises(KeyError):
        SEATS.first(gane=1)


def test_first_is_the_first_row_or_none(game: Game, ada: User) -> None:
    Holiday.objects.create(user=ada, first=NOW.date(), last=NOW.date())
    statement = Select(Holiday.objects.filter(user=Parameter("user")))
    assert statement.first(user=ada.pk) == Holiday.objects.get()
    assert statement.first(user=0) is None


@pytest.mark.pg
@pytest.mark.django_db(transaction=True)
def test_a_row_is_locked_only_in_a_transaction() -> None:
    game = start_game([make_user("Cy"), make_user("Di")])
    with transaction.atomic():
        assert LOCKED.first(key=game.key) == game
    with pytest.raises(TransactionManagementError):
        LOCKED.first(key=game.key)
    assert "FOR NO KEY UPDATE" in str(LOCKED._for(connection).sql)


@pytest.mark.pg
def test_postgresql_prepares_a_statement_once_a_connection(game: Game) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DEALLOCATE ALL")
        connection.connection._prepared.clear()
        for _time in range(3):
            assert len(list(SEATS(game=game.pk))) == 2
        cursor.execute("SELECT statement, generic_plans + custom_plans FROM pg_prepared_statements")
        ((statement, ran),) = cursor.fetchall()
    assert statement == SEATS._for(connection).sql.replace("%s", "$1")
    assert ran == 3


def test_threads_that_compile_a_statement_at_once_compile_the_same() -> None:
    queryset = Seat.objects.filter(game=Parameter("game"), user__language="en").select_related("user", "game__creator")
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as threads:
            for _time in range(40):
                statement = Select(queryset.order_by("number", "user__display_name"))
                compiled = list(threads.map(lambda _n, one=statement: one._compile("default", 1), range(8)))
                assert len({(one.sql, len(one.params), tuple(one.names)) for one in compiled}) == 1
    finally:
        sys.setswitchinterval(usual)
