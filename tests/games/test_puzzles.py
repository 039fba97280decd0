"""Puzzles: kept once, answered, judged, rated, one a day; and what nobody learns from them."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta, timezone
from io import StringIO
from random import Random
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from accounts import guests
from accounts.models import User
from engine.contract import Puzzle as Claim
from engine.gravity import Gravity
from engine.gravity.puzzles import Theme
from engine.puzzles import read_puzzle
from engine.rulesets import RULESETS
from games import commands, tasks
from games.commands._glicko import Strength
from games.commands.answer_puzzle import LEASE, MOST_TRIES, MOST_WAITING
from games.commands.search_puzzles import search_games
from games.models import (
    DailyPuzzle,
    Game,
    Heartbeat,
    JudgedTurn,
    Puzzle,
    PuzzleAttempt,
    PuzzleSearch,
    PuzzleSource,
    Solver,
)
from games.models.puzzle import START, SURE, UNKNOWN
from games.presenters.registry import PRESENTERS
from games.queries import puzzles
from tests.flows.play import NOW, make_user, play_randomly, start_game
from tests.games.puzzle_box import BEST, LOOT, WRONG, make_puzzle, written
from tests.games.test_reviews import finished

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]
TODAY = NOW.date()


def reply(puzzle: Puzzle, user: User | None, turn: str, now: datetime = NOW) -> JudgedTurn:
    return commands.answer_puzzle(puzzle=puzzle, user=user, turn=turn, now=now)


def attempt_of(user: User) -> PuzzleAttempt:
    return PuzzleAttempt.objects.get(user=user)


# --- Kept -----------------------------------------------------------------------------------------------------------


def test_a_position_makes_one_puzzle_whatever_is_claimed_of_it() -> None:
    puzzle = make_puzzle()
    again = {**written(), "rating": 2000, "themes": ["theft"]}
    assert commands.add_puzzle(written=again, source=PuzzleSource.PLAYED, now=NOW) is None
    assert Puzzle.objects.get() == puzzle
    assert [theme.theme for theme in puzzle.themes.all()] == ["last-round"]
    assert make_puzzle(1) != puzzle


@pytest.mark.parametrize("fault", [{"easy": True}, {"themes": []}])
def test_what_is_easy_or_about_nothing_is_not_kept(fault: dict[str, Any]) -> None:
    assert commands.add_puzzle(written={**written(), **fault}, source=PuzzleSource.PLAYED, now=NOW) is None
    assert not Puzzle.objects.exists()


# --- Answered and judged --------------------------------------------------------------------------------------------


def test_a_solution_is_known_at_once_and_counts(ada: User) -> None:
    puzzle = make_puzzle(rating=1200)
    assert reply(puzzle, ada, BEST).solves
    attempt, solver = attempt_of(ada), Solver.objects.get(user=ada)
    assert (attempt.solved, attempt.solved_at, attempt.turn, attempt.waiting) == (True, NOW, BEST, None)
    assert (attempt.rating_before, attempt.rating_after) == (START, solver.rating)
    assert solver.rating > START
    assert solver.deviation < UNKNOWN
    puzzle.refresh_from_db()
    assert puzzle.rating < 1200
    assert (puzzle.attempts, puzzle.solved, solver.attempts, solver.solved) == (1, 1, 1, 1)


def test_another_turn_is_judged_by_a_worker_and_counts_then(ada: User) -> None:
    puzzle = make_puzzle()
    assert reply(puzzle, ada, WRONG).judged_at is None
    assert attempt_of(ada).solved is None
    assert not Solver.objects.exists()
    tasks.judge_answers()
    attempt = attempt_of(ada)
    assert (attempt.solved, attempt.lost, attempt.solved_at, attempt.waiting) == (False, 1, None, None)
    assert Solver.objects.get().rating < START
    judged = JudgedTurn.objects.get()
    assert (judged.solves, judged.lost, judged.reason) == (False, 1, "missed-win")


def test_the_worker_that_reviews_judges_answers_too(ada: User) -> None:
    reply(make_puzzle(), ada, WRONG)
    tasks.make_reviews()
    assert attempt_of(ada).solved is False


def test_a_turn_is_searched_once_whoever_plays_it(ada: User, bo: User, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle, searched = make_puzzle(), []
    judge = Gravity.judge_answer

    def count(self: Gravity, state: Any, claim: Claim, turn: str) -> Any:
        searched.append(turn)
        return judge(self, state, claim, turn)

    monkeypatch.setattr(Gravity, "judge_answer", count)
    for person in (ada, bo, None):
        reply(puzzle, person, WRONG)
    tasks.judge_answers()
    reply(puzzle, make_user("Cy"), WRONG)
    assert searched == [WRONG]
    assert set(PuzzleAttempt.objects.values_list("solved", flat=True)) == {False}
    assert PuzzleAttempt.objects.count() == 3, "who is not signed in is not written down"


def test_only_the_first_answer_counts(ada: User) -> None:
    puzzle = make_puzzle()
    reply(puzzle, ada, WRONG)
    tasks.judge_answers()
    rating = Solver.objects.get().rating
    later = NOW + timedelta(minutes=1)
    reply(puzzle, ada, BEST, later)
    attempt = attempt_of(ada)
    assert (attempt.turn, attempt.solved, attempt.solved_at) == (WRONG, False, later)
    assert Solver.objects.get().rating == rating
    puzzle.refresh_from_db()
    assert puzzle.attempts == 1


def test_while_the_first_answer_is_judged_no_other_one_is_taken(ada: User) -> None:
    puzzle = make_puzzle()
    reply(puzzle, ada, WRONG)
    reply(puzzle, ada, BEST)
    assert attempt_of(ada).solved is None
    tasks.judge_answers()
    assert (attempt_of(ada).solved, attempt_of(ada).solved_at) == (False, None)


def test_to_have_the_answer_shown_before_any_answer_is_a_miss(ada: User) -> None:
    puzzle = make_puzzle()
    commands.show_answer(puzzle=puzzle, user=ada, now=NOW)
    attempt = attempt_of(ada)
    assert (attempt.solved, attempt.turn, attempt.seen_at) == (False, "", NOW)
    assert Solver.objects.get().rating < START
    reply(puzzle, ada, BEST)
    assert attempt_of(ada).solved_at is None, "they know it"


def test_nothing_is_shown_while_the_first_answer_is_judged(ada: User) -> None:
    puzzle = make_puzzle()
    reply(puzzle, ada, WRONG)
    commands.show_answer(puzzle=puzzle, user=ada, now=NOW)
    assert attempt_of(ada).seen_at is None


def test_guests_answer_without_a_rating_and_change_none() -> None:
    guest, puzzle = guests.make_guest(language="en", now=NOW), make_puzzle(rating=1200)
    reply(puzzle, guest, BEST)
    assert attempt_of(guest).solved
    assert attempt_of(guest).rating_after is None
    puzzle.refresh_from_db()
    assert (puzzle.rating, puzzle.attempts) == (1200, 0)


def test_a_worker_that_dies_is_followed_by_another_after_the_lease(ada: User) -> None:
    reply(make_puzzle(), ada, WRONG)
    assert commands.claim_turn(now=NOW) is not None
    assert commands.claim_turn(now=NOW) is None
    judged = commands.claim_turn(now=NOW + LEASE)
    assert judged is not None
    commands.judge_turn(judged, now=NOW)
    commands.settle_answers(now=NOW)
    assert attempt_of(ada).solved is False


def test_one_that_dies_between_judging_and_telling_is_made_good(ada: User) -> None:
    judged = reply(make_puzzle(), ada, WRONG)
    JudgedTurn.objects.filter(pk=judged.pk).update(judged_at=NOW, solves=False, lost=0.5)
    tasks.judge_answers()
    assert (attempt_of(ada).solved, attempt_of(ada).lost) == (False, 0.5)


def test_what_can_not_be_judged_counts_for_nothing_and_may_be_answered_anew(
    ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle = make_puzzle()
    judged = reply(puzzle, ada, WRONG)

    def fail(*_arguments: Any) -> None:
        raise ValueError

    monkeypatch.setattr(Gravity, "judge_answer", fail)
    for _ in range(MOST_TRIES):
        JudgedTurn.objects.update(due_at=NOW)
        tasks.judge_answers()
    judged.refresh_from_db()
    assert commands.is_turn_given_up(judged, judged.due_at)
    assert not commands.is_turn_given_up(judged, judged.due_at - LEASE), "the last try may still be going on"
    assert not PuzzleAttempt.objects.exists()
    assert not Solver.objects.exists()
    monkeypatch.undo()
    reply(puzzle, ada, WRONG, judged.due_at)
    tasks.judge_answers()
    assert attempt_of(ada).solved is False


def test_what_was_judged_long_ago_is_forgotten_and_no_answer_with_it(ada: User) -> None:
    reply(make_puzzle(), ada, BEST)
    while commands.prune_traces(size=10, now=NOW + timedelta(days=31)):
        pass
    assert not JudgedTurn.objects.exists()
    assert attempt_of(ada).solved


def test_answers_and_rating_go_with_the_account_and_the_puzzle_stays(ada: User) -> None:
    puzzle = make_puzzle()
    reply(puzzle, ada, BEST)
    commands.delete_account(user=ada, now=NOW)
    assert not PuzzleAttempt.objects.exists()
    assert not Solver.objects.exists()
    assert Puzzle.objects.get() == puzzle


# --- Ratings --------------------------------------------------------------------------------------------------------


def test_ratings_move_as_in_glickmans_example() -> None:
    own = Strength(1500, 200)
    for other, score in ((Strength(1400, 30), 1), (Strength(1550, 100), 0), (Strength(1700, 300), 0)):
        own = own.met(other, score)
    # All three at once make 1464 and 151.4; one after the other is nearly the same.
    assert own.rating == pytest.approx(1464, abs=6)
    assert own.deviation == pytest.approx(151.4, abs=1)
    assert Strength(1200, SURE).after(timedelta(days=365)).deviation == pytest.approx(197.5, abs=1)
    assert Strength(1200, UNKNOWN).after(timedelta(days=-1)).deviation == UNKNOWN


@given(
    own=st.builds(Strength, st.floats(400, 2400), st.floats(SURE, UNKNOWN)),
    other=st.builds(Strength, st.floats(400, 2400), st.floats(SURE, UNKNOWN)),
)
def test_who_solves_rises_who_misses_falls_and_both_get_surer(own: Strength, other: Strength) -> None:
    up, down = own.met(other, 1), own.met(other, 0)
    assert down.rating < own.rating < up.rating
    assert SURE <= up.deviation <= own.deviation
    assert up.rating - down.rating < 3 * UNKNOWN


# --- Days -----------------------------------------------------------------------------------------------------------


def test_a_day_has_one_puzzle_and_no_puzzle_two_days() -> None:
    made = {make_puzzle(number).pk for number in range(3)}
    days = [TODAY + timedelta(days=number) for number in range(3)]
    picked = [commands.pick_daily(day=day, rng=Random(1)) for day in days]
    assert {daily.puzzle_id for daily in picked if daily} == made
    assert commands.pick_daily(day=days[0], rng=Random(2)) == picked[0]
    assert commands.pick_daily(day=days[-1] + timedelta(days=1), rng=Random(1)) is None


def test_a_daily_puzzle_is_moderate_where_there_is_such_a_one() -> None:
    for number, rating in enumerate((400, 1100, 2200)):
        make_puzzle(number, rating=rating)
    daily = commands.pick_daily(day=TODAY, rng=Random(1))
    assert daily is not None
    assert daily.puzzle.rating == 1100


def test_todays_puzzle_is_picked_by_a_task_and_no_later_one() -> None:
    for number in range(3):
        make_puzzle(number)
    tasks.pick_daily()
    tasks.pick_daily()
    assert DailyPuzzle.objects.get().date == datetime.now(UTC).date()


def test_a_worker_that_dies_of_the_last_try_leaves_nobody_waiting(ada: User, bo: User) -> None:
    puzzle = make_puzzle()
    reply(puzzle, bo, BEST)
    judged = reply(puzzle, ada, WRONG)
    reply(puzzle, bo, WRONG)
    JudgedTurn.objects.filter(pk=judged.pk).update(tries=MOST_TRIES, due_at=NOW + LEASE)
    commands.settle_answers(now=NOW)
    assert PuzzleAttempt.objects.filter(waiting=judged).count() == 2
    commands.settle_answers(now=NOW + LEASE)
    assert [attempt.waiting for attempt in PuzzleAttempt.objects.all()] == [None]
    assert attempt_of(bo).solved, "an answer before is kept"


def test_people_with_an_account_wait_for_nobody_without_one(ada: User) -> None:
    puzzle = make_puzzle()
    for number in range(MOST_WAITING):
        JudgedTurn.objects.create(puzzle=puzzle, turn=f"{number}", asked_at=NOW - LEASE, due_at=NOW)
    refused = commands.answer_puzzle(puzzle=puzzle, user=None, turn=WRONG, now=NOW)
    assert commands.is_turn_given_up(refused, NOW)
    assert JudgedTurn.objects.count() == MOST_WAITING
    assert commands.answer_puzzle(puzzle=puzzle, user=None, turn=BEST, now=NOW).solves
    guest, other = guests.make_guest(language="en", now=NOW), make_puzzle(1)
    of_guest = reply(other, guest, WRONG, NOW - LEASE)
    judged = reply(puzzle, ada, WRONG)
    assert [commands.claim_turn(now=NOW) for _turn in range(2)] == [judged, of_guest]


def daily(number: int, day: date) -> Puzzle:
    puzzle = make_puzzle(number)
    DailyPuzzle.objects.create(date=day, puzzle=puzzle)
    return puzzle


def test_a_streak_grows_by_days_on_which_the_daily_was_solved(ada: User) -> None:
    noon = [NOW + timedelta(days=number - 20) for number in range(5)]
    days = [instant.date() for instant in noon]
    found = [daily(number, day) for number, day in enumerate(days)]
    for number in (0, 1):
        reply(found[number], ada, BEST, noon[number])
    assert standing(ada, days[1]) == standing(ada, days[2]) == 2
    assert standing(ada, days[3]) == 0, "the third day went by"
    reply(found[2], ada, BEST, noon[3])
    assert standing(ada, days[3]) == 0, "too late"
    reply(found[3], ada, WRONG, noon[3])
    tasks.judge_answers()
    reply(found[3], ada, BEST, noon[3])
    assert standing(ada, days[3]) == 1, "at whatever try"
    commands.show_answer(puzzle=found[4], user=ada, now=noon[4])
    reply(found[4], ada, BEST, noon[4])
    assert standing(ada, days[4]) == 1, "after the answer it does not count"
    assert Solver.objects.get().longest == 2


def standing(user: User, day: date) -> int:
    found = puzzles.standing_of(user, day)
    assert found is not None
    return found.streak


def test_an_answer_counts_for_the_day_on_which_it_was_given_not_judged(ada: User) -> None:
    puzzle = daily(0, TODAY)
    judged = reply(puzzle, ada, WRONG, NOW)
    JudgedTurn.objects.filter(pk=judged.pk).update(judged_at=NOW, solves=True)
    commands.settle_answers(now=NOW + timedelta(days=1))
    assert standing(ada, TODAY + timedelta(days=1)) == 1


DAYS = st.sets(st.integers(0, 25), max_size=20)


@given(
    published=DAYS, solved=st.dictionaries(st.integers(0, 25), st.integers(0, 24 * 60 - 1)), offset=st.integers(-12, 14)
)
def test_a_streak_is_the_number_of_daily_puzzles_solved_in_a_row_in_any_zone(
    published: set[int], solved: dict[int, int], offset: int
) -> None:
    zone, first = timezone(timedelta(hours=offset)), datetime(2026, 11, 1, tzinfo=UTC)
    instants = [
        (first + timedelta(days=day, minutes=minute)).astimezone(zone) for day, minute in sorted(solved.items())
    ]
    days = sorted(first.date() + timedelta(days=day) for day in published)
    solver = Solver()
    for instant in instants:
        day = instant.astimezone(UTC).date()
        if day in days:
            before = [other for other in days if other < day]
            solver.solve_day(day, before[-1] if before else None)
            assert not solver.solve_day(day, before[-1] if before else None), "once a day"
    done = {instant.astimezone(UTC).date() for instant in instants}
    today = first.date() + timedelta(days=26)
    row = 0
    for day in reversed(days):
        if day not in done:
            break
        row += 1
    assert solver.streak_at(today, days[::-1][:2]) == row
    if days:
        assert solver.streak_at(days[-1], days[::-1][:2]) in {row, *([solver.streak] if len(days) > 1 else [])}


# --- Which one is next ----------------------------------------------------------------------------------------------


def test_the_next_puzzle_is_near_ones_rating_and_was_not_answered(ada: User) -> None:
    numbers = [make_puzzle(number, rating=rating).pk for number, rating in enumerate((600, 1150, 1290, 1900))]
    assert puzzles.next_puzzle(ada, TODAY) == numbers[1]
    assert puzzles.next_puzzle(ada, TODAY, after=numbers[1]) == numbers[2]
    PuzzleAttempt.objects.create(user=ada, puzzle_id=numbers[1], at=NOW, solved=True)
    assert puzzles.next_puzzle(ada, TODAY) == numbers[2]
    DailyPuzzle.objects.create(date=TODAY + timedelta(days=1), puzzle_id=numbers[2])
    assert puzzles.next_puzzle(ada, TODAY) == numbers[0], "tomorrow's is left for tomorrow"
    assert puzzles.next_puzzle(ada, TODAY, theme="last-round") == numbers[0]
    assert puzzles.next_puzzle(ada, TODAY, theme="theft") is None
    assert puzzles.next_puzzle(None, TODAY) == numbers[0]
    assert puzzles.next_puzzle(None, TODAY, after=numbers[0]) == numbers[1]
    assert puzzles.next_puzzle(None, TODAY, after=numbers[3]) == numbers[0]


# --- Found ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def _found_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a search find one of six puzzles in each position, whatever it is."""
    read = [read_puzzle(RULESETS["gravity-1"], written(number)) for number in range(len(LOOT))]

    def find(_self: Gravity, state: Any, _rng: Random, *, playouts: int) -> Claim:
        assert playouts == 7
        return read[state.turns % len(read)][1]

    monkeypatch.setattr(Gravity, "find_puzzle", find)


