"""Computer players: functions from what their seat knows, and a `Random`, to the text of a legal turn."""

from collections.abc import Callable
from random import Random
from typing import Final

from engine.gravity.bots.greedy import greedy_turn
from engine.gravity.bots.playout import playout_turn
from engine.gravity.bots.random import random_turn
from engine.gravity.state import State

type Bot = Callable[[State, Random], str]

BOTS: Final[dict[str, Bot]] = {"random": random_turn, "greedy": greedy_turn, "playout": playout_turn}
"""Computer players by name, weakest first."""
YARDSTICKS: Final = frozenset({"playout"})
"""Those that others are measured by, and that nobody is offered to play against."""
