"""Records, boards and random games that the tests of the engine play with."""

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from engine.contract import END, Event
from engine.gravity import Gravity, rules
from engine.gravity.board import COMPASS, SIZES
from engine.gravity.record import read_setup
from engine.gravity.setup import GOODIE_CARDS, first_state
from engine.gravity.state import COLOURS, ITEMS, OFF, REPLAY, STAR, Player, State, cards_bits
from engine.replay import read_log, replay

RECORDS = Path(__file__).parents[1] / "records"
CASES = sorted(path.name.removesuffix(".record.json") for path in (RECORDS / "cases").glob("*.record.json"))
GOLDEN = sorted(path.name.removesuffix(".record.json") for path in (RECORDS / "golden").glob("*.record.json"))
GRAVITY = Gravity()

# A face to draw on: a floor all along the south side, a wall all along the west side, its door in the last corner.
ROOM = (
    "+   +   +   +   +   +   +",
    "|",
    "+   +   +   +   +   +   +",
    "|",
    "+   +   +   +   +   +   +",
    "|",
    "+   +   +   +   +   +   +",
    "|",
    "+   +   +   +   +   +   +",
    "|",
    "+   +   +   +   +   +   +",
    "|                     v",
    "+---+---+---+---+---+---+",
)


def budget(examples: int) -> settings:
    """Return the settings of a property test: so many examples; ``EXAMPLES=many`` is five times, ``few`` a fifth."""
    return settings(
        max_examples=max(1, int(examples * {"many": 5, "few": 0.2}.get(os.environ.get("EXAMPLES", ""), 1))),
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture],
    )


# --- Recorded games ----------------------------------------------------------------------------------------------


def load(folder: str, name: str) -> dict[str, Any]:
    """Return a stored record."""
    record: dict[str, Any] = json.loads((RECORDS / folder / f"{name}.record.json").read_text("utf-8"))
    return record


def load_positions(folder: str, name: str) -> list[dict[str, Any]]:
    """Return the stored positions of a record: after set-up, then after each entry."""
    return [json.loads(line) for line in (RECORDS / folder / f"{name}.positions.jsonl").read_text("utf-8").splitlines()]


def states_of(record: Mapping[str, Any]) -> list[State]:
    """Return the states of a record: after set-up, then after each entry."""
    state = first_state(read_setup(record))
    return [state, *replay(GRAVITY, state, read_log(record, GRAVITY))]


@cache
def case_states(name: str) -> tuple[State, ...]:
    """Return the states of one of the given games."""
    return tuple(states_of(load("cases", name)))


# --- Hand-made boards --------------------------------------------------------------------------------------------


def drawn_on(face: Sequence[str], **marks: str) -> tuple[str, ...]:
    """Return a face with marks: ``x2y3="R"`` puts a symbol in a space; ``n``, ``w`` before put a platform on that side.

    A blank mark takes away what is there.
    """
    lines = [list(line.ljust(25)) for line in face]
    for where, mark in marks.items():
        side, where_ = (where[0], where[1:]) if where[0] in "nw" else ("", where)
        x, y = map(int, where_.removeprefix("x").split("y"))
        match side:
            case "n":
                lines[2 * y][4 * x + 1 : 4 * x + 4] = mark * 3
            case "w":
                lines[2 * y + 1][4 * x] = mark
            case _:
                lines[2 * y + 1][4 * x + 2] = mark
    return tuple("".join(line).rstrip() for line in lines)


def record_on(
    faces: Sequence[Sequence[str]],
    *,
    players: int = 2,
    stars: Mapping[tuple[int, int], str] | None = None,
    expert: bool = False,
    goodies: Mapping[str, str] | None = None,
    open_door: int = 0,
) -> dict[str, Any]:
    """Return the record of a new game on these faces as drawn; colours alternate, or are as ``stars`` says."""
    columns, rows = SIZES[players]
    grid = [["."] * columns * 6 for _ in range(rows * 6)]
    count = 0
    for tile in range(columns * rows):
        for y in range(6):
            for x, char in enumerate(faces[tile % len(faces)][2 * y + 1].ljust(25)[2::4]):
                if char in "*R":
                    place = tile % columns * 6 + x, tile // columns * 6 + y
                    grid[place[1]][place[0]] = (stars or {}).get(place, COLOURS[count % 6])
                    count += 1
    return {
        "format": "gravity-superstar/1",
        "players": [f"P{seat}" for seat in range(1, players + 1)],
        "options": {"expert": expert},
        "board": {
            "columns": columns,
            "rows": rows,
            "tiles": [{"face": f"f{tile % len(faces)}", "turn": 0} for tile in range(columns * rows)],
            "faces": {f"f{i}": list(face) for i, face in enumerate(faces)},
        },
        "stars": ["".join(row) for row in grid],
        "open_door": open_door,
        "goodies": dict(goodies or {}),
        "log": [],
    }


def scene(*faces: Sequence[str], **keys: Any) -> State:
    """Return the state after set-up of `record_on`."""
    return GRAVITY.read_setup(record_on(faces or (ROOM,), **keys))


