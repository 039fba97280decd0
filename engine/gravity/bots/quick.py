"""Turns at a glance, a few of them in a thousandth of a second: how a position tends to go on."""

from random import Random
from typing import Final

from engine.gravity.bots.turns import PREY, is_looked_at, steal_at_sight
from engine.gravity.chances import reach_of, spoils
from engine.gravity.notation import STEPS
from engine.gravity.rules import apply_step, begin_turn, end_turn, legal_steps
from engine.gravity.state import BASE, TOKEN, State

CHANCE: Final = 0.6
"""The most that chance adds to the worth of an action, in points."""
_SECOND: Final = 2
"""A second action is taken if it brings so many points."""
_WILD: Final = 0.35
"""What it costs to lay Wild."""
_CARD: Final = 0.25
"""What a card is worth that is taken back."""


def quick_turn(state: State, rng: Random) -> State:
    """Return the state after a turn that takes what is near; ``rng`` decides between what is worth nearly the same."""
    _, now = steal_at_sight((), begin_turn(state))
    text, _ = _pick(now, rng)
    _, now = steal_at_sight((), apply_step(now, STEPS[text]))
    if now.players[now.seat].loot[TOKEN]:
        spent = apply_step(now, STEPS["&"])
        text, gain = _pick(spent, rng)
        if gain >= _SECOND:
            _, now = steal_at_sight((), apply_step(spent, STEPS[text]))
    return end_turn(now)


def quick_rounds(state: State, rounds: int, rng: Random) -> State:
    """Return the state after that many rounds of such turns, or at the end of the game."""
    for _ in range(rounds * len(state.players)):
        if state.finished:
            break
        state = quick_turn(state, rng)
    return state


def _pick(now: State, rng: Random) -> tuple[str, int]:
    """Return an action, and the points that it brings."""
    mover = now.players[now.seat]
    hand = mover.hand
    worth, prey = spoils(now, now.seat)
    masks = reach_of(now.board).actions(mover.pawn)
    most, chosen, gained = -1.0, "", 0
    for text in legal_steps(now):
        if not is_looked_at(STEPS[text], hand, all_wild=False):
            continue
        mask = masks.get(text, 0)
        gain = (worth & mask).bit_count() + (PREY if mask & prey else 0)
        merit = gain + CHANCE * rng.random()
        if text == "C":
            merit += _CARD * (5 - (hand & BASE).bit_count())
        elif text[0] == "W":
            merit -= _WILD
        if merit > most:
            most, chosen, gained = merit, text, gain
    return chosen, gained
