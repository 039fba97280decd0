"""What a finished game was like: what each seat did how often, and what the game can be found by."""

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from engine.contract import Event, PlayedEntry, Summary, Tally
from engine.gravity.events import EventKind


class Count(StrEnum):
    """What is counted of a seat, beside ``laid-`` with each card that it laid and ``took-`` with each item it took."""

    EJECTED = "ejected"
    """Opponents' pawns that it ejected."""
    WAS_EJECTED = "was-ejected"
    """How often its own pawn was."""
    STOLE = "stole"
    """Stars and tokens that it stole."""
    WAS_ROBBED = "was-robbed"
    """Those that were stolen from it."""


LAID: Final = "laid-"
TOOK: Final = "took-"


class Mark(StrEnum):
    """What a game can be found by."""

    EARLY_EJECTION = "early-ejection"
    """Somebody was ejected in the first round."""
    DOUBLE_EJECTION = "double-ejection"
    """Two pawns were ejected in one turn."""
    NO_EJECTION = "no-ejection"
    """Nobody was ejected."""
    WON_BY_TOKENS = "won-by-tokens"
    """As many points at the top, and fewer replay tokens decided."""
    SHARED_WIN = "shared-win"
    """Several seats came first."""
    COMEBACK = "comeback"
    """A winner was last, alone, after the second round or a later one."""


def tally(log: Sequence[PlayedEntry]) -> Tally:
    """Return what a finished game was like, from its whole log."""
    counts = tuple(Counter[str]() for _seat in log[-1].after.points)
    for played in log:
        for event in played.events:
            _count(event, counts)
    return Tally(counts, frozenset(_marks(log)))


def _count(event: Event, counts: Sequence[Counter[str]]) -> None:
    if event.seat is None:
        return
    own, params = counts[event.seat - 1], event.params
    victim = params.get("victim")
    match event.kind:
        case EventKind.LAID:
            own[f"{LAID}{params['card']}"] += 1
        case EventKind.COLLECTED:
            own[f"{TOOK}{params['item']}"] += 1
        case EventKind.EJECTED if isinstance(victim, int):
            own[Count.EJECTED] += 1
            counts[victim - 1][Count.WAS_EJECTED] += 1
        case EventKind.STOLE if isinstance(victim, int):
            own[Count.STOLE] += 1
            counts[victim - 1][Count.WAS_ROBBED] += 1


def _marks(log: Sequence[PlayedEntry]) -> list[Mark]:
    ejections = [
        (played.before.round, sum(event.kind == EventKind.EJECTED for event in played.events)) for played in log
    ]
    end = log[-1].after
    ranking = end.ranking or ()
    winners = [index for index, place in enumerate(ranking) if place == 1]
    fits = {
        Mark.EARLY_EJECTION: any(number for round_, number in ejections if round_ == 1),
        Mark.DOUBLE_EJECTION: any(number > 1 for _round, number in ejections),
        Mark.NO_EJECTION: not any(number for _round, number in ejections),
        Mark.WON_BY_TOKENS: _won_by_tokens(end, winners),
        Mark.SHARED_WIN: len(winners) > 1,
        Mark.COMEBACK: any(_was_last(played, winners) for played in log),
    }
    return [mark for mark, fit in fits.items() if fit]


def _won_by_tokens(end: Summary, winners: Sequence[int]) -> bool:
    """Return whether somebody who stayed had as many points as those who won."""
    left = {seat - 1 for seat in end.retired}
    best = {end.points[index] for index in winners}
    return any(points in best for index, points in enumerate(end.points) if index not in {*winners, *left})


def _was_last(played: PlayedEntry, winners: Sequence[int]) -> bool:
    """Return whether a later winner was last, alone, at the end of a round after the first."""
    if not any(event.kind == EventKind.ROUND_ENDED for event in played.events) or played.before.round == 1:
        return False
    points = played.after.points
    lowest = min(points)
    return points.count(lowest) == 1 and points.index(lowest) in winners
