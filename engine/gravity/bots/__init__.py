"""Computer players: functions from what their seat knows, and a `Random`, to the text of a legal turn."""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Final

from engine.gravity.bots.greedy import greedy_turn
from engine.gravity.bots.levels import level_turn
from engine.gravity.bots.random import random_turn
from engine.gravity.state import State

type Bot = Callable[[State, Random], str]

LEVELS: Final[dict[str, Bot]] = {f"nova:{level}": partial(level_turn, level) for level in range(1, 9)}
"""The computer players that people meet, weakest first."""
BOTS: Final[dict[str, Bot]] = {"random": random_turn, "greedy": greedy_turn, **LEVELS}
"""Computer players by name: those of old games, which others are measured by, then the levels."""
