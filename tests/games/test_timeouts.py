"""When time runs out: autopilot, misses, retirement; and what keeps time from running out."""

from datetime import timedelta
from random import Random

import pytest

from accounts.models import User
from games import clock, commands
from games.clock import OnTimeout, custom
from games.models import Game
from games.models.choices import Actor, Reason, Status
from games.tasks.sweep import sweep_clocks
from games.timing.deadlines import deadline_of
from tests.flows.play import make_user
from tests.games.timed import (
    DAILY,
    MINUTE,
    NOW,
    differences,
    due,
    expire,
    fresh,
    mover,
    owner,
    play_at,
    start_timed,
    sweeps_live,
)

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]
SECOND = timedelta(seconds=1)


@pytest.fixture
def people() -> list[User]:
    return [make_user("Ada"), make_user("Bo"), make_user("Cy")]


# Deadlines


def test_the_first_deadline_is_the_allowance_and_the_reserve_after_the_start(people: list[User]) -> None:
    game = start_timed(people, DAILY)
    assert game.deadline == NOW + timedelta(seconds=86_400 + 3_600)
    assert [seat.since is not None for seat in game.seats.order_by("number")] == [True, False, False]


def test_a_played_turn_starts_the_clock_of_the_next_person_only(people: list[User]) -> None:
    game = start_timed(people, DAILY)
    play_at(game, NOW + 3 * MINUTE)
    assert due(game) == NOW + 3 * MINUTE + timedelta(seconds=86_400 + 3_600)
    assert [seat.since is not None for seat in game.seats.order_by("number")] == [False, True, False]


def test_a_computer_player_has_no_deadline(people: list[User]) -> None:
    game = start_timed(people[:1], bots=["nova:1"])
    while not fresh(game).bot_to_move:
        play_at(game, NOW)
    assert fresh(game).deadline is None
    commands.play_bot_turn(game_id=game.pk, seq=fresh(game).seq, rng=Random(1), now=NOW + MINUTE)
    assert due(game) == NOW + 2 * MINUTE


def test_a_turn_of_its_owner_earns_the_increment_up_to_the_cap(people: list[User]) -> None:
    game = start_timed(people, DAILY)
    first = mover(game)
    for round_number in range(1, 9):
        for _seat in people:
            play_at(game, NOW, Random(round_number))
        first.refresh_from_db()
        assert first.reserve == min(7_200, 3_600 + 600 * round_number)


def test_time_beyond_the_allowance_is_taken_from_the_reserve(people: list[User]) -> None:
    game = start_timed(people, DAILY)
    first = mover(game)
    now = NOW + timedelta(days=1, seconds=1_000)
    sweeps_live(now)
    play_at(game, now)
    first.refresh_from_db()
    assert first.reserve == 3_600 - 1_000 + 600


def test_the_stored_deadline_is_the_one_that_is_derived(people: list[User]) -> None:
    game = start_timed(people, DAILY)
    for minute in range(7):
        play_at(game, NOW + minute * MINUTE, Random(minute))
        assert fresh(game).deadline == deadline_of(fresh(game))


def test_who_changes_their_zone_in_the_middle_of_a_turn_gains_no_weekend(people: list[User]) -> None:
    game = start_timed(people, custom(86_400, weekends=True))
    before = due(game)
    User.objects.update(time_zone="Pacific/Kiritimati")
    assert deadline_of(fresh(game)) == before
    play_at(game, NOW)
    assert mover(game).zone == "Pacific/Kiritimati"
    assert due(game) != before


# The end of a turn's time


def test_nothing_happens_before_the_deadline(people: list[User]) -> None:
    game = start_timed(people)
    assert expire(game, due(game) - SECOND) is None
    assert (fresh(game).seq, mover(game).misses) == (0, 0)


def test_at_the_deadline_a_computer_player_plays_and_the_log_says_so(people: list[User]) -> None:
    game = start_timed(people)
    seat = mover(game)
    entry = expire(game, due(game))
    assert entry is not None
    assert (entry.seat, entry.by, entry.event) == (seat.number, Actor.AUTOPILOT, "")
    assert entry.turn
    seat.refresh_from_db()
    assert (seat.misses, seat.retired, seat.since) == (1, False, None)
    assert differences(game) == []


def test_a_turn_is_ended_once_however_often_it_is_tried(people: list[User]) -> None:
    game = start_timed(people)
    now = due(game)
    assert expire(game, now) is not None
    assert expire(game, now) is None
    assert fresh(game).seq == 1


def test_at_the_third_miss_in_a_row_the_seat_retires_and_the_others_play_on(people: list[User]) -> None:
    game = start_timed(people)
    lazy = mover(game)
    entries = []
    while not mover_is_gone(game, lazy.pk):
        if mover(game).pk == lazy.pk:
            entries.append(expire(game, due(game)))
        else:
            play_at(game, due(game) - SECOND)
    assert [entry.by for entry in entries if entry] == [Actor.AUTOPILOT, Actor.AUTOPILOT, Actor.CLOCK]
    assert entries[-1] is not None
    assert entries[-1].reason == Reason.TIMEOUT
    assert fresh(game).status == Status.ACTIVE
    assert mover(game).pk != lazy.pk
    assert differences(game) == []


def mover_is_gone(game: Game, pk: int) -> bool:
    return game.seats.get(pk=pk).retired


def test_a_turn_of_ones_own_clears_the_misses(people: list[User]) -> None:
    game = start_timed(people)
    seat = mover(game)
    expire(game, due(game))
    for _others in range(2):
        play_at(game, due(game) - SECOND)
    assert mover(game) == seat
    play_at(game, due(game) - SECOND)
    seat.refresh_from_db()
    assert seat.misses == 0


