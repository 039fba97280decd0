"""Part: what an answer to a puzzle says of who gave it and of the puzzle: Glicko, each answer a game between the two.

The formulas are those of Glickman, "Parameter estimation in large dynamic paired comparison experiments" (1999).
"""

import math
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from games.models.puzzle import SURE, UNKNOWN

FORGETTING: Final = 10.0
"""By the root of so many squares a day a rating gets less sure: from 50 to 200 within a year."""
_Q: Final = math.log(10) / 400


@dataclass(frozen=True, slots=True)
class Strength:
    """A rating and how far off it may be, by one deviation."""

    rating: float
    deviation: float

    def after(self, idle: timedelta) -> "Strength":
        """Return what is known of it after a time without an answer."""
        days = max(0.0, idle / timedelta(days=1))
        return Strength(self.rating, min(UNKNOWN, math.hypot(self.deviation, FORGETTING * math.sqrt(days))))

    def met(self, other: "Strength", score: float) -> "Strength":
        """Return what is known of it after it met another one; ``score`` is 1 if it won, 0 if it lost."""
        weight = 1 / math.sqrt(1 + 3 * (_Q * other.deviation / math.pi) ** 2)
        expected = 1 / (1 + 10 ** (weight * (other.rating - self.rating) / 400))
        precision = 1 / self.deviation**2 + (_Q * weight) ** 2 * expected * (1 - expected)
        rating = self.rating + _Q / precision * weight * (score - expected)
        return Strength(rating, max(SURE, math.sqrt(1 / precision)))
