"""What the seats say of what may stop a clock is never too little: who trusts them finds the same deadline."""

from datetime import date, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.clock import PRESETS
from games.log.seats import load_seats
from games.log.table import next_actor
from games.models import Game, Holiday, Pause
from games.timing.deadlines import calendar_of, deadline_of
from tests.flows.play import NOW, start_game
from tests.games.timed import start_timed
from tests.services import examples

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]
ZONES = ("UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago", "America/New_York")
HOURS = st.integers(-80, 80).map(lambda hours: timedelta(hours=hours))


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    zone=st.sampled_from(ZONES),
    settled=st.integers(0, 60),
    holiday=st.none() | st.tuples(st.integers(-4, 4), st.integers(0, 3)),
    pause=st.none() | st.tuples(HOURS, st.none() | st.integers(0, 40), st.booleans()),
)
def test_loaded_seats_lead_to_the_deadline_that_reading_everything_does(
    ada: User,
    bo: User,
    zone: str,
    settled: int,
    holiday: tuple[int, int] | None,
    pause: tuple[timedelta, int | None, bool] | None,
) -> None:
    game = start_timed([ada, bo], PRESETS["daily"])
    seat = next_actor(game)
    assert seat is not None
    assert seat.user is not None
    User.objects.filter(pk=seat.user.pk).update(time_zone=zone)
    game.seats.filter(pk=seat.pk).update(zone=zone, since=NOW + timedelta(hours=settled))
    if holiday is not None:
        first = NOW.date() + timedelta(days=holiday[0])
        Holiday.objects.create(user=seat.user, first=first, last=first + timedelta(days=holiday[1]))
    if pause is not None:
        start, hours, own = NOW + pause[0], pause[1], pause[2]
        end = None if hours is None and own else start + timedelta(hours=hours or 1)
        Pause.objects.create(game=game if own else None, reason="staff" if own else "outage", start=start, end=end)
    trusting, reading = Game.objects.get(pk=game.pk), Game.objects.get(pk=game.pk)
    for one in (trusting, reading):
        load_seats(one)
    for each in reading.seats.all():
        each.may_stop = None
    assert deadline_of(trusting) == deadline_of(reading)
    clear(game)


def clear(game: Game) -> None:
    """Let the next example find no trace of this one."""
    Holiday.objects.all().delete()
    Pause.objects.all().delete()
    Game.objects.filter(pk=game.pk).update(deadline=None)


@pytest.mark.parametrize(
    ("holiday", "pause", "asked"),
    [(None, None, 0), (-2, None, 0), (-1, None, 2), (0, None, 2), (None, -1, 0), (None, 1, 2)],
)
def test_nothing_is_read_where_nothing_may_stop_the_clock(
    ada: User,
    bo: User,
    holiday: int | None,
    pause: int | None,
    asked: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    game = start_game([ada, bo])
    if holiday is not None:
        day: date = NOW.date() + timedelta(days=holiday)
        for user in (ada, bo):
            Holiday.objects.create(user=user, first=day, last=day)
    if pause is not None:
        end: datetime = NOW + timedelta(hours=pause)
        Pause.objects.create(reason="outage", start=end - timedelta(hours=3), end=end)
    load_seats(game)
    seat = next_actor(game)
    assert seat is not None
    with django_assert_num_queries(asked):
        calendar_of(game, seat)