def with_seat(
    state: State,
    seat: int,
    *,
    pawn: str | None = None,
    hand: str | None = None,
    up: str | None = None,
    down: str | None = None,
    loot: str | None = None,
) -> State:
    """Return the state with things of a seat changed: ``pawn`` as ``x,y,feet`` ("" for off), ``loot`` as ``b2r1``."""
    player = state.players[seat - 1]
    place = player.pawn
    if pawn is not None:
        x, y, feet = pawn.split(",") if pawn else ("", "", "")
        place = (int(y) * state.board.width + int(x)) * 4 + COMPASS.index(feet) if pawn else OFF
    counts = player.loot
    if loot is not None:
        counts = tuple(loot_counts(loot).values())
    changed = Player(
        place,
        player.hand if hand is None else cards_bits(hand),
        player.face_up if up is None else cards_bits(up),
        player.face_down if down is None else cards_bits(down),
        counts,
    )
    return replace(state, players=(*state.players[: seat - 1], changed, *state.players[seat:]))


def loot_counts(loot: str) -> dict[str, int]:
    """Return how many of each thing a loot text like ``b2r1`` says."""
    return dict.fromkeys(ITEMS, 0) | {item: int(count) for item, count in re.findall(r"([a-z])(\d+)", loot)}


def without_star(state: State, *places: tuple[int, int]) -> State:
    """Return the state with the stars on those spaces gone, the symbols bare."""
    cells = bytearray(state.cells)
    for x, y in places:
        cells[y * state.board.width + x] &= ~STAR
    return replace(state, cells=bytes(cells))


def with_stars_left(state: State, count: int) -> State:
    """Return the state with only the last ``count`` stars of the board still there."""
    cells = bytearray(state.cells)
    there = [space for space, content in enumerate(cells) if content & STAR]
    for space in there[: len(there) - count]:
        cells[space] &= REPLAY
    return replace(state, cells=bytes(cells))


def pawn_of(state: State, seat: int) -> str | None:
    """Return where a seat's pawn is, as ``x,y,feet``."""
    pawn = state.players[seat - 1].pawn
    if pawn == OFF:
        return None
    y, x = divmod(pawn >> 2, state.board.width)
    return f"{x},{y},{COMPASS[pawn & 3]}"


def emitted(events: Sequence[Event]) -> list[tuple[Any, ...]]:
    """Return events as tuples: kind, seat, then the parameters' values in their order."""
    return [(str(event.kind), event.seat, *event.params.values()) for event in events]


# --- Random games ------------------------------------------------------------------------------------------------


def all_faces() -> list[tuple[str, ...]]:
    """Return every face that the given records draw."""
    return sorted({tuple(face) for name in CASES for face in load("cases", name)["board"]["faces"].values()})


_FACES = all_faces()


def drawn_record(rng: Random, players: int, *, expert: bool = False, goodies: str = "") -> dict[str, Any]:
    """Return the record of a new game on faces of the given records: an independent draw, good enough for tests."""
    columns, rows = SIZES[players]
    faces = rng.sample(_FACES, columns * rows)
    record = record_on(faces, players=players, expert=expert, open_door=rng.randrange(columns * rows))
    order = list(COLOURS)
    rng.shuffle(order)
    record["stars"] = [row.translate(str.maketrans(COLOURS, "".join(order))) for row in record["stars"]]
    for card in goodies:
        seat = str(rng.randint(1, players))
        record["goodies"][seat] = record["goodies"].get(seat, "") + card
    return record


def random_turn(state: State, rng: Random) -> list[str]:
    """Return the steps of a random legal turn."""
    steps: list[str] = []
    while (step := rng.choice(rules.legal_steps(state, steps))) != END:
        steps.append(step)
    return steps


def random_states(state: State, rng: Random, turns: int, *, retire: float = 0.0) -> Iterator[State]:
    """Yield the states after up to ``turns`` random turns; now and then a seat retires."""
    for _ in range(turns):
        if state.finished:
            return
        if rng.random() < retire:
            seat = rng.choice([i + 1 for i in range(len(state.players)) if state.is_active(i)])
            state = rules.retire(state, seat)
        else:
            state = rules.apply_turn(state, " ".join(random_turn(state, rng)))
        yield state


@st.composite
def new_games(draw: st.DrawFn, *, square: bool = False) -> dict[str, Any]:
    """Draw the record of a game not yet begun, with any size, end and goodies."""
    seed = draw(st.integers(0, 2**32))
    seats = draw(st.sampled_from([3, 4]) if square else st.integers(2, 6))
    goodies = draw(st.sampled_from(["", GOODIE_CARDS, *GOODIE_CARDS]))
    return drawn_record(Random(seed), seats, expert=draw(st.booleans()), goodies=goodies)


@st.composite
def states(draw: st.DrawFn) -> State:
    """Draw a state between turns, from the beginning, the middle or the end of a game."""
    if draw(st.booleans()):
        return draw(st.sampled_from(case_states(draw(st.sampled_from(CASES)))))
    state = GRAVITY.read_setup(draw(new_games()))
    *_, last = [
        state,
        *random_states(state, Random(draw(st.integers(0, 2**32))), draw(st.integers(0, 60)), retire=0.02),
    ]
    return last
