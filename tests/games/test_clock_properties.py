"""The clock by property: over random time controls, calendars, pauses and zones, around both changes of the clocks."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from games.clock import (
    Calendar,
    Clock,
    HolidaySpan,
    OnTimeout,
    PauseReason,
    PauseSpan,
    TimeControl,
    custom,
    deadline,
    finish_turn,
    has_begun,
    new_clock,
    pause_reasons,
    resumes_at,
    settle,
    start_turn,
    time_left,
    time_used,
    turn_deadline,
    warning_instants,
    weekend_somewhere,
)

MINUTE, HOUR, DAY = 60, 3_600, 86_400
SECOND = timedelta(seconds=1)

ZONES = [
    ZoneInfo(name)
    for name in (
        "UTC",
        "Europe/Amsterdam",
        "America/New_York",
        "America/Havana",  # midnight comes twice in November
        "Asia/Beirut",  # midnight is skipped in March
        "Africa/Cairo",  # the last hour of a day comes twice
        "America/Nuuk",  # the hour before midnight on Saturday is skipped
        "Australia/Lord_Howe",  # half an hour of change
        "Asia/Kathmandu",
        "Pacific/Apia",
        "Pacific/Kiritimati",
    )
]
CHANGES = [
    datetime(2026, month, day, tzinfo=UTC)
    for month, day in ((3, 8), (3, 27), (3, 29), (4, 5), (4, 24), (6, 7), (10, 4), (10, 25), (10, 30), (11, 1))
]
"""Days in 2026 on or near which one of the zones changes its clocks, and one on which none does."""

unhurried = settings(deadline=None)
"""A machine with much else to do is no failure."""


def instants(days: int = 20, step: int = 1) -> st.SearchStrategy[datetime]:
    return st.builds(
        lambda change, n: change + timedelta(seconds=n * step),
        st.sampled_from(CHANGES),
        st.integers(-days * DAY // step, days * DAY // step),
    )


@st.composite
def time_controls(draw: st.DrawFn) -> TimeControl:
    cap = draw(st.integers(0, 20 * DAY))
    return TimeControl(
        allowance=draw(st.integers(MINUTE, 14 * DAY)),
        reserve_start=draw(st.integers(0, cap)),
        reserve_increment=draw(st.integers(0, cap)),
        reserve_cap=cap,
        weekends=draw(st.booleans()),
        holidays=draw(st.booleans()),
        on_timeout=draw(st.sampled_from(OnTimeout)),
    )


@st.composite
def holidays(draw: st.DrawFn) -> HolidaySpan:
    first = draw(instants()).date()
    return HolidaySpan(first, first + timedelta(days=draw(st.integers(0, 13))), draw(st.sampled_from(ZONES)))


@st.composite
def pauses(draw: st.DrawFn, step: int = 1) -> PauseSpan:
    start = draw(instants(step=step))
    length = timedelta(seconds=step * draw(st.integers(0, 3 * DAY // step)))
    return PauseSpan(draw(st.sampled_from(PauseReason)), start, start + length)


def calendars(step: int = 1) -> st.SearchStrategy[Calendar]:
    return st.builds(
        Calendar,
        st.sampled_from(ZONES),
        st.lists(holidays(), max_size=4).map(tuple),
        st.lists(pauses(step), max_size=4).map(tuple),
    )


@unhurried
@given(time_controls(), calendars(), instants(), st.lists(instants(), max_size=5))
def test_time_used_and_time_left_are_constant_whenever_one_looks(
    time_control: TimeControl, calendar: Calendar, start: datetime, looks: list[datetime]
) -> None:
    clock = start_turn(time_control, new_clock(time_control), start)
    total = clock.seconds_left
    for look in sorted(looks):
        used = time_used(time_control, calendar, start, look)
        assert time_left(time_control, calendar, clock, look) == max(0, total - used)
    for look in sorted(looks):
        clock = settle(time_control, calendar, clock, look)
        used = time_used(time_control, calendar, start, look)
        assert clock.seconds_left == max(0, total - used)


@unhurried
@given(time_controls(), calendars(), st.lists(instants(), min_size=2, max_size=8))
def test_time_used_is_the_sum_over_any_split_of_the_interval(
    time_control: TimeControl, calendar: Calendar, cuts: list[datetime]
) -> None:
    cuts.sort()
    parts = [time_used(time_control, calendar, a, b) for a, b in pairwise(cuts)]
    whole = time_used(time_control, calendar, cuts[0], cuts[-1])
    assert sum(parts) == whole
    assert 0 <= whole <= (cuts[-1] - cuts[0]) // SECOND
    assert time_used(time_control, calendar, cuts[-1], cuts[0]) == 0


@unhurried
@given(time_controls(), calendars(), instants())
def test_time_stands_still_exactly_while_a_reason_holds(
    time_control: TimeControl, calendar: Calendar, now: datetime
) -> None:
    used = time_used(time_control, calendar, now, now + SECOND)
    assert used == (0 if pause_reasons(time_control, calendar, now) else 1)
    later = resumes_at(time_control, calendar, now)
    assert later is not None
    assert time_used(time_control, calendar, now, later) == 0
    assert not pause_reasons(time_control, calendar, later)


@unhurried
@given(time_controls(), calendars(), instants(), st.integers(0, 999_999))
def test_a_deadline_is_never_in_the_past_when_a_turn_begins(
    time_control: TimeControl, calendar: Calendar, start: datetime, microsecond: int
) -> None:
    now = start.replace(microsecond=microsecond)
    due = turn_deadline(time_control, calendar, start_turn(time_control, new_clock(time_control), now))
    assert due is not None
    assert due >= start + time_control.allowance * SECOND
    assert due > now


@unhurried
@given(time_controls(), calendars(), instants(), st.integers(1, 30 * DAY))
def test_a_deadline_is_the_first_instant_at_which_nothing_is_left(
    time_control: TimeControl, calendar: Calendar, start: datetime, left: int
) -> None:
    due = deadline(time_control, calendar, left, start)
    assert due is not None
    clock = Clock(left, 0, start)
    assert time_left(time_control, calendar, clock, due) == 0
    assert time_left(time_control, calendar, clock, due - SECOND) == 1
    assert time_used(time_control, calendar, start, due) == left


@unhurried
@given(time_controls(), calendars(), instants(), instants())
def test_a_deadline_is_the_same_from_whenever_it_is_derived(
    time_control: TimeControl, calendar: Calendar, start: datetime, look: datetime
) -> None:
    clock = start_turn(time_control, new_clock(time_control), start)
    settled = settle(time_control, calendar, clock, look)
    assume(settled.seconds_left > 0)
    assert turn_deadline(time_control, calendar, settled) == turn_deadline(time_control, calendar, clock)


@unhurried
@given(time_controls(), calendars(), instants(), st.integers(0, 30 * DAY), st.integers(0, 30 * DAY))
def test_more_time_left_is_a_later_deadline(
    time_control: TimeControl, calendar: Calendar, start: datetime, one: int, other: int
) -> None:
    less, more = sorted((one, other))
    early, late = (deadline(time_control, calendar, left, start) for left in (less, more))
    assert early is not None
    assert late is not None
    assert late - early >= (more - less) * SECOND


@unhurried
@given(time_controls(), calendars(), instants(), instants(), st.integers(1, 20 * DAY))
def test_a_turn_that_begins_later_never_ends_earlier(
    time_control: TimeControl, calendar: Calendar, one: datetime, other: datetime, left: int
) -> None:
    early, late = (deadline(time_control, calendar, left, start) for start in sorted((one, other)))
    assert early is not None
    assert late is not None
    assert early <= late


@unhurried
@given(time_controls(), calendars(), pauses(), holidays(), instants(), st.integers(0, 20 * DAY))
def test_one_more_pause_or_holiday_only_moves_a_deadline_later(
    time_control: TimeControl, calendar: Calendar, pause: PauseSpan, holiday: HolidaySpan, start: datetime, left: int
) -> None:
    before = deadline(time_control, calendar, left, start)
    paused = deadline(time_control, replace(calendar, pauses=(*calendar.pauses, pause)), left, start)
    away = deadline(time_control, replace(calendar, holidays=(*calendar.holidays, holiday)), left, start)
    assert before is not None
    assert paused is not None
    assert away is not None
    assert before <= paused
    assert before <= away


@unhurried
@given(time_controls(), calendars(), instants())
def test_without_anything_that_stops_it_a_clock_runs_like_a_watch(
    time_control: TimeControl, calendar: Calendar, start: datetime
) -> None:
    bare = replace(time_control, weekends=False, holidays=False)
    due = deadline(bare, replace(calendar, pauses=()), time_control.allowance, start)
    assert due == start + time_control.allowance * SECOND


@unhurried
@given(time_controls(), calendars(), st.lists(st.tuples(st.integers(0, 9 * DAY), st.booleans()), max_size=8))
def test_a_reserve_stays_between_nothing_and_its_cap_through_a_game(
    time_control: TimeControl, calendar: Calendar, turns: list[tuple[int, bool]]
) -> None:
    now, clock = CHANGES[0], new_clock(time_control)
    for length, by_owner in turns:
        before = clock.reserve
        opened = start_turn(time_control, clock, now)
        now += length * SECOND
        clock = finish_turn(time_control, calendar, opened, now, by_owner=by_owner)
        assert 0 <= clock.reserve <= time_control.reserve_cap
        assert clock.reserve <= before + time_control.reserve_increment * by_owner


@unhurried
@given(time_controls(), calendars(), instants())
def test_warnings_come_in_order_within_the_turn_at_what_they_say_is_left(
    time_control: TimeControl, calendar: Calendar, start: datetime
) -> None:
    clock = start_turn(time_control, new_clock(time_control), start)
    due = turn_deadline(time_control, calendar, clock)
    assert due is not None
    warnings = warning_instants(time_control, calendar, clock)
    assert [w.kind for w in warnings] == (["half", "last"] if time_control.allowance >= 12 * HOUR else ["half"])
    times = [start, *(w.at for w in warnings), due]
    assert times == sorted(set(times))
    assert settle(time_control, calendar, clock, warnings[0].at).allowance == time_control.allowance // 2
    if len(warnings) > 1:
        left = time_left(time_control, calendar, clock, warnings[1].at)
        assert left == min(time_control.allowance // 5, 12 * HOUR)


@unhurried
@given(st.sampled_from(ZONES), instants().map(lambda instant: instant.date()), instants())
def test_a_day_has_begun_for_the_rule_as_soon_as_it_stops_a_clock(zone: ZoneInfo, day: date, now: datetime) -> None:
    holiday = HolidaySpan(day, day, zone)
    start, moment = CHANGES[0] - timedelta(days=30), now + SECOND
    stopped = (moment - start) // SECOND - time_used(custom(DAY), Calendar(ZONES[0], (holiday,)), start, moment)
    assert has_begun(day, zone, now) == (stopped > 0)
    assert holiday.days_begun(now) == ((day,) if stopped else ())
    assert 23 * HOUR <= (holiday.ends - holiday.begins) // SECOND <= 25 * HOUR


@unhurried
@given(st.sampled_from(ZONES), instants())
def test_where_it_is_weekend_it_is_weekend_somewhere(zone: ZoneInfo, now: datetime) -> None:
    somewhere = weekend_somewhere(now)
    if now.astimezone(zone).weekday() >= 5:
        assert somewhere is not None
    if somewhere is not None:
        assert timedelta(0) <= now - somewhere < timedelta(hours=48 + 26)
        assert somewhere.astimezone(ZoneInfo("Pacific/Kiritimati")).strftime("%a %H:%M") == "Sat 00:00"


@unhurried
@given(time_controls())
def test_a_time_control_survives_being_stored(time_control: TimeControl) -> None:
    assert TimeControl.from_json(time_control.to_json()) == time_control


def counts(time_control: TimeControl, calendar: Calendar, minute: datetime) -> bool:
    """The oracle: whether one minute counts, asked of the wall clock alone."""
    wall = minute.astimezone(calendar.zone)
    if time_control.weekends and wall.weekday() >= 5:
        return False
    if time_control.holidays and any(h.first <= minute.astimezone(h.zone).date() <= h.last for h in calendar.holidays):
        return False
    return not any(p.start <= minute < (p.end or datetime.max.replace(tzinfo=UTC)) for p in calendar.pauses)


@settings(max_examples=60, deadline=None)
@given(st.booleans(), st.booleans(), calendars(step=MINUTE), instants(days=3, step=MINUTE), st.integers(1, 4 * 1440))
@example(True, False, Calendar(ZONES[1]), datetime(2026, 3, 27, 12, tzinfo=UTC), 4 * 1440)
@example(True, False, Calendar(ZONES[1]), datetime(2026, 10, 23, 12, tzinfo=UTC), 4 * 1440)
@example(
    False,
    True,
    Calendar(ZONES[3], (HolidaySpan(date(2026, 11, 1), date(2026, 11, 1), ZONES[3]),)),
    datetime(2026, 10, 31, tzinfo=UTC),
    3 * 1440,
)
def test_counting_minute_by_minute_on_the_wall_clock_agrees(
    weekends: bool,
    holidays_count: bool,
    calendar: Calendar,
    start: datetime,
    minutes: int,
) -> None:
    time_control = custom(DAY, weekends=weekends, holidays=holidays_count)
    walk = [start + timedelta(minutes=n) for n in range(minutes)]
    counted = [minute for minute in walk if counts(time_control, calendar, minute)]
    assert time_used(time_control, calendar, start, start + timedelta(minutes=minutes)) == len(counted) * MINUTE
    if counted:
        assert deadline(time_control, calendar, len(counted) * MINUTE, start) == counted[-1] + timedelta(minutes=1)
