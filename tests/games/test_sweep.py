"""The sweep: heartbeat first, outages given back, what is due done, what fails left to the next one."""

from datetime import datetime, timedelta
from random import Random

import pytest
from django.core.management import call_command
from django.db import DatabaseError, transaction

from accounts.models import User
from games import commands
from games.clock import TimeControl, custom
from games.models import Game, Heartbeat, Pause, Remark
from games.models.choices import Actor, RemarkKind, Status
from games.models.game import OPEN_FOR
from games.queries import due
from games.tasks.sweep import sweep_clocks
from games.timing.deadlines import deadline_of
from games.words.remarks import remark_words
from tests.flows.play import RULESET, make_user
from tests.games.timed import DAILY, MINUTE, NOW, fresh, mover, play_at, start_timed
from tests.games.timed import due as deadline

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]
HOUR = timedelta(hours=1)
SECOND = timedelta(seconds=1)


@pytest.fixture
def people() -> list[User]:
    return [make_user("Ada"), make_user("Bo")]


def sweep(now: datetime) -> int:
    return sweep_clocks(now=now, rng=Random(1))


def sweep_as_ever(now: datetime) -> int:
    """Sweep at an instant before which sweeps never stopped."""
    commands.beat(name=due.CLOCKS, now=now)
    return sweep(now)


def offer(user: User) -> Game:
    return commands.create_game(user=user, ruleset=RULESET, size=3, options={}, public=True, bots=[], now=NOW)


# Turns


def test_each_due_game_gets_one_autopilot_turn_and_others_none(people: list[User]) -> None:
    late, early = start_timed(people), start_timed(people, DAILY)
    sweep(NOW)
    assert sweep(NOW + MINUTE) == 1
    assert (fresh(late).seq, fresh(early).seq) == (1, 0)
    assert late.entries.get().by == Actor.AUTOPILOT


def test_a_game_that_can_not_be_played_on_holds_no_other_one_up(people: list[User]) -> None:
    broken, whole = start_timed(people), start_timed(people)
    sweep(NOW)
    Game.objects.filter(pk=broken.pk).update(state="nonsense")
    assert sweep(NOW + MINUTE) == 1
    assert (fresh(broken).seq, fresh(whole).seq) == (0, 1)
    Game.objects.filter(pk=broken.pk).update(state="")
    assert sweep(NOW + MINUTE + 20 * SECOND) == 1
    assert fresh(broken).seq == 1


def test_a_running_game_without_a_clock_gets_one_with_its_whole_allowance(people: list[User]) -> None:
    game = start_timed(people)
    game.seats.update(since=None)
    Game.objects.update(deadline=None)
    sweep(NOW + HOUR)
    assert deadline(game) == NOW + HOUR + MINUTE


# Outages


def test_the_first_heartbeat_is_no_outage(people: list[User]) -> None:
    game = start_timed(people)
    assert sweep(NOW + MINUTE) == 1
    assert fresh(game).seq == 1
    assert not Pause.objects.exists()


def test_a_minute_between_sweeps_is_no_outage_and_a_second_more_is_one(people: list[User]) -> None:
    start_timed(people)
    sweep(NOW)
    assert sweep(NOW + MINUTE) == 1
    assert not Pause.objects.exists()
    assert sweep(NOW + 2 * MINUTE + SECOND) == 0
    assert Pause.objects.count() == 1


def test_an_outage_is_given_back_before_anything_expires_and_the_log_says_so(people: list[User]) -> None:
    game = start_timed(people)
    sweep(NOW + 20 * SECOND)
    version = fresh(game).version
    assert sweep(NOW + 5 * HOUR) == 0
    assert deadline(game) == NOW + 5 * HOUR + 40 * SECOND
    assert fresh(game).version > version
    remark = game.remarks.get()
    assert (remark.kind, remark.seat) == (RemarkKind.OUTAGE, mover(game).number)
    assert remark.params == {"seconds": 5 * 3600 - 20}
    assert "4 hours 59 minutes" in remark_words(remark, ["Ada", "Bo"])
    assert sweep(NOW + 5 * HOUR + 20 * SECOND) == 0
    assert game.remarks.count() == 1
    assert sweep(NOW + 5 * HOUR + 40 * SECOND) == 1


@pytest.mark.parametrize("time_control", [custom(60), DAILY, custom(86_400, weekends=True)])
def test_an_outage_costs_nobody_time(people: list[User], time_control: TimeControl) -> None:
    game = start_timed(people, time_control)
    untouched = start_timed(people, time_control)
    sweep(NOW)
    before = deadline(untouched) - NOW
    sweep(NOW + 2 * HOUR)
    for each in (game, untouched):
        assert deadline(each) - (NOW + 2 * HOUR) >= before
        assert fresh(each).deadline == deadline_of(fresh(each))


