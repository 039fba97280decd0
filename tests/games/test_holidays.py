"""Holidays: set beforehand, they move the deadlines of open turns; taken back, they move them again."""

from datetime import date, datetime, timedelta

import pytest

from accounts.models import User
from games import commands
from games.clock import ClockCode, ClockError, custom
from games.errors import GameCode as SiteCode
from games.errors import GameError
from games.models import Holiday
from games.timing.deadlines import deadline_of
from tests.flows.play import make_user
from tests.games.timed import DAILY, NOW, due, expire, fresh, mover, owner, play_at, start_timed, sweeps_live

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]
DAY = timedelta(days=1)
TODAY = NOW.date()
CALENDAR = custom(86_400 * 2, holidays=True)


@pytest.fixture
def people() -> list[User]:
    return [make_user("Ada"), make_user("Bo")]


def go(user: User, first: date, last: date, now: datetime = NOW) -> Holiday:
    return commands.add_holiday(user=user, first=first, last=last, now=now)


def refusal(user: User, first: date, last: date) -> str:
    with pytest.raises(ClockError) as caught:
        go(user, first, last)
    return caught.value.code


def test_a_holiday_moves_the_deadline_of_its_owners_open_turn_by_its_days(people: list[User]) -> None:
    game = start_timed(people, CALENDAR)
    before = due(game)
    go(owner(mover(game)), TODAY + DAY, TODAY + 5 * DAY)
    assert due(game) == before + 5 * DAY
    assert fresh(game).deadline == deadline_of(fresh(game))


def test_a_holiday_leaves_the_turns_of_others_and_games_without_holidays_alone(people: list[User]) -> None:
    with_holidays, without = start_timed(people, CALENDAR), start_timed(people, custom(86_400, holidays=False))
    before = due(with_holidays), due(without)
    other = next(user for user in people if user != owner(mover(with_holidays)))
    go(other, TODAY + DAY, TODAY + 2 * DAY)
    go(owner(mover(without)), TODAY + 3 * DAY, TODAY + 4 * DAY)
    assert due(without) == before[1]
    play_at(with_holidays, NOW)
    assert due(with_holidays) >= before[0] + 2 * DAY


def test_the_zone_of_the_open_turn_says_when_its_days_begin(people: list[User]) -> None:
    User.objects.update(time_zone="America/New_York")
    game = start_timed(people, CALENDAR)
    go(owner(mover(game)), TODAY + DAY, TODAY + DAY)
    assert due(game) == NOW + 3 * DAY
    assert fresh(game).deadline == deadline_of(fresh(game))


def test_a_holiday_taken_back_before_it_begins_is_gone(people: list[User]) -> None:
    game = start_timed(people, CALENDAR)
    before, user = due(game), owner(mover(game))
    holiday = go(user, TODAY + DAY, TODAY + 5 * DAY)
    commands.drop_holiday(user=user, holiday_id=holiday.pk, now=NOW)
    assert due(game) == before
    assert not Holiday.objects.exists()


def test_of_a_holiday_taken_back_while_it_lasts_the_days_gone_by_stay(people: list[User]) -> None:
    game = start_timed(people, CALENDAR)
    before, user = due(game), owner(mover(game))
    holiday = go(user, TODAY + DAY, TODAY + 5 * DAY)
    sweeps_live(NOW + 2 * DAY)
    commands.drop_holiday(user=user, holiday_id=holiday.pk, now=NOW + 2 * DAY)
    assert due(game) == before + 2 * DAY
    holiday.refresh_from_db()
    assert holiday.last == TODAY + 2 * DAY


def test_a_holiday_that_is_over_and_someone_elses_can_not_be_taken_back(people: list[User]) -> None:
    holiday = go(people[0], TODAY + DAY, TODAY + 2 * DAY)
    with pytest.raises(ClockError):
        commands.drop_holiday(user=people[0], holiday_id=holiday.pk, now=NOW + 2 * DAY)
    with pytest.raises(GameError) as caught:
        commands.drop_holiday(user=people[1], holiday_id=holiday.pk, now=NOW)
    assert caught.value.code == SiteCode.NO_SUCH_HOLIDAY
    assert Holiday.objects.get() == holiday


def test_a_list_that_breaks_a_limit_is_refused_and_nothing_is_stored(people: list[User]) -> None:
    ada = people[0]
    assert refusal(ada, TODAY, TODAY) == ClockCode.HOLIDAY_NOT_BEFOREHAND
    assert refusal(ada, TODAY + DAY, TODAY + 15 * DAY) == ClockCode.HOLIDAY_TOO_LONG
    assert refusal(ada, TODAY + 3 * DAY, TODAY + DAY) == ClockCode.HOLIDAY_BACKWARDS
    assert not Holiday.objects.exists()
    go(ada, TODAY + DAY, TODAY + 14 * DAY)
    assert refusal(ada, TODAY + 14 * DAY, TODAY + 15 * DAY) == ClockCode.HOLIDAYS_OVERLAP
    assert Holiday.objects.count() == 1


def test_time_used_before_a_holiday_was_set_stays_used(people: list[User]) -> None:
    game = start_timed(people, DAILY)
    user = owner(mover(game))
    now = NOW + timedelta(hours=10)
    sweeps_live(now)
    go(user, now.date() + DAY, now.date() + DAY, now)
    seat = mover(game)
    assert (seat.allowance, seat.reserve) == (86_400 - 36_000, 3_600)
    assert due(game) == NOW + 2 * DAY + timedelta(hours=1)


def test_a_holiday_set_after_time_ran_out_saves_no_turn(people: list[User]) -> None:
    game = start_timed(people, DAILY)
    late = NOW + timedelta(hours=30)
    sweeps_live(late)
    commands.pause_game(game_key=game.key, now=late)
    person = owner(mover(game))
    go(person, (late + timedelta(days=9)).date(), (late + timedelta(days=9)).date(), late + timedelta(minutes=1))
    assert fresh(game).deadline == NOW + timedelta(hours=25)
    entry = expire(game, late + timedelta(hours=1))
    assert entry is not None
    assert entry.by == "autopilot"
