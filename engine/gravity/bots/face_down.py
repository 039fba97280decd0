"""What a computer player lays face down: drawn when all that others see of its turn is settled.

Whatever is seen must not depend on the card that lies there, or who knows how the player chooses could name it.
"""

from random import Random
from typing import Final

from engine.gravity.notation import STEPS, DoubleJump, Rotate, Simple, Special, Step, Teleport, TurnTile, format_step
from engine.gravity.rules import apply_step
from engine.gravity.state import BASE, CARDS, GOODIES, State, cards_bits

_TURN_TILE, _DOUBLE_JUMP, _TELEPORT = (cards_bits(card) for card in "PJT")
_FIVE: Final = tuple(cards_bits(card) for card in CARDS if cards_bits(card) & BASE)


def draw_cards(now: State, steps: tuple[str, ...], rng: Random) -> str:
    """Return the turn with each card that is laid face down drawn from those that it does not need afterwards.

    ``now`` is the state after `begin_turn`.
    """
    turn = []
    for index, text in enumerate(steps):
        step = STEPS[text]
        if isinstance(step, Simple) and not shown_card(step):
            cards = [card for card in _FIVE if now.players[now.seat].hand & card]
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
            return _TURN_TILE
        case DoubleJump():
            return _DOUBLE_JUMP
        case Teleport():
            return _TELEPORT
        case _:
            return 0