def test_who_plays_after_an_outage_loses_no_reserve_to_it(people: list[User]) -> None:
    game = start_timed(people, DAILY)
    seat = mover(game)
    sweep(NOW)
    sweep(NOW + 30 * HOUR)
    play_at(game, NOW + 30 * HOUR + 24 * HOUR)
    seat.refresh_from_db()
    assert seat.reserve == 3_600 + 600


def test_a_turn_that_began_after_the_outage_gets_nothing_back(people: list[User]) -> None:
    game = start_timed(people)
    sweep(NOW)
    play_at(game, NOW + 4 * HOUR)
    commands.beat_clocks(name=due.CLOCKS, now=NOW + 4 * HOUR)
    sweep(NOW + 4 * HOUR)
    assert not game.remarks.exists()
    assert deadline(game) == NOW + 4 * HOUR + MINUTE


def test_an_outage_is_found_once_by_two_sweeps(people: list[User]) -> None:
    start_timed(people)
    sweep(NOW)
    first = commands.beat_clocks(name=due.CLOCKS, now=NOW + HOUR)
    assert first is not None
    assert commands.beat_clocks(name=due.CLOCKS, now=NOW + HOUR) is None


def test_a_clock_of_the_machine_that_is_put_back_takes_no_time(people: list[User]) -> None:
    game = start_timed(people)
    sweep(NOW)
    sweep(NOW - HOUR)
    assert deadline(game) == NOW + MINUTE
    assert Heartbeat.objects.get(name=due.CLOCKS).at == NOW - HOUR


def test_remarks_can_not_be_changed_or_deleted(people: list[User]) -> None:
    game = start_timed(people)
    commands.pause_game(game_key=game.key, now=NOW)
    for change in (lambda: Remark.objects.update(seat=2), lambda: game.remarks.get().delete()):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()
    assert game.remarks.get().seat is None


# Open games


def test_the_creator_of_an_open_game_is_warned_once_and_then_it_expires(people: list[User]) -> None:
    game = offer(people[0])
    sweep_as_ever(NOW + OPEN_FOR - timedelta(days=2) - SECOND)
    assert not fresh(game).expiry_noticed
    sweep_as_ever(NOW + OPEN_FOR - timedelta(days=2))
    assert fresh(game).expiry_noticed
    sweep_as_ever(NOW + OPEN_FOR - SECOND)
    assert fresh(game).status == Status.OPEN
    sweep_as_ever(NOW + OPEN_FOR)
    assert fresh(game).status == Status.CANCELLED
    assert game.remarks.get().kind == RemarkKind.EXPIRED


def test_an_open_game_stays_open_for_as_much_longer_as_the_site_was_down(people: list[User]) -> None:
    game = offer(people[0])
    sweep_as_ever(NOW + HOUR)
    sweep(NOW + OPEN_FOR + HOUR)
    assert fresh(game).expires_at == NOW + 2 * OPEN_FOR
    assert fresh(game).status == Status.OPEN


def test_an_open_game_that_is_kept_open_waits_anew_and_warns_anew(people: list[User]) -> None:
    game = offer(people[0])
    sweep(NOW + OPEN_FOR - HOUR)
    commands.keep_open(game_key=game.key, user=people[0], now=NOW + OPEN_FOR - HOUR)
    sweep(NOW + OPEN_FOR)
    assert (fresh(game).status, fresh(game).expiry_noticed) == (Status.OPEN, False)


# The alarm


def test_nothing_is_wrong_while_turns_end_in_time(people: list[User]) -> None:
    start_timed(people)
    for name in due.HEARTBEATS:
        commands.beat(name=name, now=NOW)
    assert not due.alarm(NOW + 3 * MINUTE)


def test_a_turn_more_than_five_minutes_past_its_deadline_raises_the_alarm(people: list[User]) -> None:
    game = start_timed(people)
    for name in due.HEARTBEATS:
        commands.beat(name=name, now=NOW + 6 * MINUTE)
    assert not due.alarm(NOW + 6 * MINUTE)
    found = due.alarm(NOW + 6 * MINUTE + SECOND)
    assert [late.key for late in found.overdue] == [game.key]
    assert due.overdue_count(NOW + 6 * MINUTE + SECOND) == 1


def test_a_sweep_that_is_not_heard_of_raises_the_alarm(people: list[User]) -> None:
    for name in due.HEARTBEATS:
        commands.beat(name=name, now=NOW - 4 * MINUTE if name == due.BOTS else NOW)
    assert [old.name for old in due.alarm(NOW).heartbeats] == [due.BOTS]


def test_the_command_exits_with_1_and_a_line_for_each_thing_that_is_wrong(
    people: list[User], capsys: pytest.CaptureFixture[str]
) -> None:
    game = start_timed(people)
    Game.objects.filter(pk=game.pk).update(deadline=NOW - timedelta(days=400))
    with pytest.raises(SystemExit) as exit_:
        call_command("check_overdue")
    assert exit_.value.code == 1
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith(f"game {game.key}: overdue since") for line in lines)
    assert "heartbeat clocks: never" in lines
