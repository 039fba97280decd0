"""A puzzle on its page: its board, and what is told of an answer to whom."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from engine.rulesets import RULESETS
from games.commands import is_turn_given_up
from games.models import JudgedTurn, PuzzleAttempt, PuzzleSource
from games.presenters.registry import PRESENTERS
from games.queries.practice import Practice, Start, new_seats, practise
from games.queries.puzzles import ReadPuzzle, judged_turn
from games.web.addresses import addresses_named
from games.web.practice import Board
from games.words.chances import in_percent

WAITING, FAILED, MISSED, SOLVED, SHOWN = "waiting", "failed", "missed", "solved", "shown"
"""What became of an answer; ``SHOWN``: the best turn is on the board."""


@dataclass(frozen=True, slots=True)
class About:
    """What a page shows of a puzzle itself. The position, and what is claimed of it, are for no template."""

    number: int
    rating: int
    round: int
    """The round that its turn belongs to."""
    played: bool
    """Whether it is from a public game."""


@dataclass(frozen=True, slots=True)
class Today:
    """The puzzle of today, and whether its reader has solved or missed it."""

    number: int
    solved: bool
    missed: bool

    @classmethod
    def of(cls, number: int, attempt: PuzzleAttempt | None) -> "Today":
        """Return it, given what the reader has answered."""
        solved = attempt is not None and attempt.solved_at is not None
        return cls(number, solved, not solved and attempt is not None and attempt.solved is False)


@dataclass(frozen=True, slots=True)
class ToldTurn:
    """A turn, and the chance to win of its seat after it, in percent."""

    turn: str
    words: str
    chance: int
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """All that is told of a puzzle to who has solved it, or has had the answer shown."""

    best: ToldTurn
    other: ToldTurn | None
    """The best one of another idea, where its reader has not answered that."""
    own: ToldTurn | None
    """What its reader answered first, where that missed."""
    same: ToldTurn | None
    """What its reader solved it with, where that is another turn than the best."""
    why: str
    follows: Sequence[tuple[int, str, str]]
    """The answers of the others by best play: seat, name and words."""
    themes: Sequence[tuple[str, str, str]]
    """Code, name and a sentence."""


def with_query(address: str, asked: Mapping[str, str | int]) -> str:
    """Return an address with a query, if there is any."""
    return f"{address}?{urlencode(asked)}" if asked else address


def start_of(found: ReadPuzzle) -> Start:
    """Return where a puzzle begins: its reader plays the seat to move. The players have no names, but numbers."""
    names = tuple(_("Player %(number)s") % {"number": seat} for seat in range(1, found.puzzle.players + 1))
    return Start(
        ruleset=found.puzzle.ruleset,
        options=found.options,
        state=found.read[0],
        names=names,
        seats=new_seats(names),
        learner=found.seat,
    )


def board_of(found: ReadPuzzle, *, theme: str = "", **context: Any) -> Board:
    """Return the board of a puzzle, on which one turn is played, for who solves those of a theme or all."""
    puzzle, start = found.puzzle, start_of(found)
    summary = RULESETS[puzzle.ruleset].summary(start.state)
    asked: dict[str, str | int] = {"again": 1} if found.attempt else {}
    more: dict[str, str | int] = {"theme": theme} if theme else {}
    return Board(
        start=start,
        page=with_query(reverse("puzzle", args=[puzzle.pk]), {**asked, **more}),
        addresses=addresses_named("puzzle", str(puzzle.pk), with_query("", more)),
        title=_("Puzzle %(number)s") % {"number": puzzle.pk},
        head="games/_puzzle_head.html",
        foot="games/_puzzle_foot.html",
        most_turns=1,
        context={
            "puzzle": About(puzzle.pk, puzzle.number_shown, summary.round, puzzle.source == PuzzleSource.PLAYED),
            "attempt": found.attempt,
            "day": found.day,
            "player": start.names[found.seat - 1],
            "theme": theme,
            "options": PRESENTERS[puzzle.ruleset].describe_options(found.options),
            **context,
        },
    )


def after_answer(board: Board, found: ReadPuzzle, judged: JudgedTurn) -> dict[str, Any]:
    """Return what the page says of an answer that has been given."""
    state = state_of(judged, found.attempt)
    told: dict[str, Any] = {"state": state, "judged": judged.pk, "lost": _points_lost(found, judged.lost)}
    if state == SOLVED:
        told["solution"] = solution_of(board, found, judged)
    return told


def state_of(judged: JudgedTurn, attempt: PuzzleAttempt | None) -> str:
    """Return what became of an answer so far; it is told when it has been written down what that does."""
    if judged.judged_at is None or (attempt is not None and attempt.waiting_id == judged.pk):
        return FAILED if is_turn_given_up(judged, timezone.now()) else WAITING
    return SOLVED if judged.solves else MISSED


def may_be_told(state: str, attempt: PuzzleAttempt | None) -> bool:
    """Return whether somebody with an account may read what became of an answer, which may not be theirs.

    All of a puzzle is told to who has solved it, or has had the answer shown.
    """
    if state == FAILED or attempt is None:
        return state == FAILED
    return state != SOLVED or attempt.solved_at is not None or attempt.seen_at is not None


def as_left(board: Board, found: ReadPuzzle) -> tuple[Practice, dict[str, Any]] | None:
    """Return the board and what is said as a reader left a puzzle; None where it is still to be answered."""
    attempt = found.attempt
    if attempt is None:
        return None
    if attempt.solved:
        return practise(board.start, (attempt.turn,)), {"state": SOLVED, "solution": solution_of(board, found)}
    if attempt.solved_at or attempt.seen_at:
        return shown_answer(board, found)
    if attempt.waiting is not None and attempt.solved is None:
        return practise(board.start, (attempt.turn,)), after_answer(board, found, attempt.waiting)
    return practise(board.start, (attempt.turn,)), {"state": MISSED, "lost": _points_lost(found, attempt.lost)}


def shown_answer(board: Board, found: ReadPuzzle) -> tuple[Practice, dict[str, Any]]:
    """Return the board after the best turn, and what is told of it."""
    best = practise(board.start, (found.read[1].best.turn,))
    return best, {"state": SHOWN, "solution": solution_of(board, found)}


def solution_of(board: Board, found: ReadPuzzle, judged: JudgedTurn | None = None) -> Solution:
    """Return what is told of a puzzle, and of the reader's first answer: a query, where that missed."""
    (_state, claim), presenter, names = found.read, PRESENTERS[found.puzzle.ruleset], board.start.names
    rules, me = RULESETS[found.puzzle.ruleset], found.seat - 1

    def told(turn: str, chance: float, why: str = "") -> ToldTurn:
        return ToldTurn(turn, presenter.describe_turn(turn, names), in_percent(chance), why)

    own = same = None
    attempt = found.attempt
    solved = judged or (attempt if attempt is not None and attempt.solved else None)
    if solved and rules.view_turn(solved.turn, own=False) != rules.view_turn(claim.best.turn, own=False):
        same = told(solved.turn, _chance(found, solved.lost))
    if attempt is not None and attempt.turn and attempt.solved is False:
        known = judged if judged is not None and judged.turn == attempt.turn else None
        known = known or judged_turn(found.puzzle, turn=attempt.turn)
        why = presenter.explain(known.reason, known.params, found.seat, names) if known and known.reason else ""
        own = told(attempt.turn, _chance(found, attempt.lost), why)
    played = practise(board.start, (claim.best.turn, *claim.best.line))
    movers = [rules.summary(snapshot.state).seat or 0 for snapshot in played.reached[1:-1]]
    lines = [presenter.describe_turn(rules.view_turn(turn, own=False), names) for turn in claim.best.line]
    themes = [(theme, *presenter.theme_names[theme]) for theme in claim.themes if theme in presenter.theme_names]
    return Solution(
        best=told(claim.best.turn, _chance(found)),
        other=None if own and own.turn == claim.other.turn else told(claim.other.turn, claim.other.chances[me]),
        own=own,
        same=same,
        why=presenter.explain(claim.reason, claim.params, found.seat, names),
        follows=[(seat, names[seat - 1], words) for seat, words in zip(movers, lines, strict=True)],
        themes=[(code, str(name), str(words)) for code, name, words in themes],
    )


def rating_change(attempt: PuzzleAttempt | None) -> tuple[int, int, int] | None:
    """Return the reader's rating before and after their first answer, and the difference; None where it has none."""
    if attempt is None or attempt.rating_before is None or attempt.rating_after is None:
        return None
    before, after = round(attempt.rating_before), round(attempt.rating_after)
    return before, after, after - before


def _chance(found: ReadPuzzle, lost: float = 0.0) -> float:
    """Return the chance to win of who is to move, after a turn that falls short of the best one by so much."""
    return max(0.0, found.read[1].best.chances[found.seat - 1] - lost)


def _points_lost(found: ReadPuzzle, lost: float) -> int:
    """Return by how many percentage points a chance is lower than that after the best turn, as both are shown."""
    return in_percent(_chance(found)) - in_percent(_chance(found, lost))
