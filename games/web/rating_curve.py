"""The curve of a rating: what each of the last rated games made of it, drawn by the server."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from games.models import Rating, RatingChange

WIDTH: Final = 360
HEIGHT: Final = 120
LEFT, RIGHT, TOP, BOTTOM = 40, 352, 10, 110
"""Where the line is within the picture; to the left of it stands the scale."""
STEP: Final = 50
"""The scale begins and ends at multiples of this."""
MOST_POINTS: Final = 100
"""A longer curve is drawn by so many of its points, the last one among them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """All that the template draws."""

    rating: Rating
    points: str
    end: tuple[float, float]
    scale: tuple[tuple[float, int], ...]
    """Heights with their ratings."""
    words: str
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = RIGHT


def curve_of(rating: Rating, changes: Sequence[RatingChange]) -> Curve | None:
    """Return the curve of a rating by its last changes, the earliest first; None where there are less than two."""
    if len(changes) < 2:
        return None
    values = [changes[0].before, *(change.after for change in changes)]
    low, high = min(values) // STEP * STEP, -(-max(values) // STEP) * STEP
    high = max(high, low + STEP)
    corners = [(_place(index, len(values)), _height(value, low, high)) for index, value in enumerate(values)]
    step = -(-len(corners) // MOST_POINTS)
    drawn = [*corners[:-1:step], corners[-1]]
    return Curve(
        rating=rating,
        points=" ".join(f"{x:g},{y:g}" for x, y in drawn),
        end=corners[-1],
        scale=tuple((_height(value, low, high), value) for value in sorted({low, (low + high) // 2, high})),
        words=_("From %(first)s to %(last)s in %(games)s games; lowest %(low)s, highest %(high)s.")
        % {
            "first": values[0],
            "last": values[-1],
            "games": len(changes),
            "low": min(values),
            "high": max(values),
        },
    )


def _place(index: int, count: int) -> float:
    return round(LEFT + (RIGHT - LEFT) * index / (count - 1), 1)


def _height(value: int, low: int, high: int) -> float:
    return round(BOTTOM - (BOTTOM - TOP) * (value - low) / (high - low), 1)
