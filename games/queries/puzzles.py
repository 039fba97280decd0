"""Puzzles as a reader gets them: one, the next one, those of days; how good somebody is at them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from typing import Any

from django.db.models import Exists, OuterRef

from accounts.models import User
from engine.contract import Puzzle as Claim
from engine.puzzles import read_puzzle
from engine.rulesets import RULESETS
from games.log.table import Reader
from games.models import DailyPuzzle, JudgedTurn, Puzzle, PuzzleAttempt, PuzzleTheme, Solver
from games.models.puzzle import START


@dataclass(frozen=True)
class ReadPuzzle:
    """A puzzle as one reader may see it: what is claimed of it is for who has answered."""

    puzzle: Puzzle
    attempt: PuzzleAttempt | None
    """The reader's own."""
    day: date | None
    """The day whose puzzle it is, if that is not to come."""
    reader: User | None

    @cached_property
    def read(self) -> tuple[Any, Claim]:
        """The position and the claim."""
        return read_puzzle(RULESETS[self.puzzle.ruleset], self.puzzle.content)

    @property
    def seat(self) -> int:
        """Who is to move."""
        return int(self.puzzle.content["seat"])

    @property
    def options(self) -> Any:
        """The options of the game that it is from."""
        return self.puzzle.content["setup"]["options"]


@dataclass(frozen=True, slots=True)
class DayOfPuzzle:
    """A daily puzzle, and whether its reader solved it, at whatever try; None if not answered, or not signed in."""

    date: date
    number: int
    solved: bool | None


@dataclass(frozen=True, slots=True)
class Standing:
    """How good somebody is at puzzles, and the streak that goes on."""

    solver: Solver
    streak: int


def puzzle_for(number: int, reader: Reader, today: date) -> ReadPuzzle | None:
    """Return the puzzle of that number, None if there is none: one query, two for who is signed in."""
    puzzle = Puzzle.objects.select_related("daily").filter(pk=number).first()
    if puzzle is None:
        return None
    daily = getattr(puzzle, "daily", None)
    day = daily.date if daily is not None and daily.date <= today else None
    return ReadPuzzle(puzzle, attempt_at(number, reader), day, _person(reader))


def attempt_at(number: int, reader: Reader) -> PuzzleAttempt | None:
    """Return what a reader has answered to the puzzle of that number: one query for who is signed in."""
    user = _person(reader)
    if user is None:
        return None
    return PuzzleAttempt.objects.select_related("waiting").filter(user=user, puzzle=number).first()


def judged_turn(puzzle: Puzzle, *, pk: int | None = None, turn: str | None = None) -> JudgedTurn | None:
    """Return what is known of a turn that somebody has answered a puzzle with: one query."""
    which = {"pk": pk} if pk is not None else {"turn": turn}
    return JudgedTurn.objects.filter(puzzle=puzzle, **which).first()


def days_around(day: date, today: date) -> tuple[int | None, int | None]:
    """Return the numbers of the puzzles of the days before and after one, of days that have begun: two queries."""
    days = DailyPuzzle.objects.values_list("puzzle", flat=True)
    before = days.filter(date__lt=day).order_by("-date").first()
    after = days.filter(date__gt=day, date__lte=today).order_by("date").first()
    return before, after


def next_puzzle(reader: Reader, today: date, *, theme: str = "", after: int = 0) -> int | None:
    """Return the number of a puzzle to solve next, another one than ``after``; None where none is left.

    Who is signed in gets the one whose rating is nearest to theirs, of those that they have not answered; others the
    next by number. Daily puzzles to come are not among them. Three queries at most.
    """
    puzzles = Puzzle.objects.exclude(pk=after).exclude(daily__date__gt=today).filter(ruleset__in=RULESETS)
    if theme:
        puzzles = puzzles.filter(Exists(PuzzleTheme.objects.filter(puzzle=OuterRef("pk"), theme=theme)))
    user = _person(reader)
    if user is None:
        numbers = puzzles.order_by("pk").values_list("pk", flat=True)
        return numbers.filter(pk__gt=after).first() or numbers.first()
    own = Solver.objects.filter(user=user).values_list("rating", flat=True).first() or START
    tried = PuzzleAttempt.objects.filter(user=user, puzzle=OuterRef("pk"))
    untried = puzzles.filter(~Exists(tried)).values_list("rating", "pk")
    harder = untried.filter(rating__gte=own).order_by("rating", "pk").first()
    easier = untried.filter(rating__lt=own).order_by("-rating", "-pk").first()
    near = [found for found in (harder, easier) if found is not None]
    return min(near, key=lambda found: abs(found[0] - own))[1] if near else None


def days_of(month: date, reader: Reader, today: date) -> Sequence[DayOfPuzzle]:
    """Return the daily puzzles of a month, given by a day of it, the last one first: two queries at most."""
    first = month.replace(day=1)
    following = (first + timedelta(days=31)).replace(day=1)
    rows = DailyPuzzle.objects.filter(date__gte=first, date__lt=following, date__lte=today).order_by("-date")
    found = list(rows.values_list("date", "puzzle"))
    solved = _solved_by(_person(reader), [number for _date, number in found])
    return tuple(DayOfPuzzle(day, number, solved.get(number)) for day, number in found)


def months_around(month: date, today: date) -> tuple[date | None, date | None]:
    """Return the last daily puzzle's day before a month, given by a day of it, and the first one's after: two queries.

    Of days that have begun.
    """
    first = month.replace(day=1)
    following = (first + timedelta(days=31)).replace(day=1)
    days = DailyPuzzle.objects.values_list("date", flat=True)
    before = days.filter(date__lt=first).order_by("-date").first()
    return before, days.filter(date__gte=following, date__lte=today).order_by("date").first()


def standing_of(user: User, today: date) -> Standing | None:
    """Return how good a person is at puzzles, None if they have not answered any that counts: two queries at most."""
    solver = Solver.objects.filter(user=user).first()
    if solver is None:
        return None
    days = DailyPuzzle.objects.filter(date__lte=today).order_by("-date").values_list("date", flat=True)
    return Standing(solver, solver.streak_at(today, list(days[:2])) if solver.streak else 0)


def _solved_by(user: User | None, numbers: Sequence[int]) -> dict[int, bool | None]:
    if user is None:
        return {}
    attempts = PuzzleAttempt.objects.filter(user=user, puzzle__in=numbers)
    found = attempts.values_list("puzzle", "solved", "solved_at")
    return {number: solved_at is not None for number, solved, solved_at in found if solved is not None or solved_at}


def _person(reader: Reader) -> User | None:
    return reader if isinstance(reader, User) else None
