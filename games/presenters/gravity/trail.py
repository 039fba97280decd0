"""The way of a pawn through one turn."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import assert_never

from engine.contract import Event
from engine.gravity.events import EventKind
from games.presenters.gravity.space import Space, parse_pawn
from games.presenters.gravity.view import read_params


@dataclass(frozen=True, slots=True)
class Trail:
    """The way of one pawn through one turn, read from its events.

    ``strokes`` are unbroken runs of spaces; a teleport or a turned tile starts a new one.
    """

    seat: int
    start: str | None = None
    strokes: tuple[tuple[Space, ...], ...] = ()
    collected: tuple[tuple[str, Space], ...] = ()
    ejected: tuple[tuple[int, Space], ...] = ()
    turned_tile: int | None = None
    landing: str = ""
    """Where the pawn stands in the end, where that is known."""


def trail_of(events: Iterable[Event], seat: int, start: str | None, landing: str = "") -> Trail:
    """Return the trail that a turn's events draw for ``seat``, whose pawn stood at ``start`` (or nowhere) before."""
    strokes: list[list[Space]] = [[parse_pawn(start)[:2]] if start else []]
    collected: list[tuple[str, Space]] = []
    ejected: list[tuple[int, Space]] = []
    turned: int | None = None
    for event in events:
        kind, params = EventKind(event.kind), read_params(event)
        match kind:
            case EventKind.PLACED | EventKind.TELEPORTED:
                strokes.append([(params["x"], params["y"])])
            case EventKind.MOVED | EventKind.FELL:
                strokes[-1].append((params["x"], params["y"]))
            case EventKind.TILE_TURNED:
                turned = params["tile"]
                strokes.append([])
            case EventKind.COLLECTED:
                collected.append((params["item"], (params["x"], params["y"])))
            case EventKind.EJECTED:
                ejected.append((params["victim"], (params["x"], params["y"])))
            case EventKind.LAID | EventKind.PASSED | EventKind.CARDS_RETURNED | EventKind.TOKEN_SPENT:
                pass  # what happens to cards and tokens leaves no trail
            case EventKind.ROTATED | EventKind.WRAPPED | EventKind.STOLE | EventKind.DOOR_MOVED:
                pass  # nor what is drawn by itself, or follows from the spaces
            case EventKind.RETIRED | EventKind.ROUND_ENDED | EventKind.GAME_ENDED:
                pass  # nor what happens to the game
            case _:
                assert_never(kind)
    return Trail(
        seat=seat,
        start=start,
        strokes=tuple(tuple(stroke) for stroke in strokes if stroke),
        collected=tuple(collected),
        ejected=tuple(ejected),
        turned_tile=turned,
        landing=landing,
    )
