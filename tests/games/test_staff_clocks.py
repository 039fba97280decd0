"""What the staff can do about time: mark an outage, take it back, stop all clocks, give time, put a seat out."""

from datetime import datetime, timedelta
from random import Random
from typing import Final

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.models import User
from games import commands
from games.commands.mark_outage import OutageRefusedError
from games.models import Game, Pause
from games.models.choices import RemarkKind
from games.models.time import CLOCKS
from games.queries import due as due_work
from games.tasks.sweep import sweep_clocks
from games.words.remarks import remark_words
from tests.flows.play import make_user
from tests.games.timed import DAILY, MINUTE, NOW, differences, due, expire, fresh, mover, play_at, start_timed

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]
HOUR: Final = timedelta(hours=1)


@pytest.fixture
def game() -> Game:
    return start_timed([make_user("Ada"), make_user("Bo")], DAILY)


def sweep_as_ever(now: datetime) -> int:
    """Sweep at an instant before which sweeps never stopped."""
    commands.beat(name=CLOCKS, now=now)
    return sweep_clocks(now=now, rng=Random(1))


def words(game: Game) -> list[str]:
    """Return what the log of a game says beside its entries."""
    return [remark_words(remark, ["Ada", "Bo"]) for remark in game.remarks.order_by("pk")]


# Outages


def test_a_marked_outage_gives_reserve_back_to_turns_that_have_ended_too(game: Game) -> None:
    seat = mover(game)
    sweep_as_ever(NOW + 24 * HOUR)
    commands.beat(name=CLOCKS, now=NOW + 24 * HOUR + 30 * MINUTE)
    play_at(game, NOW + 24 * HOUR + 30 * MINUTE)
    seat.refresh_from_db()
    assert seat.reserve == 3_600 - 1_800 + 600
    commands.mark_outage(start=NOW + 23 * HOUR, end=NOW + 25 * HOUR, now=NOW + 26 * HOUR)
    sweep_as_ever(NOW + 26 * HOUR)
    seat.refresh_from_db()
    assert seat.reserve == 3_600 + 600
    assert due(game) == NOW + 25 * HOUR + 24 * HOUR + HOUR
    assert game.remarks.filter(kind=RemarkKind.OUTAGE).count() == 2


def test_an_outage_taken_back_leaves_clocks_as_if_it_had_never_been_marked(game: Game) -> None:
    seat = mover(game)
    sweep_as_ever(NOW + 24 * HOUR)
    commands.beat(name=CLOCKS, now=NOW + 24 * HOUR + 30 * MINUTE)
    play_at(game, NOW + 24 * HOUR + 30 * MINUTE)
    before = due(game)
    outage = commands.mark_outage(start=NOW + 23 * HOUR, end=NOW + 25 * HOUR, now=NOW + 26 * HOUR)
    sweep_as_ever(NOW + 26 * HOUR)
    assert commands.unmark_outage(outage_id=outage.pk, now=NOW + 26 * HOUR) == 1
    assert commands.unmark_outage(outage_id=outage.pk, now=NOW + 26 * HOUR) == 0
    seat.refresh_from_db()
    assert seat.reserve == 3_600 - 1_800 + 600
    assert due(game) == before
    assert words(game)[-1] == "The staff has corrected an outage: its time counts after all."
    sweep_as_ever(NOW + 27 * HOUR)
    assert due(game) == before


def test_an_outage_taken_back_ends_no_turn_before_its_person_had_time(game: Game) -> None:
    sweep_as_ever(NOW + 20 * HOUR)
    outage = commands.mark_outage(start=NOW, end=NOW + 20 * HOUR, now=NOW + 20 * HOUR)
    sweep_as_ever(NOW + 20 * HOUR)
    now = NOW + 26 * HOUR
    assert due(game) == NOW + 45 * HOUR
    commands.unmark_outage(outage_id=outage.pk, now=now)
    assert due(game) == now + 12 * HOUR
    assert words(game)[-1] == f"The staff gives {('Ada', 'Bo')[mover(game).number - 1]} more time: 13 hours."
    assert sweep_as_ever(now) == 0
    assert sweep_as_ever(now + 12 * HOUR) == 1
    assert differences(game) == []


def test_an_outage_taken_back_leaves_no_turn_with_more_time_than_it_had(game: Game) -> None:
    outage = commands.mark_outage(start=NOW, end=NOW + HOUR, now=NOW + HOUR)
    sweep_as_ever(NOW + HOUR)
    before = due(game)
    sweep_as_ever(before - MINUTE)
    commands.unmark_outage(outage_id=outage.pk, now=before - MINUTE)
    assert due(game) == before
    assert sweep_as_ever(before) == 1


def test_what_was_interrupted_while_it_was_taken_back_is_done_before_a_turn_ends(game: Game) -> None:
    outage = commands.mark_outage(start=NOW, end=NOW + 20 * HOUR, now=NOW + 20 * HOUR)
    sweep_as_ever(NOW + 20 * HOUR)
    now = NOW + 26 * HOUR
    Pause.objects.filter(pk=outage.pk).update(end=outage.start, credited=False)  # and then the machine stopped
    Game.objects.update(deadline=NOW + 25 * HOUR)
    assert expire(game, now) is None
    assert due(game) == now + 12 * HOUR
    assert sweep_as_ever(now) == 0
    assert Pause.objects.get().credited
    assert [remark.kind for remark in game.remarks.order_by("pk")] == ["outage", "undone", "given"]


