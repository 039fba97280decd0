"""The turns that a search looks at, and where they lead.

Which card a simple move lays is open until the turn is chosen: it stands in the step as some card of the hand, and
`draw_cards` draws it evenly from those that the turn does not need, so that nothing that is seen depends on it.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import Final

from engine.contract import END
from engine.gravity.notation import (
    STEPS,
    DoubleJump,
    Rotate,
    Simple,
    Special,
    Step,
    Teleport,
    TurnTile,
    format_step,
)
from engine.gravity.rules import apply_step, begin_turn, end_turn, legal_steps
from engine.gravity.state import BASE, CARDS, GOODIES, TOKEN, State, cards_bits

_WILD: Final = cards_bits("W")
_LAID_FIRST: Final = tuple(cards_bits(card) for card in "DLHRW")
"""The five cards, least useful first."""

type Turn = tuple[str, ...]
"""The steps of a turn."""
type Judge = Callable[[State], float]
"""What a state between turns is worth to the seat that has moved."""


def turns_of(state: State, second_looks: int, judge: Judge, *, all_wild: bool) -> list[tuple[Turn, State]]:
    """Return the turns of the seat to move, each with the state after it, in which it has been completed.

    Steals are settled at first sight. A second action is tried after the ``second_looks`` best first ones by ``judge``.
    Wild is not played as a card that is in the hand too unless ``all_wild``.
    """
    begun = _steal((), begin_turn(state))
    lines = list(_actions(*begun, all_wild=all_wild))
    ended = [(steps, end_turn(now)) for steps, now in lines]
    me = state.seat
    able = [index for index, (_, now) in enumerate(lines) if now.players[me].loot[TOKEN]]
    if able and second_looks:
        if len(able) > second_looks:
            able.sort(key=lambda index: judge(ended[index][1]), reverse=True)
        for index in able[:second_looks]:
            steps, now = lines[index]
            spent = apply_step(now, STEPS["&"])
            for line in _actions((*steps, "&"), spent, all_wild=all_wild):
                ended.append((line[0], end_turn(line[1])))
    return ended


def _actions(steps: Turn, now: State, *, all_wild: bool) -> Iterator[tuple[Turn, State]]:
    hand = now.players[now.seat].hand
    named = next((card for card in _LAID_FIRST if hand & card), 0)
    for text in legal_steps_now(now):
        step = STEPS[text]
        match step:
            case Simple(_, card):
                if card != named and not card & GOODIES:
                    continue
            case Special(move, card):
                if card == _WILD and not all_wild and hand & cards_bits(move[0]):
                    continue
            case Rotate(_, card):
                if card == _WILD and not all_wild and hand & cards_bits("R"):
                    continue
        yield _steal((*steps, text), apply_step(now, step))


def legal_steps_now(now: State) -> tuple[str, ...]:
    """Return the legal actions of a turn that has begun and in which an action is due."""
    return tuple(text for text in legal_steps(now) if text not in {END, "&"})


def _steal(steps: Turn, now: State) -> tuple[Turn, State]:
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
        text = f"x{victim + 1}{'bypgowr'[chosen]}"
        steps, now = (*steps, text), apply_step(now, STEPS[text])
    return steps, now


def draw_cards(now: State, steps: Turn, rng: Random) -> str:
    """Return the text of a turn, each card that it lays face down drawn from those that it does not need afterwards."""
    turn = []
    for index, text in enumerate(steps):
        step = STEPS[text]
        if isinstance(step, Simple) and not shown_card(step):
            hand = now.players[now.seat].hand & BASE
            cards = [1 << i for i in range(len(CARDS)) if hand >> i & 1]
            needed = {shown_card(STEPS[later]) for later in steps[index + 1 :]}
            step = Simple(step.move, rng.choice([card for card in cards if card not in needed] or cards))
        now = apply_step(now, step)
        turn.append(format_step(step))
    return " ".join(turn)


def shown_card(step: Step) -> int:
    """Return the card that a step lays or passes on for all to see, 0 for none."""
    match step:
        case Special(_, card) | Rotate(_, card):
            return card
        case Simple(_, card):
            return card & GOODIES
        case TurnTile():
            return cards_bits("P")
        case DoubleJump():
            return cards_bits("J")
        case Teleport():
            return cards_bits("T")
        case _:
            return 0
