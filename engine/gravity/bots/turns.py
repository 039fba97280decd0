"""The turns that a search looks at, and where they lead.

Which card a simple move lays is open until the turn is chosen: it stands in the step as some card of the hand, and
`draw_cards` draws it evenly from those that the turn does not need, so that nothing that is seen depends on it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.gravity.chances import reach_of, spoils
from engine.gravity.notation import (
    STEPS,
    Rotate,
    Simple,
    Special,
    Step,
)
from engine.gravity.rules import apply_step, begin_turn, end_turn, legal_steps
from engine.gravity.state import GOODIES, ITEMS, TOKEN, State, cards_bits

PREY: Final = 2
"""What it is worth to eject somebody who has something, in points."""
_WILD: Final = cards_bits("W")
_ROTATE: Final = cards_bits("R")
_LAID_FIRST: Final = tuple(cards_bits(card) for card in "DLHRW")
"""The five cards, least useful first."""

type Turn = tuple[str, ...]
"""The steps of a turn."""


@dataclass(frozen=True, slots=True)
class Breadth:
    """Which turns are looked at: ``seconds`` second actions, those that bring most, and at least ``gain`` points.

    Wild is played as a card that is in the hand, too, only if ``all_wild``.
    """

    seconds: int
    gain: int
    all_wild: bool


BROADLY: Final = Breadth(seconds=32, gain=1, all_wild=True)
"""How the seat to move looks at its own turns."""


def turns_of(state: State, breadth: Breadth) -> list[tuple[Turn, State]]:
    """Return the turns of the seat to move, each with the state after it. Steals are settled at first sight."""
    lines = list(_actions(*steal_at_sight((), begin_turn(state)), all_wild=breadth.all_wild))
    ended = [(steps, end_turn(now)) for steps, now in lines]
    if breadth.seconds:
        promising = [second for steps, now in lines for second in _second_actions(steps, now, breadth)]
        if len(promising) > breadth.seconds:
            promising.sort(key=_brings, reverse=True)
            del promising[breadth.seconds :]
        for _, steps, spent, text in promising:
            both, now = steal_at_sight((*steps, "&", text), apply_step(spent, STEPS[text]))
            ended.append((both, end_turn(now)))
    return ended


class _Second(NamedTuple):
    """A second action: the points that the turn brings with it, the steps before it, the state there, and its text."""

    brings: int
    steps: Turn
    spent: State
    text: str


def _brings(second: _Second) -> int:
    return second.brings


def _second_actions(steps: Turn, now: State, breadth: Breadth) -> Iterator[_Second]:
    """Yield the second actions that bring enough."""
    if not now.players[now.seat].loot[TOKEN]:
        return
    spent = apply_step(now, STEPS["&"])
    mover = spent.players[spent.seat]
    worth, prey = spoils(spent, spent.seat)
    masks = reach_of(spent.board).actions(mover.pawn)
    for text in legal_steps(spent):
        mask = masks.get(text, 0)
        gain = (worth & mask).bit_count() + (PREY if mask & prey else 0)
        if gain >= breadth.gain and is_looked_at(STEPS[text], mover.hand, all_wild=breadth.all_wild):
            yield _Second(mover.points + gain, steps, spent, text)


def _actions(steps: Turn, now: State, *, all_wild: bool) -> Iterator[tuple[Turn, State]]:
    hand = now.players[now.seat].hand
    for text in legal_steps(now):
        step = STEPS[text]
        if is_looked_at(step, hand, all_wild=all_wild):
            yield steal_at_sight((*steps, text), apply_step(now, step))


def is_looked_at(step: Step, hand: int, *, all_wild: bool) -> bool:
    """Return whether a legal action is looked at: one card of a simple move, and Wild only where it must be."""
    match step:
        case Simple(_, card):
            return bool(card & GOODIES) or card == next(card for card in _LAID_FIRST if hand & card)
        case Special(move, card) if card == _WILD:
            return all_wild or not hand & cards_bits(move[0])
        case Rotate(_, card) if card == _WILD:
            return all_wild or not hand & _ROTATE
    return True


def steal_at_sight(steps: Turn, now: State) -> tuple[Turn, State]:
    """Settle each steal by what it brings the mover and costs the victim."""
    while now.victims:
        victim = now.victims[0]
        mine, theirs = now.players[now.seat].loot, now.players[victim].loot
        best, chosen = -1.0, 0
        for item, count in enumerate(theirs):
            if count:
                worth = 0.1 if item == TOKEN else mine[item] % 2 + 0.9 * (count % 2 == 0)
                if worth > best:
                    best, chosen = worth, item
        text = f"x{victim + 1}{ITEMS[chosen]}"
        steps, now = (*steps, text), apply_step(now, STEPS[text])
    return steps, now
