"""The player that picks legal steps at random."""

from random import Random

from engine.contract import END
from engine.gravity.rules import legal_steps
from engine.gravity.state import State


def random_turn(known: State, rng: Random) -> str:
    """Return a turn of steps drawn one by one from the legal ones."""
    steps: list[str] = []
    while (step := rng.choice(legal_steps(known, steps))) != END:
        steps.append(step)
    return " ".join(steps)
