"""Where a page of a long list begins, as text for an address: behind the last row of the page before."""

from datetime import UTC, datetime, timedelta
from typing import Final

from games import queries
from games.web.answers import parse_number

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
MOST_HELPINGS: Final = 1_000
LAST_MICROSECOND: Final = 10**17
"""What an address may ask for: far beyond what there is, within what the database can compare."""


def read_moment(text: str) -> queries.Moment | None:
    """Return where a page of games begins; None, which is the first page, for what says nothing."""
    match [parse_number(part) for part in text.split("-")]:
        case [int(micros), int(pk)] if micros < LAST_MICROSECOND:
            return queries.Moment(EPOCH + timedelta(microseconds=micros), pk)
        case _:
            return None


def write_moment(moment: queries.Moment) -> str:
    """Return where a page begins as text for an address, as `read_moment` takes it."""
    return f"{_micros(moment.at)}-{moment.pk}"


def write_place(place: queries.Place) -> str:
    """Return where a page of the lobby begins, as text for an address."""
    micros = 0 if place.created_at is None else _micros(place.created_at)
    return f"{place.helping}-{place.free}-{micros}-{place.pk}"


def read_place(text: str) -> queries.Place | None:
    """Return what `write_place` wrote; None, which is the first page, for anything else."""
    numbers = [parse_number(part) for part in text.split("-")]
    match numbers:
        case [int(helping), 0, 0, 0] if helping < MOST_HELPINGS:
            return queries.Place(helping)
        case [int(helping), int(free), int(micros), int(pk)] if helping < MOST_HELPINGS and micros < LAST_MICROSECOND:
            return queries.Place(helping, free, EPOCH + timedelta(microseconds=micros), pk)
        case _:
            return None


def _micros(moment: datetime) -> int:
    return round(moment.timestamp() * 1_000_000)
