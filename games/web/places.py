"""Where a page of a list begins, as an address says it."""

from datetime import UTC, datetime, timedelta
from typing import Final

from games.queries import Moment
from games.web.answers import parse_number

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
LAST_MICROSECOND: Final = 10**17
"""What an address may ask for: far beyond what there is, within what the database can compare."""


def read_moment(text: str) -> Moment | None:
    """Return what `write_moment` wrote; None, which is the first page, for what says nothing."""
    match [parse_number(part) for part in text.split("-")]:
        case [int(micros), int(pk)] if micros < LAST_MICROSECOND:
            return Moment(instant_of(micros), pk)
        case _:
            return None


def write_moment(moment: Moment) -> str:
    """Return where a page of games begins, as text for an address."""
    return f"{micros_of(moment.at)}-{moment.pk}"


def micros_of(instant: datetime) -> int:
    """Return an instant as a whole number."""
    return round(instant.timestamp() * 1_000_000)


def instant_of(micros: int) -> datetime:
    """Return the instant that `micros_of` wrote."""
    return EPOCH + timedelta(microseconds=micros)
