"""The board game Gravity Superstar, as `engine.contract.Rules`."""

from engine.gravity.game import Gravity

__all__ = ["Gravity"]