def test_with_a_strict_time_control_the_seat_retires_at_once(people: list[User]) -> None:
    game = start_timed(people, custom(60, on_timeout=OnTimeout.STRICT))
    seat = mover(game)
    entry = expire(game, due(game))
    assert entry is not None
    assert (entry.event, entry.reason, entry.by) == ("retire", Reason.TIMEOUT, Actor.CLOCK)
    seat.refresh_from_db()
    assert seat.retired


def test_with_two_players_retirement_ends_the_game(people: list[User]) -> None:
    game = start_timed(people[:2], custom(60, on_timeout=OnTimeout.STRICT))
    lazy = mover(game)
    expire(game, due(game))
    ended = fresh(game)
    assert (ended.status, ended.deadline, ended.to_move) == (Status.FINISHED, None, None)
    assert game.seats.get(pk=lazy.pk).place == 2
    assert not game.seats.filter(since__isnull=False).exists()


def test_a_game_ends_when_the_last_person_is_retired_by_time(people: list[User]) -> None:
    game = start_timed(people[:1], custom(60, on_timeout=OnTimeout.STRICT), bots=["nova:1", "nova:1"])
    while fresh(game).bot_to_move:
        commands.play_bot_turn(game_id=game.pk, seq=fresh(game).seq, rng=Random(1), now=NOW)
    expire(game, due(game))
    ended = fresh(game)
    assert (ended.status, ended.bot_to_move) == (Status.FINISHED, False)
    reasons = list(game.entries.order_by("seq").values_list("reason", flat=True))
    assert reasons[-2:] == [Reason.TIMEOUT, Reason.ALONE]
    assert game.seats.get(user=people[0]).place == 3


def test_a_turn_after_its_deadline_but_before_the_sweep_counts(people: list[User]) -> None:
    game = start_timed(people)
    late = due(game) + timedelta(hours=1)
    entry = play_at(game, late)
    assert entry.by == Actor.PLAYER
    assert due(game) == late + MINUTE


def test_autopilot_earns_no_increment(people: list[User]) -> None:
    game = start_timed(people, DAILY)
    seat = mover(game)
    sweeps_live(due(game))
    expire(game, due(game))
    seat.refresh_from_db()
    assert seat.reserve == 0


def test_a_stale_deadline_column_ends_nothing_and_is_put_right(people: list[User]) -> None:
    game = start_timed(people)
    right = due(game)
    Game.objects.filter(pk=game.pk).update(deadline=NOW - MINUTE)
    assert expire(game, NOW) is None
    assert (due(game), fresh(game).seq) == (right, 0)


def test_resigning_out_of_turn_leaves_the_clock_of_who_is_to_move_alone(people: list[User]) -> None:
    game = start_timed(people)
    before = due(game)
    other = next(person for person in people if person != owner(mover(game)))
    commands.resign(game_key=game.key, user=other, seq=0, now=NOW + 10 * SECOND)
    assert due(game) == before


def test_resigning_in_turn_starts_the_clock_of_the_next(people: list[User]) -> None:
    game = start_timed(people)
    commands.resign(game_key=game.key, user=owner(mover(game)), seq=0, now=NOW + 10 * SECOND)
    assert due(game) == NOW + 10 * SECOND + MINUTE


# The staff


def test_a_game_that_the_staff_has_stopped_has_no_deadline_and_gets_its_time_back(people: list[User]) -> None:
    game = start_timed(people)
    commands.pause_game(game_key=game.key, now=NOW + 20 * SECOND)
    assert fresh(game).deadline is None
    assert expire(game, NOW + timedelta(days=5)) is None
    commands.pause_game(game_key=game.key, now=NOW + timedelta(hours=1))
    commands.resume_game(game_key=game.key, now=NOW + timedelta(days=9))
    assert due(game) == NOW + timedelta(days=9) + 40 * SECOND
    assert list(game.remarks.order_by("pk").values_list("kind", flat=True)) == ["paused", "resumed"]


def test_a_turn_that_begins_while_the_staff_has_stopped_the_game_has_no_deadline(people: list[User]) -> None:
    game = start_timed(people)
    commands.pause_game(game_key=game.key, now=NOW)
    play_at(game, NOW + MINUTE)
    assert fresh(game).deadline is None
    sweep_clocks(now=NOW + timedelta(days=3), rng=Random(1))
    assert (fresh(game).deadline, fresh(game).seq) == (None, 1)


# Every game ends


@pytest.mark.parametrize("bots", [[], ["nova:1"], ["nova:2", "nova:1"]], ids=["people", "a-bot", "two-bots"])
@pytest.mark.parametrize("time_control", [*clock.PRESETS.values(), custom(60, on_timeout=OnTimeout.STRICT)])
def test_a_game_in_which_nobody_ever_moves_ends(
    people: list[User], time_control: clock.TimeControl, bots: list[str]
) -> None:
    game = start_timed(people[:2], time_control, bots)
    now = NOW
    for _step in range(400):
        if fresh(game).status != Status.ACTIVE:
            break
        now = max(now, fresh(game).deadline or now)
        # The sweeps have been alive all the while.
        commands.beat(name="clocks", now=now)
        sweep_clocks(now=now, rng=Random(1))
        while fresh(game).bot_to_move:
            commands.play_bot_turn(game_id=game.pk, seq=fresh(game).seq, rng=Random(1), now=now)
    assert fresh(game).status == Status.FINISHED
    assert sum(not seat.retired for seat in game.seats.exclude(user=None)) == (0 if bots else 1)
    assert differences(game) == []
