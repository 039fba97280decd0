"""Answering a puzzle: the first answer counts for the ratings, a turn that nobody has played yet is judged by a worker.

People are locked before turns that are judged, and these before puzzles. Whoever judges a turn holds nobody.
"""

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Exists, OuterRef

from accounts.models import User
from engine.puzzles import read_puzzle
from engine.rulesets import RULESETS
from games.commands._glicko import Strength
from games.commands._lock import lock_person
from games.commands._nudge import nudge_judging
from games.models import DailyPuzzle, JudgedTurn, Puzzle, PuzzleAttempt, Solver
from games.models.puzzle import puzzle_day

LEASE: Final = timedelta(minutes=2)
"""How long one turn may take to be judged before another worker tries."""
MOST_WAITING: Final = 20
"""While so many turns wait to be judged, no further one is taken of who has no account."""
MOST_TRIES: Final = 3
"""After so many attempts to judge a turn it is given up, until somebody plays it again."""


def answer_puzzle(*, puzzle: Puzzle, user: User | None, turn: str, now: datetime) -> JudgedTurn:
    """Take a legal turn as an answer, and return what is known of it; a worker finds out what is not.

    Somebody's first answer to a puzzle counts. While an answer of theirs is judged, that one is returned, and no other
    one taken. Where nobody is signed in nothing is written down of who answered.
    """
    state, claim = read_puzzle(RULESETS[puzzle.ruleset], puzzle.content)
    solves = RULESETS[puzzle.ruleset].solves(state, claim, turn)
    judged = _take(puzzle, user, turn, solves=solves, now=now)
    if judged.judged_at is None:
        nudge_judging()
    return judged


@transaction.atomic(durable=True)
def _take(puzzle: Puzzle, user: User | None, turn: str, *, solves: bool, now: datetime) -> JudgedTurn:
    person = None if user is None else lock_person(user.pk)
    if person is not None and (waiting := _waiting(person, puzzle)) is not None:
        return waiting
    known: dict[str, object] = {"asked_at": now, "due_at": now}
    if solves:
        known |= {"judged_at": now, "solves": True}
    elif person is None and _is_refused(puzzle, turn):
        return JudgedTurn(puzzle=puzzle, turn=turn, asked_at=now, due_at=now, tries=MOST_TRIES)
    rows = JudgedTurn.objects.select_for_update(no_key=True)
    judged, _is_new = rows.get_or_create(puzzle=puzzle, turn=turn, defaults=known)
    if is_turn_given_up(judged, now):
        judged.tries, judged.due_at = 0, now
        judged.save(update_fields=["tries", "due_at"])
    if person is not None:
        attempt, is_first = PuzzleAttempt.objects.get_or_create(
            user=person, puzzle=puzzle, defaults={"at": now, "turn": turn, "waiting": judged, "waiting_since": now}
        )
        if not is_first:
            attempt.waiting, attempt.waiting_since = judged, now
            attempt.save(update_fields=["waiting", "waiting_since"])
        if judged.judged_at is not None:
            _settle(person, attempt, judged, now)
    return judged


def _waiting(person: User, puzzle: Puzzle) -> JudgedTurn | None:
    """Return the turn of a person's answer that is being judged."""
    attempts = PuzzleAttempt.objects.select_related("waiting")
    attempt = attempts.filter(user=person, puzzle=puzzle, waiting__isnull=False).first()
    return None if attempt is None else attempt.waiting


def _is_refused(puzzle: Puzzle, turn: str) -> bool:
    """Return whether too much waits for a turn to be taken of who has no account; one that is known always is."""
    if JudgedTurn.objects.filter(puzzle=puzzle, turn=turn).exists():
        return False
    return JudgedTurn.objects.filter(judged_at=None, tries__lt=MOST_TRIES)[:MOST_WAITING].count() >= MOST_WAITING


@transaction.atomic(durable=True)
def show_answer(*, puzzle: Puzzle, user: User, now: datetime) -> None:
    """Write down that a person has the answer shown: before any answer of theirs it counts as a miss.

    While their first answer is judged nothing is shown, and nothing written.
    """
    person = lock_person(user.pk)
    attempt, is_first = PuzzleAttempt.objects.get_or_create(
        user=person, puzzle=puzzle, defaults={"at": now, "solved": False, "seen_at": now}
    )
    if is_first:
        _rate(person, attempt, now)
        attempt.save()
    elif attempt.solved is not None and attempt.seen_at is None and attempt.solved_at is None:
        attempt.seen_at = now
        attempt.save(update_fields=["seen_at"])


# --- Judging --------------------------------------------------------------------------------------------------------


def is_turn_given_up(judged: JudgedTurn, now: datetime) -> bool:
    """Return whether judging a turn failed so often that no worker tries it any more, the last one included."""
    return judged.judged_at is None and judged.tries >= MOST_TRIES and judged.due_at <= now


