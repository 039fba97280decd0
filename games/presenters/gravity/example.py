"""A board to show where no game is running: a fixed game of two computer players, some turns on."""

from functools import cache
from random import Random
from typing import Final

from engine.rulesets import RULESETS
from games.presenters.gravity.view import GravityView, read_view

EXAMPLE_NAMES: Final = ("Ada", "Bo")
SEED: Final = 11
TURNS: Final = 6


@cache
def example_view() -> GravityView:
    """Return the position of the example as a guest sees it."""
    rules = RULESETS["gravity-1"]
    chance = Random(SEED)  # noqa: S311 - the example must be the same each time
    state = rules.set_up(EXAMPLE_NAMES, {}, chance)
    for _turn in range(TURNS):
        state = rules.apply_turn(state, rules.choose_turn(rules.autopilot, state, chance)).state
    return read_view(rules.view(state, None))
