"""Answers to a puzzle that come at once, on PostgreSQL: one of them is the first, and each rating moves once for it."""

from collections.abc import Callable
from functools import partial
from random import Random
from threading import Barrier, Thread
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import User
from games import commands
from games.models import DailyPuzzle, JudgedTurn, Puzzle, PuzzleAttempt, Solver
from tests.flows.play import make_user
from tests.games.puzzle_box import BEST, WRONG, make_puzzle

pytestmark = [pytest.mark.pg, pytest.mark.django_db(transaction=True)]


def at_once(*calls: Callable[[], Any]) -> None:
    """Run calls in threads of their own that begin together."""
    ready, failed = Barrier(len(calls)), []

    def run(call: Callable[[], Any]) -> None:
        try:
            ready.wait(30)
            call()
        except Exception as error:  # noqa: BLE001 - it is raised below
            failed.append(error)
        finally:
            connection.close()

    threads = [Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failed == []


def reply(puzzle: Puzzle, user: User, turn: str) -> Callable[[], JudgedTurn]:
    return lambda: commands.answer_puzzle(puzzle=puzzle, user=user, turn=turn, now=timezone.now())


def test_of_answers_of_one_person_at_once_one_is_the_first_and_counts_once() -> None:
    ada, puzzle = make_user("Ada"), make_puzzle()
    solve, see = reply(puzzle, ada, BEST), lambda: commands.show_answer(puzzle=puzzle, user=ada, now=timezone.now())
    at_once(solve, solve, see, solve, see)
    attempt, solver = PuzzleAttempt.objects.get(), Solver.objects.get()
    puzzle.refresh_from_db()
    assert (solver.attempts, puzzle.attempts) == (1, 1)
    assert solver.solved == puzzle.solved == int(bool(attempt.solved))
    assert solver.rating == attempt.rating_after


def test_answers_of_many_to_one_puzzle_at_once_all_count() -> None:
    people, puzzle = [make_user(f"P{number}") for number in range(6)], make_puzzle()
    at_once(*(reply(puzzle, person, BEST) for person in people))
    puzzle.refresh_from_db()
    assert (puzzle.attempts, puzzle.solved) == (6, 6)
    assert JudgedTurn.objects.count() == 1


def test_an_answer_that_comes_while_its_turn_is_judged_is_not_left_waiting() -> None:
    ada, bo, puzzle = make_user("Ada"), make_user("Bo"), make_puzzle()
    reply(puzzle, ada, WRONG)()
    judged = commands.claim_turn(now=timezone.now())
    assert judged is not None
    at_once(lambda: commands.judge_turn(judged, now=timezone.now()), reply(puzzle, bo, WRONG))
    commands.settle_answers(now=timezone.now())
    assert set(PuzzleAttempt.objects.values_list("solved", flat=True)) == {False}
    assert Solver.objects.count() == 2


def test_whoever_looks_first_at_once_there_is_one_puzzle_of_the_day() -> None:
    for number in range(3):
        make_puzzle(number)
    day = timezone.now().date()
    at_once(*(partial(commands.pick_daily, day=day, rng=Random(seed)) for seed in range(6)))
    assert DailyPuzzle.objects.count() == 1
