"""The ladder of computer players, from the friendliest to the strongest."""

from random import Random
from typing import Final

from engine.gravity.bots.greedy import greedy_turn
from engine.gravity.bots.random import random_turn
from engine.gravity.state import State

_ABSENT_MINDED: Final = {1: 0.7, 2: 0.4}
"""How often a friendly level takes any legal steps instead of good ones."""


def level_turn(level: int, known: State, rng: Random) -> str:
    """Return the turn of the player of a level, from 1."""
    careless = rng.random() < _ABSENT_MINDED.get(level, 0)
    return random_turn(known, rng) if careless else greedy_turn(known, rng)
