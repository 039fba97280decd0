"""Shares that were observed, with what may be said of the true ones: 95 % intervals."""

from collections.abc import Sequence
from math import sqrt
from statistics import fmean
from typing import Final, NamedTuple

Z: Final = 1.96
"""The half-width of a 95 % interval, in standard errors."""


class Share(NamedTuple):
    """A share from 0 to 1, and the ends of its 95 % interval."""

    value: float
    low: float
    high: float


def share(parts: Sequence[float]) -> Share:
    """Return the mean of independent observations, each from 0 to 1, with its interval; ``parts`` must not be empty.

    It is Wilson's interval for as many yes-or-no observations as tell what these tell. With n parts x of mean p and
    v = p (1 - p), the greatest variance that such values can have, d = (Σ (x - p)² + 2 v) / ((n + 1) v), at most 1,
    says how much of it they have: the estimate takes in two observations of all or nothing, so that few parts
    which happen to agree do not count as certain. Wilson's formula is then asked for m = n / d observations:
    (p + z² / 2 m ± z √(v / m + z² / 4 m²)) / (1 + z² / m).
    """
    count, mean = len(parts), fmean(parts)
    most = mean * (1 - mean)
    spread = (sum((part - mean) ** 2 for part in parts) + 2 * most) / ((count + 1) * most) if most else 1.0
    squared = Z * Z * min(spread, 1.0) / count
    middle = (mean + squared / 2) / (1 + squared)
    half = sqrt(most * squared + squared * squared / 4) / (1 + squared)
    return Share(mean, max(min(middle - half, mean), 0.0), min(max(middle + half, mean), 1.0))
