"""A person's holidays, and how many days of a year are left."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING

from accounts.zones import zone
from games.clock import holiday_balance
from games.models import Holiday
from games.timing.deadlines import clock_holidays

if TYPE_CHECKING:
    from accounts.models import User


@dataclass(frozen=True, slots=True)
class Absence:
    """One holiday as of an instant."""

    number: int
    first: date
    last: date
    taken: date | None
    """The last of its days that have begun, which nothing takes back; None while none has."""
    elsewhere: str
    """The zone in which its days are counted, where it is not the person's own any more, else empty."""

    @property
    def can_change(self) -> bool:
        """Whether any of its days can be taken back."""
        return self.taken != self.last


@dataclass(frozen=True, slots=True)
class Holidays:
    """A person's holidays, earliest first."""

    coming: tuple[Absence, ...]
    """Those that have not ended."""
    past: tuple[Absence, ...]
    balances: tuple[tuple[int, int], ...]
    """(year, days that can still be set) of this year and the next."""


def holidays_of(user: "User", now: datetime) -> Holidays:
    """Return a person's holidays as of an instant: one query."""
    rows = list(Holiday.objects.filter(user=user).order_by("first"))
    spans = clock_holidays(rows)
    ended = [span.ends <= now for span in spans]
    absences = [_absence(row, user, now) for row in rows]
    year = now.astimezone(zone(user.time_zone)).year
    return Holidays(
        coming=tuple(absence for absence, over in zip(absences, ended, strict=True) if not over),
        past=tuple(absence for absence, over in zip(absences, ended, strict=True) if over),
        balances=tuple((each, holiday_balance(spans, each)) for each in (year, year + 1)),
    )


def _absence(row: Holiday, user: "User", now: datetime) -> Absence:
    begun = row.span.days_begun(now)
    elsewhere = "" if row.zone == user.time_zone else row.zone
    return Absence(row.pk, row.first, row.last, begun[-1] if begun else None, elsewhere)
