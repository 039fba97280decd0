"""Computer players of eight levels, from a friendly beginner to the strongest.

The lower ones overlook what people overlook: a long fall, a way over the edge, a second action, what rivals may do
next. The higher ones see all of it, and think further ahead with every level.
"""

from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Final

from engine.contract import Event
from engine.gravity.bots.face_down import draw_cards
from engine.gravity.bots.looks import search_turn
from engine.gravity.bots.search import Plan
from engine.gravity.bots.turns import Breadth, Turn, turns_of
from engine.gravity.chances import FEATURES, Model, model_of
from engine.gravity.events import EventKind
from engine.gravity.rules import begin_turn, play_steps
from engine.gravity.state import State
from engine.gravity.view import known_to

_POINTS: Final = frozenset({"points"})
_LOOT: Final = frozenset({"points", "singles", "tokens"})
_HAND: Final = frozenset(name for name in FEATURES if name.startswith("holds") or name.endswith("cards"))
_BREADTH: Final = Breadth(seconds=12, gain=1, all_wild=False)
_TIE: Final = 1e-6


@dataclass(frozen=True, slots=True)
class Eyes:
    """What a player sees of a turn: the chance that it does not overlook one, and what it knows of where it leads.

    A fall of more than ``far`` spaces is seen with the chance ``long`` for each further space, one over the edge with
    ``wrap``, a pawn turned by a card with ``turned``, a second action with ``second``. It judges by the features
    ``heeds``.
    """

    far: int
    long: float
    wrap: float
    turned: float
    second: float
    heeds: frozenset[str]


EYES: Final = {
    1: Eyes(far=2, long=0.6, wrap=0.3, turned=0.5, second=0.1, heeds=_POINTS),
    2: Eyes(far=3, long=0.6, wrap=0.4, turned=0.55, second=0.2, heeds=_POINTS),
    3: Eyes(far=3, long=0.75, wrap=0.5, turned=0.7, second=0.3, heeds=_LOOT),
    4: Eyes(far=3, long=0.85, wrap=0.65, turned=0.85, second=0.5, heeds=_LOOT),
    5: Eyes(far=4, long=0.9, wrap=0.8, turned=0.95, second=0.7, heeds=_LOOT | _HAND),
}
"""The players that look at no more than their own turn."""
PLANS: Final = {6: Plan(playouts=1), 7: Plan(playouts=40), 8: Plan(playouts=700)}
"""Those that overlook nothing, and think ahead."""


def level_turn(level: int, known: State, rng: Random) -> str:
    """Return the turn that a player of that level picks."""
    if eyes := EYES.get(level):
        return _glance(known, rng, eyes)
    return search_turn(known, rng, PLANS[level])


def _glance(known: State, rng: Random, eyes: Eyes) -> str:
    """Return the best of the turns that are seen, at first sight; among equals one by chance."""
    me = known.seat
    known = known_to(known, me + 1)
    model = _heeding(len(known.players), known.setup.expert, eyes.heeds)
    found = turns_of(known, _BREADTH)
    ease = [_ease(known, turn, eyes) for turn, _ in found]
    seen = [line for line, part in zip(found, ease, strict=True) if rng.random() < part]
    seen = seen or [found[ease.index(max(ease))]]
    worth = [model.chances(after)[me] for _, after in seen]
    best = max(worth) - _TIE
    turn = rng.choice([turn for (turn, _), chance in zip(seen, worth, strict=True) if chance >= best])
    return draw_cards(begin_turn(known), turn, rng)


def _ease(known: State, turn: Turn, eyes: Eyes) -> float:
    """Return the chance that a turn is not overlooked."""
    events: list[Event] = []
    play_steps(known, turn, events)
    falls, ease = 0, 1.0
    for event in events:
        match event.kind:
            case EventKind.FELL:
                falls += 1
                ease *= eyes.long if falls > eyes.far else 1
            case EventKind.WRAPPED:
                ease *= eyes.wrap
            case EventKind.ROTATED | EventKind.TILE_TURNED:
                falls, ease = 0, ease * eyes.turned
            case EventKind.TOKEN_SPENT:
                falls, ease = 0, ease * eyes.second
    return ease


@cache
def _heeding(count: int, expert: bool, heeds: frozenset[str]) -> Model:  # noqa: FBT001 - the cache's key
    """Return the stored model with all other weights 0."""
    return model_of(count, expert).heeding(heeds)