def search(**options: Any) -> str:
    out = StringIO()
    call_command("make_puzzles", playouts=7, stdout=out, **options)
    return out.getvalue()


@pytest.mark.usefixtures("_found_everywhere")
def test_finished_public_games_are_looked_through_once_and_two_are_taken_from_each(ada: User, bo: User) -> None:
    for seed in (1, 2):
        finished(ada, bo, seed=seed)
    assert "4 new puzzles" in search()
    assert "0 new puzzles" in search()
    assert set(Puzzle.objects.values_list("source", flat=True)) == {PuzzleSource.PLAYED}
    finished(ada, bo, seed=3)
    assert "2 new puzzles" in search()
    assert "0 new puzzles" in search(anew=True), "each position makes one puzzle"


@pytest.mark.usefixtures("_found_everywhere")
def test_no_name_no_key_and_no_date_is_in_a_puzzle(ada: User, bo: User) -> None:
    game = finished(ada, bo)
    search()
    for puzzle in Puzzle.objects.all():
        content = json.dumps(puzzle.content)
        assert not any(name in content for name in ("Ada", "Bo", game.key, "2026", "ada@"))
        assert puzzle.content["setup"]["players"] == ["Player 1", "Player 2"]


@pytest.mark.usefixtures("_found_everywhere")
def test_games_that_run_are_private_or_have_somebody_who_hides_are_left_alone(ada: User, bo: User) -> None:
    running = start_game([ada, bo])
    play_randomly(running, 4, Random(1))
    finished(ada, bo, players_only=True)
    finished(ada, bo, public=False)
    finished(ada, make_user("Cy", ratings_shown=False))
    cancelled = start_game([ada, bo])
    commands.propose_cancel(game_key=cancelled.key, user=ada, now=NOW)
    assert "0 new puzzles" in search()