def test_the_sweep_goes_on_with_what_was_interrupted_while_it_was_taken_back(game: Game) -> None:
    outage = commands.mark_outage(start=NOW, end=NOW + 20 * HOUR, now=NOW + 20 * HOUR)
    sweep_as_ever(NOW + 20 * HOUR)
    Pause.objects.filter(pk=outage.pk).update(end=outage.start, credited=False)
    sweep_as_ever(NOW + 21 * HOUR)
    assert due(game) == NOW + 21 * HOUR + 12 * HOUR
    assert Pause.objects.get().credited


def test_a_marked_outage_gives_a_turn_that_autopilot_ended_its_reserve_back(game: Game) -> None:
    seat = mover(game)
    sweep_as_ever(NOW + 24 * HOUR)
    assert sweep_as_ever(NOW + 25 * HOUR) == 1
    seat.refresh_from_db()
    assert seat.reserve == 0
    commands.mark_outage(start=NOW + 24 * HOUR, end=NOW + 25 * HOUR, now=NOW + 26 * HOUR)
    sweep_as_ever(NOW + 26 * HOUR)
    seat.refresh_from_db()
    assert seat.reserve == 3_600
    assert game.entries.get().by == "autopilot"
    assert game.remarks.get(seat=seat.number).params == {"seconds": 3_600}


def test_an_outage_to_come_or_too_long_ago_is_refused(game: Game) -> None:
    del game
    for start, end in ((NOW, NOW + HOUR), (NOW - HOUR, NOW - HOUR), (NOW - 31 * 24 * HOUR, NOW)):
        with pytest.raises(OutageRefusedError):
            commands.mark_outage(start=start, end=end, now=NOW)
    with pytest.raises(OutageRefusedError):
        commands.unmark_outage(outage_id=77, now=NOW)


def test_two_outages_that_overlap_give_their_common_time_back_once(game: Game) -> None:
    commands.mark_outage(start=NOW + HOUR, end=NOW + 3 * HOUR, now=NOW + 5 * HOUR)
    commands.mark_outage(start=NOW + 2 * HOUR, end=NOW + 4 * HOUR, now=NOW + 5 * HOUR)
    sweep_as_ever(NOW + 5 * HOUR)
    assert due(game) == NOW + 3 * HOUR + 25 * HOUR
    given = [remark.params["seconds"] for remark in game.remarks.order_by("pk")]
    assert given == [7_200, 3_600]


# All clocks


def test_no_turn_ends_while_all_clocks_are_stopped_and_the_time_is_given_back(game: Game) -> None:
    sweep_as_ever(NOW + HOUR)
    commands.stop_clocks(now=NOW + HOUR)
    commands.stop_clocks(now=NOW + 2 * HOUR)
    assert sweep_as_ever(NOW + 100 * HOUR) == 0
    assert fresh(game).seq == 0
    assert due_work.alarm(NOW + 100 * HOUR).pauses
    commands.start_clocks(now=NOW + 100 * HOUR)
    assert sweep_as_ever(NOW + 100 * HOUR + MINUTE) == 0
    assert due(game) == NOW + 99 * HOUR + 25 * HOUR
    assert "All clocks stood still for maintenance" in words(game)[0]
    assert "4 days 3 hours" in words(game)[0]
    assert commands.start_clocks(now=NOW + 101 * HOUR) is None
    assert not due_work.open_pauses(NOW + 101 * HOUR)


def test_who_plays_while_all_clocks_are_stopped_loses_no_reserve(game: Game) -> None:
    seat = mover(game)
    commands.stop_clocks(now=NOW + 24 * HOUR)
    play_at(game, NOW + 90 * HOUR)
    seat.refresh_from_db()
    assert seat.reserve == 3_600 + 600
    assert fresh(game).deadline is None
    commands.start_clocks(now=NOW + 91 * HOUR)
    sweep_as_ever(NOW + 91 * HOUR)
    assert due(game) == NOW + 91 * HOUR + 25 * HOUR


# One game


def test_time_that_the_staff_gives_moves_the_deadline_and_stands_in_the_log(game: Game) -> None:
    before = due(game)
    commands.give_time(game_key=game.key, seconds=5_400, now=NOW + HOUR)
    assert due(game) == before + timedelta(minutes=90)
    assert "more time: 1 hour 30 minutes" in words(game)[0]
    assert expire(game, before + HOUR) is None
    assert differences(game) == []


def test_the_commands_of_manage_do_what_they_say(capsys: pytest.CaptureFixture[str]) -> None:
    people: list[User] = [make_user("Ada"), make_user("Bo"), make_user("Cy")]
    game = start_timed(people, DAILY)
    now = timezone.now()
    Game.objects.filter(pk=game.pk).update(turn_began_at=now)
    game.seats.filter(since__isnull=False).update(since=now)
    call_command("give_time", game.key, "30")
    assert "the turn ends at" in capsys.readouterr().out
    call_command("stop_clocks")
    call_command("start_clocks")
    call_command("start_clocks")
    assert "all clocks run already" in capsys.readouterr().out
    start, end = ((now - timedelta(minutes=minutes)).replace(tzinfo=None).isoformat() for minutes in (20, 10))
    call_command("outages", "--mark", start, end)
    assert "outage, to be given back by the next sweep" in capsys.readouterr().out
    outage = Pause.objects.get(reason="outage")
    call_command("outages", "--undo", str(outage.pk))
    assert "taken back in 0 games" in capsys.readouterr().out
    call_command("retire_seat", game.key, "2")
    assert f"game {game.key}: seat 2 is out" in capsys.readouterr().out
    assert game.seats.get(number=2).retired
    for wrong in (["give_time", "nosuchgame22", "30"], ["retire_seat", game.key, "9"], ["outages", "--undo", "0"]):
        with pytest.raises(CommandError):
            call_command(*wrong)
