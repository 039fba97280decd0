"""Where a page of a long list begins, as text for an address: behind the last row of the page before."""

from typing import Final

from games import queries
from games.queries.lists import LAST_MICROSECOND, instant_of, micros_of
from games.web.answers import parse_number

MOST_HELPINGS: Final = 1_000
"""What an address may ask for: far beyond what there is."""


def write_place(place: queries.Place) -> str:
    """Return where a page of the lobby begins, as text for an address."""
    micros = 0 if place.created_at is None else micros_of(place.created_at)
    return f"{place.helping}-{place.free}-{micros}-{place.pk}"


def read_place(text: str) -> queries.Place | None:
    """Return what `write_place` wrote; None, which is the first page, for anything else."""
    numbers = [parse_number(part) for part in text.split("-")]
    match numbers:
        case [int(helping), 0, 0, 0] if helping < MOST_HELPINGS:
            return queries.Place(helping)
        case [int(helping), int(free), int(micros), int(pk)] if helping < MOST_HELPINGS and micros < LAST_MICROSECOND:
            return queries.Place(helping, free, instant_of(micros), pk)
        case _:
            return None