@pytest.mark.usefixtures("_found_everywhere")
def test_a_position_whose_search_fails_or_takes_its_process_along_is_left_out(
    ada: User, bo: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, search = finished(ada, bo), Gravity.find_puzzle
    tried: list[int] = []

    def fail(self: Gravity, state: Any, rng: Random, *, playouts: int) -> Any:
        tried.append(state.turns)
        if len(tried) == 1:
            raise ValueError
        if len(tried) == 2:
            raise SystemExit
        return search(self, state, rng, playouts=playouts)

    monkeypatch.setattr(Gravity, "find_puzzle", fail)
    with pytest.raises(SystemExit):
        list(search_games(playouts=7, per_game=9, now=NOW, goes_on=lambda: True))
    assert list(search_games(playouts=7, per_game=99, now=NOW, goes_on=lambda: True))
    assert tried == list(range(game.seq)), "each once"


@pytest.mark.usefixtures("_found_everywhere")
def test_a_search_that_is_stopped_goes_on_where_it_was(ada: User, bo: User) -> None:
    game, looks = finished(ada, bo), iter([True, False])
    begun = search_games(playouts=7, per_game=9, now=NOW, goes_on=lambda: next(looks))
    assert len(list(begun)) == 1
    place = PuzzleSearch.objects.get()
    assert (place.game, place.seq, place.found) == (game.pk, 1, 1)
    more = search_games(playouts=7, per_game=9, now=NOW, goes_on=lambda: True)
    assert len(list(more)) == game.seq - 1


@pytest.mark.usefixtures("_found_everywhere")
def test_a_log_that_can_not_be_replayed_stops_no_search(ada: User, bo: User) -> None:
    game = finished(ada, bo)
    setup = {**(Game.objects.defer(None).get().setup or {}), "stars": []}
    Game.objects.filter(pk=game.pk).update(setup=setup, setup_digest="broken")
    finished(ada, bo, seed=2)
    assert "2 new puzzles" in search()


def test_of_two_searches_at_once_one_steps_back() -> None:
    assert commands.begin_sweep(name=commands.SEARCH, lease=commands.SEARCH_LEASE, now=datetime.now(UTC))
    with pytest.raises(CommandError, match="at work"):
        search()
    tasks.search_puzzles()


def test_a_search_that_goes_on_for_long_is_not_given_up_for_dead(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[bool] = []

    def long_search(*, goes_on: Callable[[], bool], **_options: Any) -> Iterator[Puzzle]:
        Heartbeat.objects.update(busy_until=datetime.now(UTC))
        assert goes_on()
        later = datetime.now(UTC) + commands.SEARCH_LEASE * 0.9
        begun.append(commands.begin_sweep(name=commands.SEARCH, lease=commands.SEARCH_LEASE, now=later))
        yield from ()

    monkeypatch.setattr(commands, "search_games", long_search)
    assert "0 new puzzles" in search()
    assert begun == [False]


@pytest.mark.usefixtures("_found_everywhere")
def test_self_play_makes_puzzles_that_say_so_and_the_same_ones_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Gravity, "adviser", "greedy")
    *found, counted = search(selfplay=1, players=3, seed=5).splitlines()
    assert len(found) > 10
    assert counted == f"{len(found)} new puzzles"
    assert "0 new puzzles" in search(selfplay=1, players=3, seed=5)
    assert set(Puzzle.objects.values_list("source", "players")) == {(PuzzleSource.SELF_PLAY, 3)}
    for wrong in ({"players": 9}, {"options": {"weather": "bad"}}):
        with pytest.raises(CommandError):
            search(selfplay=1, **wrong)


@pytest.mark.usefixtures("_found_everywhere")
def test_while_few_are_left_computer_players_play_for_more_none_searched_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Gravity, "adviser", "greedy")
    monkeypatch.setattr("games.commands.search_puzzles.ENOUGH", 12)
    searched: list[str] = []
    search_position = Gravity.find_puzzle

    def find(self: Gravity, state: Any, rng: Random, *, playouts: int) -> Any:
        searched.append(self.dump(state))
        return search_position(self, state, rng, playouts=playouts)

    monkeypatch.setattr(Gravity, "find_puzzle", find)
    looks = iter([True] * 3 + [False])
    assert len(list(commands.top_up_puzzles(playouts=7, now=NOW, goes_on=lambda: next(looks)))) == 3
    later = list(commands.top_up_puzzles(playouts=7, now=NOW, goes_on=lambda: True))
    assert {puzzle.source for puzzle in later} == {PuzzleSource.SELF_PLAY}
    assert len(searched) == len(set(searched)), "each once"
    assert Puzzle.objects.count() >= 12
    assert list(commands.top_up_puzzles(playouts=7, now=NOW, goes_on=lambda: True)) == []
    DailyPuzzle.objects.create(date=NOW.date(), puzzle=later[0])
    Puzzle.objects.filter(daily=None).exclude(pk__in=[one.pk for one in later[-3:]]).delete()
    assert list(commands.top_up_puzzles(playouts=7, now=NOW, goes_on=lambda: True)), "those that had a day do not count"
    assert set(Puzzle.objects.values_list("players", flat=True)) >= {2, 3}


