"""A day that has begun is taken, and stops a clock once: whatever zones are changed, holidays set and dropped."""

from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Final

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from accounts.models import User
from games import clock, commands
from games.clock import TimeControl, custom
from games.models import Game, Holiday
from games.timing.deadlines import calendar_of, clock_of, deadline_of, time_control_of
from tests.flows.play import NOW, make_user
from tests.games.timed import fresh, mover, owner, play_at, start_timed, sweeps_live
from tests.services import examples

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]
DAY: Final = timedelta(days=1)
HOUR: Final = timedelta(hours=1)
NONE: Final = timedelta(0)
ZONES: Final = ("Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC", "Asia/Tokyo")
"""From one end of the Earth to the other. None of them changes its clocks, so that a day has 24 hours."""
AWAY: Final = custom(14 * 86_400, holidays=True)
WEEKENDS: Final = custom(14 * 86_400, weekends=True, holidays=False)
FIRST_WEEKEND: Final = datetime(2026, 11, 27, 10, tzinfo=UTC)
"""When the weekend of the start begins in Kiritimati."""

type Deed = tuple[str, int]
"""What the person does: ``zone`` (which; see `Person.move`), ``add`` (days ahead), ``drop`` (which one), ``play``,
``wait`` (hours)."""
DEEDS: Final = st.one_of(
    st.tuples(st.just("zone"), st.integers(0, 2 * len(ZONES) - 1)),
    st.tuples(st.just("add"), st.integers(-2, 2)),
    st.tuples(st.just("drop"), st.integers(0, 3)),
    st.tuples(st.just("play"), st.just(0)),
    st.tuples(st.just("wait"), st.integers(1, 30)),
)
TRAVELS: Final = st.one_of(
    st.tuples(st.just("zone"), st.integers(0, len(ZONES) - 1)),
    st.tuples(st.just("play"), st.just(0)),
    st.tuples(st.just("wait"), st.integers(6, 40)),
)
DAILY_VISIT: Final[list[Deed]] = [("add", 1), ("wait", 20), ("drop", 0), ("wait", 4)]
"""The visit that kept a game for ever: at midday it is tomorrow in the east already, and early today in the west."""
ONE_DAY_TWICE: Final[list[Deed]] = [
    *(("zone", 0), ("play", 0), ("add", 2), ("wait", 23), ("wait", 23)),
    *(("zone", 1), ("play", 0), ("wait", 30)),
]
unhurried = settings(
    max_examples=examples(20), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


class Person:
    """Someone in a game who does what may win them time; all that stopped their clock is measured from outside."""

    def __init__(self, time_control: TimeControl, now: datetime) -> None:
        Game.objects.filter(status="active").update(deadline=None)
        index = User.objects.count()
        users = [make_user(f"Ada{index}"), make_user(f"Bo{index}")]
        self.now = now
        self.game = start_timed(users, time_control)
        self.user = owner(mover(self.game))
        self.moved_at = NOW
        self.paused = NONE

    def do(self, deed: Deed) -> None:
        what, number = deed
        match what:
            case "zone":
                self.move(ZONES[number % len(ZONES)], crash=number >= len(ZONES))
            case "add":
                self.add(self.now.date() + number * DAY)
            case "drop":
                self.drop(number)
            case "play":
                self.play()
            case _:
                self.now += number * HOUR
                sweeps_live(self.now)

    def move(self, zone: str, *, crash: bool = False) -> None:
        """Move to another zone; in a ``crash`` nothing that follows from it is derived anew."""
        self.user.time_zone = zone
        self.user.save()
        if not crash:
            commands.follow_zone(user_id=self.user.pk, now=self.now)

    def add(self, day: date) -> None:
        try:
            commands.add_holiday(user=self.user, first=day, last=day, now=self.now)
        except clock.ClockError:
            return

    def drop(self, number: int) -> None:
        for row in Holiday.objects.filter(user=self.user).order_by("-first")[number : number + 1]:
            try:
                commands.drop_holiday(user=self.user, holiday_id=row.pk, now=self.now)
            except clock.ClockError:
                return

    def play(self) -> None:
        """Play a turn, and let the other one play at once."""
        self.paused = self.stood_still()
        for _turn in range(2):
            play_at(self.game, self.now, Random(1))
        self.moved_at = self.now

    def stood_still(self) -> timedelta:
        """Return for how long the clock has stood still, in all turns until now."""
        game = fresh(self.game)
        seat = mover(game)
        assert seat.user_id == self.user.pk
        control = time_control_of(game)
        left = clock.time_left(control, calendar_of(game, seat), clock_of(seat), self.now)
        used = timedelta(seconds=control.allowance - left)
        return self.paused + (self.now - self.moved_at) - used

    def days(self) -> set[date]:
        """Return the days that are taken from the balance."""
        return {day for row in Holiday.objects.filter(user=self.user) for day in row.span.days()}

    def days_begun(self) -> set[date]:
        """Return those of them that have begun."""
        return {day for row in Holiday.objects.filter(user=self.user) for day in row.span.days_begun(self.now)}


@unhurried
@example([("zone", 0), ("play", 0), ("zone", 1), *DAILY_VISIT, *DAILY_VISIT])
@example(ONE_DAY_TWICE)
@given(st.lists(DEEDS, min_size=3, max_size=14))
def test_a_clock_never_stands_still_longer_than_the_days_taken(deeds: list[Deed]) -> None:
    person = Person(AWAY, NOW)
    paused, begun = NONE, set[date]()
    for deed in deeds:
        person.do(deed)
        now_paused, taken = person.stood_still(), person.days()
        assert paused <= now_paused <= len(taken) * DAY
        assert begun <= taken
        assert fresh(person.game).deadline == deadline_of(fresh(person.game))
        paused, begun = now_paused, person.days_begun()


@unhurried
@example([("zone", 0), ("play", 0), ("wait", 23), ("wait", 23), ("zone", 1), ("play", 0), ("wait", 25)])
@given(st.lists(TRAVELS, min_size=3, max_size=14))
def test_a_weekend_is_counted_once_however_one_travels(deeds: list[Deed]) -> None:
    person = Person(WEEKENDS, NOW)
    for deed in deeds:
        person.do(deed)
        assert person.stood_still() <= weekends_until(person.now) * 2 * DAY


@pytest.mark.parametrize(("played", "zone"), [(-20, "Asia/Tokyo"), (20, "UTC")], ids=["before", "within"])
def test_a_weekend_counts_where_one_lives_unless_it_has_begun_to_count_elsewhere(played: int, zone: str) -> None:
    person, weekend = Person(WEEKENDS, NOW), FIRST_WEEKEND + 7 * DAY
    play_at(person.game, weekend + played * HOUR)
    person.move("Asia/Tokyo")
    play_at(person.game, weekend + 40 * HOUR)
    seat = mover(person.game)
    assert (seat.user_id, seat.zone) == (person.user.pk, zone)


def weekends_until(now: datetime) -> int:
    """Return how many weekends have begun anywhere on Earth, that of the start included."""
    return 1 + (now - FIRST_WEEKEND) // (7 * DAY)