@transaction.atomic(durable=True)
def claim_turn(*, now: datetime) -> JudgedTurn | None:
    """Take the turn that has waited longest to be judged, for as long as that may last; None where none waits.

    Answers of people with an account come before those of guest accounts, and these before all others.
    """
    rows = JudgedTurn.objects.select_for_update(skip_locked=True, of=("self",)).select_related("puzzle")
    waiting = rows.filter(judged_at=None, due_at__lte=now, tries__lt=MOST_TRIES)
    attempts = PuzzleAttempt.objects.filter(waiting=OuterRef("pk"))
    awaited = (Exists(attempts.filter(user__is_guest=False)), Exists(attempts))
    judged = waiting.order_by(*(some.desc() for some in awaited), "asked_at", "pk").first()
    if judged is not None:
        judged.due_at = now + LEASE
        judged.tries += 1
        judged.save(update_fields=["due_at", "tries"])
    return judged


def judge_turn(judged: JudgedTurn, *, now: datetime) -> None:
    """Find out what a claimed turn is worth; `settle_answers` tells everyone who waits for that."""
    rules = RULESETS[judged.puzzle.ruleset]
    state, claim = read_puzzle(rules, judged.puzzle.content)
    answer = rules.judge_answer(state, claim, judged.turn)
    with transaction.atomic(durable=True):
        row = JudgedTurn.objects.select_for_update(no_key=True).filter(pk=judged.pk, judged_at=None)
        row.update(
            judged_at=now,
            solves=answer.solved,
            lost=round(answer.lost, 4),
            reason=answer.reason,
            params=dict(answer.params),
        )


def settle_answers(*, now: datetime) -> None:
    """Write down what follows from answers whose turns have been judged; who waits for one given up may answer anew."""
    given_up = JudgedTurn.objects.filter(judged_at=None, tries__gte=MOST_TRIES, due_at__lte=now)
    for judged in given_up.filter(awaited_by__isnull=False).distinct():
        _release(judged)
    for pk, user in PuzzleAttempt.objects.filter(waiting__judged_at__isnull=False).values_list("pk", "user"):
        with transaction.atomic(durable=True):
            person = User.objects.select_for_update(no_key=True).filter(pk=user).first()
            attempt = PuzzleAttempt.objects.select_related("waiting").filter(pk=pk).first()
            if person is not None and attempt is not None and attempt.waiting and attempt.waiting.judged_at:
                _settle(person, attempt, attempt.waiting, now)


def put_off_turn(judged: JudgedTurn, *, now: datetime) -> None:
    """Try a turn later that could not be judged. After the last try those who wait for it may answer anew."""
    is_last = judged.tries >= MOST_TRIES
    due_at = now if is_last else now + timedelta(seconds=5 * judged.tries)
    if JudgedTurn.objects.filter(pk=judged.pk, judged_at=None).update(due_at=due_at) and is_last:
        _release(judged)


def _release(judged: JudgedTurn) -> None:
    waiting = PuzzleAttempt.objects.filter(waiting=judged)
    waiting.filter(solved=None).delete()
    waiting.update(waiting=None, waiting_since=None)


# --- What follows from an answer ------------------------------------------------------------------------------------


def _settle(person: User, attempt: PuzzleAttempt, judged: JudgedTurn, now: datetime) -> None:
    """Write down what an answer came to, of a person who is locked."""
    given = attempt.waiting_since or now
    attempt.waiting = attempt.waiting_since = None
    if attempt.solved is None:
        attempt.solved, attempt.lost = bool(judged.solves), judged.lost
        _rate(person, attempt, now)
    if judged.solves:
        if attempt.solved_at is None and attempt.seen_at is None:
            attempt.solved_at = given
        _count_day(person, attempt, given)
    attempt.save()


def _rate(person: User, attempt: PuzzleAttempt, now: datetime) -> None:
    """Let a first answer count for the person and the puzzle; guests have no rating, and change none."""
    if person.is_guest:
        return
    solver, _is_new = Solver.objects.get_or_create(user=person)
    puzzle = Puzzle.objects.select_for_update(no_key=True).get(pk=attempt.puzzle_id)
    score = float(bool(attempt.solved))
    own = Strength(solver.rating, solver.deviation).after(now - (solver.rated_at or now))
    its = Strength(puzzle.rating, puzzle.deviation)
    attempt.rating_before = solver.rating
    own, its = own.met(its, score), its.met(own, 1 - score)
    attempt.rating_after = solver.rating = own.rating
    solver.deviation, solver.rated_at = own.deviation, now
    solver.attempts += 1
    solver.solved += int(score)
    solver.save(update_fields=["rating", "deviation", "rated_at", "attempts", "solved"])
    puzzle.rating, puzzle.deviation = its.rating, its.deviation
    puzzle.attempts += 1
    puzzle.solved += int(score)
    puzzle.save(update_fields=["rating", "deviation", "attempts", "solved"])


def _count_day(person: User, attempt: PuzzleAttempt, given: datetime) -> None:
    """Let a person's streak grow if what they solved is the puzzle of that day, at whatever try.

    Not if they had its answer shown that day.
    """
    day = puzzle_day(given)
    if not DailyPuzzle.objects.filter(puzzle=attempt.puzzle_id, date=day).exists():
        return
    if attempt.seen_at is not None and puzzle_day(attempt.seen_at) >= day:
        return
    solver, _is_new = Solver.objects.get_or_create(user=person)
    before = DailyPuzzle.objects.filter(date__lt=day).order_by("-date").values_list("date", flat=True).first()
    if solver.solve_day(day, before):
        solver.save(update_fields=["streak_on", "streak", "longest"])