@pytest.mark.usefixtures("_found_everywhere")
def test_a_position_between_computer_players_whose_search_fails_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Gravity, "adviser", "greedy")
    monkeypatch.setattr("games.commands.search_puzzles.ENOUGH", 5)
    search_position, calls = Gravity.find_puzzle, iter(range(99))

    def fail(self: Gravity, state: Any, rng: Random, *, playouts: int) -> Any:
        if next(calls) == 0:
            raise ValueError
        return search_position(self, state, rng, playouts=playouts)

    monkeypatch.setattr(Gravity, "find_puzzle", fail)
    assert list(commands.top_up_puzzles(playouts=7, now=NOW, goes_on=lambda: True))
    assert PuzzleSearch.objects.get().turn or PuzzleSearch.objects.get().self_play


def test_the_worker_looks_in_finished_games_first_and_plays_when_none_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def search_by(name: str) -> Callable[..., Iterator[Puzzle]]:
        def find(**_options: Any) -> Iterator[Puzzle]:
            asked.append(name)
            yield from ()

        return find

    for name in ("search_games", "top_up_puzzles"):
        monkeypatch.setattr(commands, name, search_by(name))
    tasks.search_puzzles()
    assert asked == ["search_games", "top_up_puzzles"]


# --- Words ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "de", "fr", "nl"])
def test_every_theme_has_a_name_and_a_sentence_in_every_language(language: str) -> None:
    names = PRESENTERS["gravity-1"].theme_names
    assert names.keys() == set(Theme)
    with translation.override("en"):
        english = {theme: (str(name), str(words)) for theme, (name, words) in names.items()}
    with translation.override(language):
        said = {theme: (str(name), str(words)) for theme, (name, words) in names.items()}
    assert len({name for name, _words in said.values()}) == len(said)
    if language != "en":
        assert all(said[theme][1] != english[theme][1] for theme in said)
