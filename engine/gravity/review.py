"""What a turn of a finished game was worth beside the best one that a search finds, and why.

Why is in `reasons`.
"""

from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from random import Random
from typing import Final

from engine.contract import Assessed, Reviewed, Verdict
from engine.gravity.bots.assess import Survey, survey
from engine.gravity.notation import hide_cards
from engine.gravity.reasons import PRAISE, Params, Reason, lead_of, tell_apart
from engine.gravity.state import State

EQUAL: Final = 0.01
"""A loss of chances below this is none: a search does not see that sharply."""
VERDICTS: Final = (
    (0.2, Verdict.BLUNDER),
    (0.1, Verdict.MISTAKE),
    (0.05, Verdict.INACCURACY),
    (EQUAL, Verdict.GOOD),
)
"""From which loss of chances to win, in whole percent, a turn is called so, the gravest first."""
CLEAR: Final = 0.1
"""A best turn is great where every other one that was found is worse by this."""
DECIDED: Final = 0.02
"""Who has less than this chance has as good as lost, who has all but this as good as won."""
VERSION: Final = 3
"""Goes up where the same search would get other verdicts or reasons."""
AGAIN: Final = 3
"""So many times as much search goes into a second survey where a turn seems to have lost something."""
LOOKS: Final = 3
"""So many looks are taken at what follows a turn, if there are several rivals: each look has some chance in it."""


def review(state: State, rng: Random, playouts: int, played: str) -> Reviewed:
    """Return what a legal turn was worth. Where one seems to have lost something all is surveyed again, more deeply.

    Of two surveys the kinder one counts. A loss counts as far as it is more than the noise of the search.
    """
    two = len(state.players) == 2  # a search for two has no chance in it: it looks deeper instead
    deeper, looks = (AGAIN, 1) if two else (1, AGAIN * LOOKS)
    first = _judge(state, played, survey(state, rng, playouts, looks=1 if two else LOOKS, played=played))
    if round(first.lost, 2) < VERDICTS[-2][0]:
        return first
    again = _judge(state, played, survey(state, rng, deeper * playouts, looks=looks, played=played))
    return min(first, again, key=lambda one: one.lost)


def _judge(state: State, played: str, found: Survey) -> Reviewed:
    return judge(state, played, found.turns, found.noise)


@cache
def version() -> str:
    """Return what tells verdicts of one version from those of another: of the model, and of what is made of it."""
    return f"{VERSION}-{sha256((files('engine.gravity') / 'chances.json').read_bytes()).hexdigest()[:12]}"


def judge(state: State, played: str, assessed: Sequence[Assessed], noise: float = 0.0) -> Reviewed:
    """Return what a turn was worth, given what a search found: ``played`` is among it, the best comes first.

    Differences of chances count as far as they are more than ``noise``. Two turns that differ in the cards alone that
    they lay face down count as one.
    """
    me = state.seat
    mine = next(one for one in assessed if one.turn == played)
    others = [one for one in assessed if hide_cards(one.turn) != hide_cards(played)]
    best = assessed[0]
    lost = max(0.0, best.chances[me] - mine.chances[me] - noise)
    if not others or best not in others or lost < EQUAL:
        return _praise(state, mine, others, noise)
    verdict = next(verdict for least, verdict in VERDICTS if round(lost, 2) >= least)
    reason, params = tell_apart(state, mine, best)
    fewer = max(0, lead_of(best.points, me) - lead_of(mine.points, me))
    return Reviewed(verdict=verdict, lost=lost, points=fewer, played=mine, best=best, reason=reason, params=params)


def _praise(state: State, mine: Assessed, others: Sequence[Assessed], noise: float) -> Reviewed:
    """Return what is to be said of a turn than which nothing better was found."""
    me = state.seat
    verdict, reason = Verdict.BEST, Reason.ALONE
    params: Params = {}
    if others:
        following = max(others, key=lambda one: one.chances[me])
        ahead = mine.chances[me] - following.chances[me] - noise
        if ahead >= CLEAR:
            verdict = Verdict.GREAT
        reason = _equal(mine.chances[me], following.chances[me])
        if ahead >= EQUAL:
            worse, params = tell_apart(state, following, mine)
            reason = PRAISE[worse]
    return Reviewed(verdict=verdict, lost=0.0, points=0, played=mine, best=mine, reason=reason, params=params)


def _equal(mine: float, others: float) -> Reason:
    """Return what is to be said of turns of which none is better, by the chances after them."""
    if max(mine, others) < DECIDED:
        return Reason.HOPELESS
    return Reason.SAFE if min(mine, others) > 1 - DECIDED else Reason.SAME
