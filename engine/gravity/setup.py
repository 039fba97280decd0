"""Draws new games, and makes the first state of a set-up."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from random import Random
from typing import Final

from engine.contract import Json, JsonObject
from engine.errors import RulesCode, RulesError
from engine.gravity.board import ROTATIONS, SIDE, SIZES, rotated_face
from engine.gravity.state import (
    BASE,
    CARDS,
    COLOURS,
    NOTHING,
    OFF,
    REPLAY,
    STARS_A_COLOUR,
    TOKENS,
    Player,
    Setup,
    State,
    cards_bits,
)

GOODIE_CARDS: Final = CARDS[5:]
TILE_NUMBERS: Final = range(1, 7)


def check_options(options: Mapping[str, Json], seats: int) -> JsonObject:
    """Return normalised options: ``expert`` (bool) and ``goodies`` (some of `GOODIE_CARDS`, in that order, as text).

    Raises `RulesError` (``bad-options``) that names the option.
    """
    if seats not in SIZES:
        raise RulesError(RulesCode.BAD_OPTIONS, option="seats")
    if unknown := options.keys() - {"expert", "goodies"}:
        raise RulesError(RulesCode.BAD_OPTIONS, option=min(unknown))
    expert, goodies = options.get("expert", False), options.get("goodies", "")
    if not isinstance(expert, bool):
        raise RulesError(RulesCode.BAD_OPTIONS, option="expert")
    if not isinstance(goodies, str) or len(set(goodies)) < len(goodies) or not set(goodies) <= set(GOODIE_CARDS):
        raise RulesError(RulesCode.BAD_OPTIONS, option="goodies")
    return {"expert": expert, "goodies": "".join(card for card in GOODIE_CARDS if card in goodies)}


def draw_setup(players: Sequence[str], options: Mapping[str, Json], rng: Random) -> Setup:
    """Draw tiles, their sides and rotations, stars, open door (ruling R1) and goodies.

    Raises `RulesError` for bad options.
    """
    chosen = check_options(options, len(players))
    columns, rows = SIZES[len(players)]
    count = columns * rows
    names = [f"{number}{rng.choice('ab')}" for number in rng.sample(TILE_NUMBERS, count)]
    tiles = tuple((name, rng.choice(ROTATIONS)) for name in names)
    faces = {name: drawing for name, drawing in our_faces().items() if name in names}
    return Setup(
        players=tuple(players),
        expert=bool(chosen["expert"]),
        columns=columns,
        rows=rows,
        tiles=tiles,
        faces=faces,
        stars=_draw_stars(
            columns, rows, [rotated_face(faces[name], rotation).symbols for name, rotation in tiles], rng
        ),
        open_door=rng.randrange(count),
        goodies=_deal(str(chosen["goodies"]), len(players), rng),
    )


def _draw_stars(
    columns: int, rows: int, symbols: Sequence[Sequence[tuple[int, int, bool]]], rng: Random
) -> tuple[str, ...]:
    """Draw a star from the bag onto every symbol; return one string a row of the board."""
    bag = list(COLOURS * STARS_A_COLOUR)
    rng.shuffle(bag)
    grid = [["."] * columns * SIDE for _ in range(rows * SIDE)]
    for tile, places in enumerate(symbols):
        for x, y, _ in places:
            grid[tile // columns * SIDE + y][tile % columns * SIDE + x] = bag.pop()
    return tuple("".join(row) for row in grid)


def _deal(goodies: str, seats: int, rng: Random) -> dict[int, str]:
    """Deal the goodies one each to the last seat, the seat before it, and so on (ruling R2). Return cards by seat."""
    dealt: dict[int, str] = {}
    for i, card in enumerate(rng.sample(goodies, len(goodies))):
        seat = seats - i % seats
        dealt[seat] = dealt.get(seat, "") + card
    return dealt


def first_state(setup: Setup) -> State:
    """Return the state before the first turn. ``setup`` must be valid (`record.read_setup`)."""
    letters = "." + COLOURS
    width = setup.columns * SIDE
    cells = bytearray(letters.index(star) for row in setup.stars for star in row)
    for tile, (name, rotation) in enumerate(setup.tiles):
        for x, y, replay in rotated_face(setup.faces[name], rotation).symbols:
            if replay:
                space = (tile // setup.columns * SIDE + y) * width + tile % setup.columns * SIDE + x
                cells[space] |= REPLAY
    return State(
        setup=setup,
        board=setup.board(tuple(rotation for _, rotation in setup.tiles)),
        cells=bytes(cells),
        players=tuple(
            Player(OFF, BASE | cards_bits(setup.goodies.get(seat, "")), 0, 0, NOTHING)
            for seat in range(1, len(setup.players) + 1)
        ),
        supply=TOKENS,
        door=setup.open_door,
        seat=0,
        round=1,
        turns=0,
        retired=(),
        reached=False,
        finished=False,
    )


@cache
def our_faces() -> dict[str, tuple[str, ...]]:
    """Return the drawings of the twelve faces, by name ``1a`` to ``6b``."""
    folder = files("engine.gravity") / "faces"
    return {
        f"{number}{side}": tuple((folder / f"{number}{side}.txt").read_text("ascii").splitlines())
        for number in TILE_NUMBERS
        for side in "ab"
    }
