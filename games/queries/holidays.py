"""A person's holidays, and how many days of a year are left."""

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from games.clock import holiday_balance
from games.models import Holiday
from games.timing.deadlines import clock_holidays

if TYPE_CHECKING:
    from accounts.models import User


@dataclass(frozen=True, slots=True)
class Holidays:
    """A person's holidays, earliest first."""

    coming: tuple[Holiday, ...]
    """Those that have not ended."""
    past: tuple[Holiday, ...]
    balances: tuple[tuple[int, int], ...]
    """(year, days that can still be set) of this year and the next."""


def holidays_of(user: "User", today: date) -> Holidays:
    """Return a person's holidays as of ``today``, a date in their zone: one query."""
    rows = list(Holiday.objects.filter(user=user).order_by("first"))
    spans = clock_holidays(rows)
    return Holidays(
        coming=tuple(row for row in rows if row.last >= today),
        past=tuple(row for row in rows if row.last < today),
        balances=tuple((year, holiday_balance(spans, year)) for year in (today.year, today.year + 1)),
    )
