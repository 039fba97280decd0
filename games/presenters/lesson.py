"""What a game may teach: lessons that are played on its own board, and hints beside the hand."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.contract import JsonObject
from games.queries.moves import Move

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """One idea, a small position and a goal that one turn of the seat to move reaches, or not."""

    name: str
    """A word for its address, which never changes: what a person has completed is kept by it. At most 20 characters."""
    title: "_StrPromise"
    words: "Sequence[_StrPromise]"
    """The idea, a sentence each."""
    goal: "_StrPromise"
    hint: "_StrPromise"
    done: "_StrPromise"
    """What is said when the goal is reached."""
    record: Callable[[], JsonObject]
    """Makes the set-up, as `Rules.read_setup` takes it, and as its ``log`` the turns that lead to the position."""
    answer: str
    """A turn that reaches the goal: what the hint speaks of."""
    is_reached: Callable[[Move], bool]
    """Whether a turn, as its own seat sees it, reaches the goal."""
    targets: Sequence[tuple[int, int]] = ()
    """The spaces that the goal speaks of, marked on the board: columns and rows, from 0."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A sentence that fits the situation, and the lesson about it."""

    words: str
    lesson: str
