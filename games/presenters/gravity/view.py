"""The shapes of what Gravity's engine gives as JSON: views, options, the parameters of events and refusals."""

from collections.abc import Mapping
from typing import NotRequired, TypedDict, cast

from engine.contract import Event, Json, JsonObject
from engine.errors import RulesError


class GravityView(TypedDict):
    """A position as one reader may see it. Lists go by seat, by tile, or by row; cards and loot are letters.

    Places are ``x,y,feet``, platforms ``x,y,side``, spaces ``x,y``, counted from 0.
    """

    turns: int
    round: int
    seat: int | None
    """Who is to move, None at the end."""
    finished: bool
    open_door: int
    """The tile whose door is open."""
    supply: int
    """Replay tokens left."""
    tiles: list[int]
    stars: list[str]
    """One letter a space, ``.`` for none."""
    pawns: list[str | None]
    """None off the board."""
    hands: list[str]
    face_up: list[str]
    face_down: list[str]
    loot: list[str]
    points: list[int]
    retired: list[int]
    """Numbers of seats, earliest first."""
    ranking: NotRequired[list[int]]
    """Places by seat, at the end alone."""
    columns: int
    rows: int
    width: int
    height: int
    faces: list[str]
    replay: list[str]
    doors: list[str]
    platforms: list[str]


class GravityOptions(TypedDict, total=False):
    """The options of a game; what is missing is as in the plain game."""

    expert: bool
    goodies: str


class EventParams(TypedDict, total=False):
    """The parameters of events; `EventKind` says which kind has which. Seats are numbers, spaces two numbers from 0."""

    x: int
    y: int
    feet: str
    side: str
    how: str
    item: str
    card: str | None
    """None where it is hidden from the reader."""
    to: int
    victim: int
    tile: int
    count: int
    round: int
    why: str


class RefusalParams(TypedDict, total=False):
    """The parameters of refusals; `GravityCode` says which has which."""

    x: int
    y: int
    side: str
    card: str
    item: str
    victim: int
    expected: int
    victims: tuple[str, ...]


def read_view(view: JsonObject) -> GravityView:
    """Return a view that the rules made, by its shape: nothing is checked or copied."""
    return cast("GravityView", view)


def read_options(options: Mapping[str, Json]) -> GravityOptions:
    """Return the options of a game by their shape: nothing is checked or copied."""
    return cast("GravityOptions", options)


def read_params(event: Event) -> EventParams:
    """Return the parameters of an event by their shape: nothing is checked or copied."""
    return cast("EventParams", event.params)


def read_refusal(error: RulesError) -> RefusalParams:
    """Return the parameters of a refusal by their shape: nothing is checked or copied."""
    return cast("RefusalParams", error.params)
