"""The clock by example: time controls, calendars, turns, warnings, misses, holidays."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from time import perf_counter
from zoneinfo import ZoneInfo

import pytest

from engine.errors import Param
from games.clock import (
    DEFAULT_PRESET,
    PRESETS,
    Calendar,
    Clock,
    ClockCode,
    ClockError,
    Expiry,
    HolidaySpan,
    OnTimeout,
    PauseReason,
    PauseSpan,
    TimeControl,
    WarningKind,
    adopt_time_control,
    check_holiday_change,
    check_holidays,
    custom,
    deadline,
    finish_turn,
    holiday_balance,
    is_overdue,
    new_clock,
    on_expiry,
    outage_gap,
    pause,
    pause_reasons,
    preset_name,
    resume,
    resumes_at,
    settle,
    start_turn,
    time_left,
    time_used,
    turn_deadline,
    warning_instants,
)

MINUTE, HOUR, DAY = 60, 3_600, 86_400
AMSTERDAM = ZoneInfo("Europe/Amsterdam")
PLAIN = Calendar(AMSTERDAM)
MONDAY = datetime(2026, 6, 1, 9, 0, tzinfo=UTC)


def local(*when: int, zone: ZoneInfo = AMSTERDAM) -> datetime:
    year, month, day, hour, minute = (*when, 0, 0)[:5]
    return datetime(year, month, day, hour, minute, tzinfo=zone).astimezone(UTC)


def refusal(error: pytest.ExceptionInfo[ClockError]) -> tuple[ClockCode, dict[str, Param]]:
    return error.value.code, dict(error.value.params)


# Time controls


def test_the_presets_have_the_agreed_values() -> None:
    values = {
        name: (c.allowance, c.reserve_start, c.reserve_increment, c.reserve_cap, c.weekends, c.holidays, c.on_timeout)
        for name, c in PRESETS.items()
    }
    assert values == {
        "evening": (10 * MINUTE, 0, 0, 0, False, False, "autopilot"),
        "daily": (DAY, 2 * DAY, 0, 2 * DAY, False, True, "autopilot"),
        "relaxed": (3 * DAY, 3 * DAY, 6 * HOUR, 6 * DAY, False, True, "autopilot"),
        "weekly": (7 * DAY, 0, 0, 0, False, True, "autopilot"),
    }
    assert DEFAULT_PRESET == "relaxed"


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_known_by_its_values_and_anything_else_is_custom(name: str) -> None:
    assert preset_name(PRESETS[name]) == name
    assert preset_name(replace(PRESETS[name], weekends=True)) == "custom"


@pytest.mark.parametrize(("allowance", "holidays"), [(DAY - 1, False), (DAY, True)])
def test_holidays_are_on_from_a_day_a_turn_unless_said_otherwise(allowance: int, *, holidays: bool) -> None:
    assert custom(allowance).holidays is holidays
    assert custom(allowance, holidays=not holidays).holidays is not holidays


@pytest.mark.parametrize("allowance", [MINUTE, 14 * DAY])
def test_the_shortest_and_the_longest_allowance_are_accepted(allowance: int) -> None:
    assert custom(allowance).allowance == allowance


@pytest.mark.parametrize(
    ("values", "code", "maximum"),
    [
        ({"allowance": 59}, ClockCode.BAD_ALLOWANCE, 14 * DAY),
        ({"allowance": 14 * DAY + 1}, ClockCode.BAD_ALLOWANCE, 14 * DAY),
        ({"allowance": DAY, "reserve_start": -1, "reserve_cap": 0}, ClockCode.BAD_RESERVE, 0),
        ({"allowance": DAY, "reserve_start": 9, "reserve_cap": 8}, ClockCode.BAD_RESERVE, 8),
        ({"allowance": DAY, "reserve_increment": 9, "reserve_cap": 8}, ClockCode.BAD_INCREMENT, 8),
        ({"allowance": DAY, "reserve_increment": -9, "reserve_cap": 8}, ClockCode.BAD_INCREMENT, 8),
        ({"allowance": DAY, "reserve_cap": 61 * DAY}, ClockCode.BAD_CAP, 60 * DAY),
        ({"allowance": DAY, "reserve_cap": -1}, ClockCode.BAD_CAP, 60 * DAY),
    ],
)
def test_values_out_of_range_are_refused_with_the_range(values: dict[str, int], code: ClockCode, maximum: int) -> None:
    with pytest.raises(ClockError) as error:
        custom(**values)  # type: ignore[arg-type]
    assert error.value.code is code
    assert error.value.params["maximum"] == maximum


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"allowance": "86400"}, "allowance"),
        ({"allowance": 86400.0}, "allowance"),
        ({"allowance": True}, "allowance"),
        ({"weekends": 1}, "weekends"),
        ({"on_timeout": "shrug"}, "on_timeout"),
        ({"on_timeout": []}, "on_timeout"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_what_is_stored_must_be_exactly_a_time_control(change: dict[str, object], field: str) -> None:
    with pytest.raises(ClockError) as error:
        TimeControl.from_json({**PRESETS["daily"].to_json(), **change})
    assert refusal(error) == (ClockCode.BAD_TIME_CONTROL, {"field": field})


def test_a_stored_time_control_without_one_of_its_values_is_refused() -> None:
    stored = PRESETS["daily"].to_json()
    del stored["reserve_cap"]
    with pytest.raises(ClockError, match="reserve_cap"):
        TimeControl.from_json(stored)


@pytest.mark.parametrize("stored", [None, [], "daily", 3])
def test_a_stored_time_control_must_be_an_object(stored: object) -> None:
    with pytest.raises(ClockError, match="bad-contract"):
        TimeControl.from_json(stored)


# Calendars


WEEKENDS = custom(3 * DAY, weekends=True)


def test_without_weekends_and_holidays_a_deadline_is_plain_addition() -> None:
    assert deadline(custom(HOUR), PLAIN, 100, MONDAY) == MONDAY + timedelta(seconds=100)


def test_a_deadline_skips_a_weekend() -> None:
    assert deadline(WEEKENDS, PLAIN, 2 * DAY, local(2026, 6, 5, 18)) == local(2026, 6, 9, 18)


def test_a_turn_that_begins_on_saturday_runs_from_monday_on() -> None:
    assert deadline(WEEKENDS, PLAIN, HOUR, local(2026, 6, 6, 15)) == local(2026, 6, 8, 1)
    assert deadline(WEEKENDS, PLAIN, HOUR, local(2026, 6, 7, 15)) == local(2026, 6, 8, 1)


def test_time_that_ends_with_friday_ends_then_and_not_on_monday() -> None:
    assert deadline(WEEKENDS, PLAIN, HOUR, local(2026, 6, 5, 23)) == local(2026, 6, 6)


def test_a_weekend_does_not_count_only_if_the_time_control_says_so() -> None:
    saturday = local(2026, 6, 6)
    assert time_used(WEEKENDS, PLAIN, saturday, saturday + timedelta(days=2)) == 0
    assert time_used(custom(3 * DAY), PLAIN, saturday, saturday + timedelta(days=2)) == 2 * DAY


@pytest.mark.parametrize(
    ("sunday", "hours"), [(date(2026, 3, 29), 47), (date(2026, 6, 7), 48), (date(2026, 10, 25), 49)]
)
def test_a_weekend_in_which_the_clocks_change_is_as_long_as_it_is(sunday: date, hours: int) -> None:
    friday_noon = local(sunday.year, sunday.month, sunday.day - 2, 12)
    due = deadline(WEEKENDS, PLAIN, DAY, friday_noon)
    assert due == friday_noon + timedelta(hours=24 + hours)
    assert due == local(sunday.year, sunday.month, sunday.day + 1, 12)


def test_a_weekend_is_that_of_the_owners_own_zone() -> None:
    friday_evening_in_amsterdam = local(2026, 6, 5, 20)
    auckland = Calendar(ZoneInfo("Pacific/Auckland"))
    assert pause_reasons(WEEKENDS, PLAIN, friday_evening_in_amsterdam) == set()
    assert pause_reasons(WEEKENDS, auckland, friday_evening_in_amsterdam) == {PauseReason.WEEKEND}


def test_a_weekend_begins_at_one_where_the_change_of_clocks_skips_midnight() -> None:
    beirut = ZoneInfo("Asia/Beirut")
    calendar = Calendar(beirut, holidays=(HolidaySpan(date(2026, 3, 29), date(2026, 3, 29), beirut),))
    time_control = custom(DAY)
    start, end = local(2026, 3, 28, 12, zone=beirut), local(2026, 3, 30, zone=beirut)
    assert end - start == timedelta(hours=35)
    assert time_used(time_control, calendar, start, end) == 12 * HOUR
    assert pause_reasons(time_control, calendar, local(2026, 3, 28, 23, 59, zone=beirut)) == set()
    assert pause_reasons(time_control, calendar, local(2026, 3, 29, 1, zone=beirut)) == {PauseReason.HOLIDAY}


def test_a_holiday_covers_its_last_day_whole_and_not_a_minute_more() -> None:
    calendar = Calendar(AMSTERDAM, holidays=(HolidaySpan(date(2026, 6, 2), date(2026, 6, 3), AMSTERDAM),))
    time_control = custom(DAY)
    assert pause_reasons(time_control, calendar, local(2026, 6, 3, 23, 59)) == {PauseReason.HOLIDAY}
    assert pause_reasons(time_control, calendar, local(2026, 6, 4)) == set()
    assert deadline(time_control, calendar, DAY, local(2026, 6, 1, 12)) == local(2026, 6, 4, 12)
    assert deadline(custom(DAY, holidays=False), calendar, DAY, local(2026, 6, 1, 12)) == local(2026, 6, 2, 12)


def test_a_clock_runs_only_when_no_reason_is_left() -> None:
    saturday = local(2026, 6, 6, 12)
    calendar = Calendar(AMSTERDAM, holidays=(HolidaySpan(date(2026, 6, 6), date(2026, 6, 8), AMSTERDAM),))
    calendar = replace(calendar, pauses=(PauseSpan(PauseReason.OUTAGE, saturday, saturday + timedelta(hours=1)),))
    calendar = pause(calendar, PauseReason.STAFF, saturday)
    assert pause_reasons(WEEKENDS, calendar, saturday) == set(PauseReason)
    monday, tuesday, wednesday = (local(2026, 6, day, 12) for day in (8, 9, 10))
    assert pause_reasons(WEEKENDS, calendar, monday) == {PauseReason.HOLIDAY, PauseReason.STAFF}
    assert pause_reasons(WEEKENDS, calendar, tuesday) == {PauseReason.STAFF}
    assert pause_reasons(WEEKENDS, resume(calendar, PauseReason.STAFF, tuesday), tuesday) == set()
    assert resumes_at(WEEKENDS, resume(calendar, PauseReason.STAFF, tuesday), saturday) == tuesday
    assert resumes_at(WEEKENDS, resume(calendar, PauseReason.STAFF, monday), saturday) == local(2026, 6, 9)
    assert resumes_at(WEEKENDS, calendar, wednesday) is None


def test_a_pause_for_one_reason_is_not_ended_by_another_nor_begun_twice() -> None:
    calendar = pause(PLAIN, PauseReason.STAFF, MONDAY)
    assert pause(calendar, PauseReason.STAFF, MONDAY + timedelta(hours=1)) == calendar
    assert resume(calendar, PauseReason.OUTAGE, MONDAY + timedelta(hours=1)) == calendar
    assert resume(PLAIN, PauseReason.STAFF, MONDAY) == PLAIN


def test_nothing_runs_out_during_a_pause_without_an_end() -> None:
    time_control = custom(HOUR)
    calendar = pause(PLAIN, PauseReason.STAFF, MONDAY + timedelta(minutes=30))
    clock = start_turn(time_control, new_clock(time_control), MONDAY)
    assert turn_deadline(time_control, calendar, clock) is None
    assert not is_overdue(time_control, calendar, clock, MONDAY + timedelta(days=9))
    assert time_left(time_control, calendar, clock, MONDAY + timedelta(days=9)) == 30 * MINUTE
    ended = resume(calendar, PauseReason.STAFF, MONDAY + timedelta(days=9))
    assert turn_deadline(time_control, ended, clock) == MONDAY + timedelta(days=9, minutes=30)


def test_time_that_is_gone_when_a_pause_begins_runs_out_when_it_ends() -> None:
    calendar = pause(PLAIN, PauseReason.STAFF, MONDAY)
    assert deadline(custom(HOUR), calendar, 0, MONDAY) is None
    assert deadline(custom(HOUR), resume(calendar, PauseReason.STAFF, MONDAY), 0, MONDAY) == MONDAY


def test_overlapping_pauses_are_not_given_back_twice() -> None:
    at = [MONDAY + timedelta(minutes=n) for n in range(60)]
    gaps = [(10, 20), (15, 25), (12, 14), (25, 30), (10, 20), (40, 40), (50, 45)]
    calendar = Calendar(AMSTERDAM, pauses=tuple(PauseSpan(PauseReason.OUTAGE, at[a], at[b]) for a, b in gaps))
    assert time_used(custom(HOUR), calendar, at[0], at[59]) == 39 * MINUTE
    assert deadline(custom(HOUR), calendar, 39 * MINUTE, at[0]) == at[59]


def test_the_last_second_of_a_pause_does_not_count_and_the_next_one_does() -> None:
    calendar = Calendar(AMSTERDAM, pauses=(PauseSpan(PauseReason.OUTAGE, MONDAY, MONDAY + timedelta(minutes=1)),))
    for second, used in [(-1, 1), (0, 0), (59, 0), (60, 1)]:
        start = MONDAY + timedelta(seconds=second)
        assert time_used(custom(HOUR), calendar, start, start + timedelta(seconds=1)) == used
        assert time_used(custom(HOUR), calendar, start, start + timedelta(minutes=2)) == 120 - min(60, 60 - second)


def test_a_holiday_that_ends_before_it_begins_stops_nothing() -> None:
    calendar = Calendar(AMSTERDAM, holidays=(HolidaySpan(date(2026, 6, 9), date(2026, 6, 1), AMSTERDAM),))
    assert deadline(custom(DAY), calendar, 9 * DAY, MONDAY) == MONDAY + timedelta(days=9)


def test_two_weeks_over_weekends_take_well_under_a_millisecond() -> None:
    start = perf_counter()
    for _ in range(100):
        deadline(WEEKENDS, PLAIN, 14 * DAY, MONDAY)
    assert perf_counter() - start < 0.1


def test_a_deadline_that_would_never_come_is_an_error_and_found_at_once() -> None:
    first = date(2026, 1, 1)
    months = [first + timedelta(days=14 * n) for n in range(1_000)]
    calendar = Calendar(
        AMSTERDAM, holidays=tuple(HolidaySpan(day, day + timedelta(days=13), AMSTERDAM) for day in months)
    )
    start = perf_counter()
    with pytest.raises(ClockError, match="no-deadline"):
        deadline(custom(DAY, weekends=True), calendar, DAY, MONDAY)
    assert perf_counter() - start < 1


# Turns


def test_a_turn_uses_its_allowance_first_and_the_reserve_after_it() -> None:
    time_control = custom(HOUR, reserve_start=HOUR)
    clock = start_turn(time_control, new_clock(time_control), MONDAY)
    assert clock == Clock(HOUR, HOUR, MONDAY)
    assert turn_deadline(time_control, PLAIN, clock) == MONDAY + timedelta(hours=2)
    for minutes, allowance, reserve in [(45, 15, 60), (60, 0, 60), (61, 0, 59), (120, 0, 0), (300, 0, 0)]:
        at = MONDAY + timedelta(minutes=minutes)
        assert settle(time_control, PLAIN, clock, at) == Clock(allowance * MINUTE, reserve * MINUTE, at)


def test_what_is_left_of_the_allowance_is_lost_and_the_reserve_grows_to_its_cap() -> None:
    time_control = custom(HOUR, reserve_start=10 * MINUTE, reserve_increment=20 * MINUTE, reserve_cap=25 * MINUTE)
    clock = start_turn(time_control, new_clock(time_control), MONDAY)
    after = {m: finish_turn(time_control, PLAIN, clock, MONDAY + timedelta(minutes=m)) for m in (1, 68, 999)}
    assert after == {
        1: Clock(0, 25 * MINUTE, None),
        68: Clock(0, 22 * MINUTE, None),
        999: Clock(0, 20 * MINUTE, None),
    }


def test_a_turn_that_autopilot_played_earns_nothing() -> None:
    time_control = custom(HOUR, reserve_start=10 * MINUTE, reserve_increment=20 * MINUTE, reserve_cap=HOUR)
    clock = start_turn(time_control, new_clock(time_control), MONDAY)
    assert finish_turn(time_control, PLAIN, clock, MONDAY + timedelta(minutes=71), by_owner=False).reserve == 0


def test_the_same_seat_again_has_a_new_allowance_but_a_turn_has_one_only() -> None:
    time_control = custom(HOUR)
    clock = start_turn(time_control, new_clock(time_control), MONDAY)
    later = MONDAY + timedelta(minutes=50)
    with pytest.raises(ClockError, match="turn-open"):
        start_turn(time_control, clock, later)
    again = start_turn(time_control, finish_turn(time_control, PLAIN, clock, later), later)
    assert turn_deadline(time_control, PLAIN, again) == later + timedelta(hours=1)


def test_a_clock_without_an_open_turn_stands_still() -> None:
    time_control = custom(HOUR, reserve_start=HOUR)
    clock = new_clock(time_control)
    assert settle(time_control, PLAIN, clock, MONDAY) == clock
    assert turn_deadline(time_control, PLAIN, clock) is None
    assert not is_overdue(time_control, PLAIN, clock, MONDAY)
    assert warning_instants(time_control, PLAIN, clock) == ()
    with pytest.raises(ClockError, match="turn-not-open"):
        finish_turn(time_control, PLAIN, clock, MONDAY)


def test_a_clock_of_the_machine_that_goes_back_gives_and_takes_nothing() -> None:
    time_control = custom(HOUR)
    clock = start_turn(time_control, new_clock(time_control), MONDAY)
    assert settle(time_control, PLAIN, clock, MONDAY - timedelta(hours=5)) == clock


def test_a_turn_is_overdue_at_its_deadline_and_not_a_moment_before() -> None:
    time_control = custom(HOUR)
    clock = start_turn(time_control, new_clock(time_control), MONDAY.replace(microsecond=999_999))
    assert clock.since == MONDAY
    assert turn_deadline(time_control, PLAIN, clock) == MONDAY + timedelta(hours=1)
    assert not is_overdue(time_control, PLAIN, clock, MONDAY + timedelta(hours=1, microseconds=-1))
    assert is_overdue(time_control, PLAIN, clock, MONDAY + timedelta(hours=1))


def test_an_outage_during_a_turn_is_given_back_in_full() -> None:
    time_control = custom(HOUR)
    clock = start_turn(time_control, new_clock(time_control), MONDAY)
    gap = outage_gap(MONDAY + timedelta(minutes=10), MONDAY + timedelta(hours=5))
    assert gap is not None
    calendar = replace(PLAIN, pauses=(gap,))
    assert turn_deadline(time_control, calendar, clock) == MONDAY + timedelta(hours=5, minutes=50)


def test_only_a_heartbeat_more_than_a_minute_old_is_an_outage() -> None:
    old = MONDAY - timedelta(seconds=61)
    assert outage_gap(MONDAY - timedelta(minutes=1), MONDAY) is None
    assert outage_gap(MONDAY + timedelta(hours=1), MONDAY) is None
    assert outage_gap(None, MONDAY) is None
    assert outage_gap(old, MONDAY) == PauseSpan(PauseReason.OUTAGE, old, MONDAY)


def test_a_new_time_control_restarts_the_open_turn_and_caps_the_reserve() -> None:
    old = custom(HOUR, reserve_start=3 * HOUR)
    new = custom(2 * HOUR, reserve_start=HOUR, reserve_cap=2 * HOUR)
    clock = start_turn(old, new_clock(old), MONDAY)
    at = [MONDAY + timedelta(minutes=m) for m in (30, 150)]
    assert adopt_time_control(old, new, PLAIN, clock, at[0]) == Clock(2 * HOUR, 2 * HOUR, at[0])
    assert adopt_time_control(old, new, PLAIN, clock, at[1]) == Clock(2 * HOUR, 90 * MINUTE, at[1])
    assert adopt_time_control(old, new, PLAIN, new_clock(old), at[0]) == Clock(0, 2 * HOUR, None)
    assert adopt_time_control(custom(HOUR), new, PLAIN, Clock(0, 0, None), at[0]) == Clock(0, HOUR, None)


# Warnings


def warnings_of(time_control: TimeControl, calendar: Calendar = PLAIN) -> list[tuple[WarningKind, timedelta]]:
    clock = start_turn(time_control, new_clock(time_control), MONDAY)
    return [(warning.kind, warning.at - MONDAY) for warning in warning_instants(time_control, calendar, clock)]


def test_a_short_allowance_has_one_warning_when_half_of_it_is_left() -> None:
    assert warnings_of(custom(12 * HOUR - 2)) == [(WarningKind.HALF, timedelta(hours=6, seconds=-1))]
    assert warnings_of(custom(MINUTE, reserve_start=HOUR)) == [(WarningKind.HALF, timedelta(seconds=30))]


@pytest.mark.parametrize(("hours", "last"), [(12, 2.4), (24, 4.8), (60, 12), (72, 12), (336, 12)])
def test_from_12_hours_on_a_second_warning_comes_at_a_fifth_but_at_most_12_hours(hours: int, last: float) -> None:
    assert warnings_of(custom(hours * HOUR, reserve_start=7 * HOUR)) == [
        (WarningKind.HALF, timedelta(hours=hours / 2)),
        (WarningKind.LAST, timedelta(hours=hours + 7 - last)),
    ]


def test_a_warning_waits_for_what_does_not_count() -> None:
    holiday = Calendar(AMSTERDAM, holidays=(HolidaySpan(date(2026, 6, 2), date(2026, 6, 3), AMSTERDAM),))
    assert warnings_of(custom(2 * DAY), holiday) == [
        (WarningKind.HALF, timedelta(days=3)),
        (WarningKind.LAST, timedelta(days=4) - timedelta(seconds=2 * DAY // 5)),
    ]


def test_a_warning_that_a_pause_without_an_end_keeps_off_is_not_announced() -> None:
    calendar = pause(PLAIN, PauseReason.STAFF, MONDAY + timedelta(hours=30))
    assert warnings_of(custom(2 * DAY), calendar) == [(WarningKind.HALF, timedelta(days=1))]


def test_a_warning_gone_by_is_not_announced_again_when_the_calendar_changes() -> None:
    time_control = custom(DAY)
    clock = start_turn(time_control, new_clock(time_control), MONDAY)
    settled = settle(time_control, PLAIN, clock, MONDAY + timedelta(hours=13))
    assert [w.kind for w in warning_instants(time_control, PLAIN, settled)] == [WarningKind.LAST]


# Misses


@pytest.mark.parametrize(("misses", "expiry"), [(0, Expiry.AUTOPILOT), (1, Expiry.AUTOPILOT), (2, Expiry.RETIRE)])
def test_autopilot_plays_twice_and_the_third_miss_in_a_row_retires(misses: int, expiry: Expiry) -> None:
    assert on_expiry(custom(HOUR), misses) is expiry


def test_a_strict_time_control_retires_at_the_first_miss() -> None:
    assert on_expiry(custom(HOUR, on_timeout=OnTimeout.STRICT), 0) is Expiry.RETIRE


# Holidays


def days(first: str, last: str, zone: ZoneInfo = AMSTERDAM) -> HolidaySpan:
    return HolidaySpan(date.fromisoformat(first), date.fromisoformat(last), zone)


def test_holidays_within_the_limits_are_accepted() -> None:
    check_holidays([])
    check_holidays(
        [days("2026-07-01", "2026-07-14"), days("2026-08-01", "2026-08-14"), days("2026-09-01", "2026-09-02")]
    )


@pytest.mark.parametrize(
    ("holidays", "code"),
    [
        ([days("2026-07-02", "2026-07-01")], ClockCode.HOLIDAY_BACKWARDS),
        ([days("2026-07-01", "2026-07-15")], ClockCode.HOLIDAY_TOO_LONG),
        ([days("2026-07-05", "2026-07-09"), days("2026-07-01", "2026-07-05")], ClockCode.HOLIDAYS_OVERLAP),
        (
            [days("2026-07-01", "2026-07-14"), days("2026-08-01", "2026-08-14"), days("2026-09-01", "2026-09-03")],
            ClockCode.HOLIDAYS_USED_UP,
        ),
    ],
)
def test_holidays_beyond_the_limits_are_refused(holidays: list[HolidaySpan], code: ClockCode) -> None:
    with pytest.raises(ClockError) as error:
        check_holidays(holidays)
    assert error.value.code is code


def test_a_holiday_over_new_year_counts_in_each_year_for_its_own_days() -> None:
    holidays = [days("2026-12-28", "2027-01-10")]
    assert [holiday_balance(holidays, year) for year in (2025, 2026, 2027)] == [30, 26, 20]
    full = [days("2026-01-01", "2026-01-14"), days("2026-02-01", "2026-02-12")]
    check_holidays([*holidays, *full])
    with pytest.raises(ClockError) as error:
        check_holidays([*holidays, *full, days("2026-03-01", "2026-03-01")])
    assert refusal(error) == (ClockCode.HOLIDAYS_USED_UP, {"year": 2026, "days": 31, "maximum": 30})


def test_holidays_are_set_beforehand_and_what_was_taken_stays_taken() -> None:
    now = local(2026, 7, 5, 12)
    running = days("2026-07-01", "2026-07-10")
    check_holiday_change([running], [days("2026-07-01", "2026-07-05")], now)
    check_holiday_change([running], [running, days("2026-07-11", "2026-07-12")], now)
    check_holiday_change([], [days("2026-07-06", "2026-07-07")], now)
    for after in ([], [days("2026-07-01", "2026-07-04")], [days("2026-07-02", "2026-07-10")]):
        with pytest.raises(ClockError, match="holiday-not-beforehand"):
            check_holiday_change([running], after, now)
    with pytest.raises(ClockError) as error:
        check_holiday_change([], [days("2026-07-05", "2026-07-07")], now)
    assert refusal(error) == (ClockCode.HOLIDAY_NOT_BEFOREHAND, {"day": "2026-07-05"})
