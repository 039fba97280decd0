"""The rulesets that games can be pinned to."""

from typing import Any, Final

from engine.contract import Rules
from engine.gravity import Gravity

RULESETS: Final[dict[str, Rules[Any]]] = {"gravity-1": Gravity()}
"""Ruleset by the name stored with each game. An entry is never removed: stored games need it."""


def newest_rulesets() -> dict[str, str]:
    """Return the ruleset that a new game gets, by the game's family: the one that was registered last."""
    return {rules.game: ruleset for ruleset, rules in RULESETS.items()}
