"""Computer players: functions of what their seat knows and a `Random`, to the text of a legal turn."""

from collections.abc import Callable
from random import Random
from typing import Final

from engine.contract import END
from tests.another_game.engine.rules import legal_steps
from tests.another_game.engine.state import State

_POOR: Final = "5"
"""A nut below this number is not worth a place in the nest."""


def random_turn(known: State, rng: Random) -> str:
    """Return any legal turn."""
    steps: list[str] = []
    while (step := rng.choice(legal_steps(known, steps))) != END:
        steps.append(step)
    return " ".join(steps)


def careful_turn(known: State, rng: Random) -> str:
    """Hide a good nut, or else dig or rob; then throw away a poor one."""
    legal = legal_steps(known)
    good = [step for step in legal if step[0] == "h" and step[1] >= _POOR]
    unseen = [step for step in legal if step[0] in "dr"]
    action = max(good) if good else rng.choice(unseen or legal)
    poor = [step for step in legal_steps(known, [action]) if step[0] == "x" and step[1] < _POOR]
    return f"{action} {min(poor)}" if poor else action


BOTS: Final[dict[str, Callable[[State, Random], str]]] = {
    "random": random_turn,
    "careful": careful_turn,
    "hasty": random_turn,
}
"""Computer players by name."""
