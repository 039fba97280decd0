"""Reads, checks, replays and writes game records. The format is ``gravity-superstar/1``: see docs/record.md."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from engine.contract import Json, JsonObject
from engine.errors import RecordError, RulesError
from engine.gravity.board import SIDE, SIZES, parse_face, rotated_face
from engine.gravity.notation import split_turn
from engine.gravity.rules import apply_turn, legal_steps, retire
from engine.gravity.setup import GOODIE_CARDS
from engine.gravity.state import COLOURS, STARS_A_COLOUR, Setup, State

FORMAT: Final = "gravity-superstar/1"
MAX_FACES: Final = 12
"""The faces of six tiles; a record may draw some that it does not use."""
MAX_ENTRIES: Final = 20_000
"""More entries than any game has; a longer log is refused before it is replayed."""
_MAX_TEXT: Final = 200
"""The longest name or turn, in characters."""


def read_setup(record: Mapping[str, Json]) -> Setup:
    """Read and check everything but the log. Raises `RecordError` with one line on what is wrong."""
    if record.get("format") != FORMAT:
        raise RecordError(f"format is {_shown(record.get('format'))}, not {_shown(FORMAT)}")
    if record.get("redacted"):
        raise RecordError(
            "the record is redacted: hidden cards are missing, so it is for reading and can't be replayed"
        )
    players = _players(record)
    options = _object(record.get("options"), "options")
    expert = options.get("expert", False)
    if not isinstance(expert, bool):
        raise RecordError("options.expert must be true or false")
    columns, rows, tiles, faces = _board(record, len(players))
    return Setup(
        players=players,
        expert=expert,
        columns=columns,
        rows=rows,
        tiles=tiles,
        faces=faces,
        stars=_stars(record, columns, rows, tiles, faces),
        open_door=_number(record.get("open_door"), "open_door", range(columns * rows)),
        goodies=_goodies(record, len(players)),
    )


def write_record(setup: Setup, log: Sequence[Mapping[str, Json]] = ()) -> JsonObject:
    """Return the record of a set-up with a log; the inverse of `read_setup`."""
    return {
        "format": FORMAT,
        "players": list(setup.players),
        "options": {"expert": setup.expert},
        "board": {
            "columns": setup.columns,
            "rows": setup.rows,
            "tiles": [{"face": name, "turn": rotation} for name, rotation in setup.tiles],
            "faces": {name: list(drawing) for name, drawing in setup.faces.items()},
        },
        "stars": list(setup.stars),
        "open_door": setup.open_door,
        "goodies": {str(seat): cards for seat, cards in setup.goodies.items()},
        "log": [dict(entry) for entry in log],
    }


def trusted_setup(record: Mapping[str, Any]) -> Setup:
    """Return the set-up of a record that `read_setup` has accepted before, without checking it again."""
    board = record["board"]
    return Setup(
        players=tuple(record["players"]),
        expert=record["options"].get("expert", False),
        columns=board["columns"],
        rows=board["rows"],
        tiles=tuple((tile["face"], tile["turn"]) for tile in board["tiles"]),
        faces={name: tuple(drawing) for name, drawing in board["faces"].items()},
        stars=tuple(record["stars"]),
        open_door=record["open_door"],
        goodies={int(seat): cards for seat, cards in record.get("goodies", {}).items()},
    )


def read_log(record: Mapping[str, Json]) -> list[Mapping[str, Json]]:
    """Return the entries of the log, each with its form checked. Raises `RecordError`."""
    log = record.get("log")
    if not isinstance(log, list):
        raise RecordError("log must be a list")
    if len(log) > MAX_ENTRIES:
        raise RecordError(f"log has {len(log)} entries, more than {MAX_ENTRIES}")
    for number, entry in enumerate(log, 1):
        if not isinstance(entry, dict):
            raise RecordError(f"entry {number} must be an object")
        _number(entry.get("seat"), f"entry {number}: seat", range(1, 7))
        if ("turn" in entry) == ("event" in entry):
            raise RecordError(f"entry {number} must have either turn or event")
        if "event" in entry and entry["event"] != "retire":
            raise RecordError(f"entry {number}: event {_shown(entry['event'])} is unknown; legal: retire")
        if "turn" in entry:
            _text(entry["turn"], f"entry {number}: turn")
    return log


def replay(state: State, log: Sequence[Mapping[str, Json]]) -> Iterator[State]:
    """Yield the state after each entry. Raises `RecordError`: which entry and step, why, and what was legal."""
    for number, entry in enumerate(log, 1):
        seat, turn = int(str(entry["seat"])), str(entry.get("turn"))
        try:
            if "event" in entry:
                state = retire(state, seat)
            elif state.finished or seat == state.seat + 1:
                state = apply_turn(state, turn)
            else:
                raise RecordError(f"entry {number}: seat {seat} is not to move; legal: seat {state.seat + 1}")
        except RulesError as error:
            if "event" in entry:
                active = [str(i + 1) for i in range(len(state.players)) if state.is_active(i) and not state.finished]
                legal = " ".join(["seats", *active] if active else ["nothing"])
                raise RecordError(f"entry {number}: {error}; legal: {legal}") from None
            raise RecordError(f"entry {number}, {refused_step(state, split_turn(turn), error)}") from None
        yield state


def refused_step(state: State, steps: Sequence[str], error: RulesError) -> str:
    """Describe the refusal of one of ``steps``, or of the turn's end: which step, why, and what was legal."""
    index = error.step if error.step is not None else 0 if state.finished else len(steps)
    step = _shown(steps[index]) if index < len(steps) else "(end of the turn)"
    legal = " ".join(legal_steps(state, steps[:index])) or "nothing"
    return f"step {index + 1} {step}: {error}; legal: {legal}"


def _players(record: Mapping[str, Json]) -> tuple[str, ...]:
    players = record.get("players")
    if not isinstance(players, list) or len(players) not in SIZES:
        raise RecordError("players must be a list of 2 to 6 names")
    return tuple(_text(name, "a player's name") for name in players)


def _board(
    record: Mapping[str, Json], seats: int
) -> tuple[int, int, tuple[tuple[str, int], ...], dict[str, tuple[str, ...]]]:
    board = _object(record.get("board"), "board")
    columns, rows = SIZES[seats]
    _number(board.get("columns"), f"board.columns for {seats} players", range(columns, columns + 1))
    _number(board.get("rows"), f"board.rows for {seats} players", range(rows, rows + 1))
    tiles = board.get("tiles")
    if not isinstance(tiles, list) or len(tiles) != columns * rows:
        raise RecordError(f"board.tiles must be a list of {columns * rows} tiles")
    faces: dict[str, tuple[str, ...]] = {}
    for name, drawing in _object(board.get("faces"), "board.faces").items():
        if len(faces) == MAX_FACES:
            raise RecordError(f"board.faces has more faces than the {MAX_FACES} of a set of tiles")
        faces[_text(name, "a face's name")] = _face(name, drawing)
    placed = []
    for i, tile in enumerate(tiles):
        fields = _object(tile, f"board.tiles[{i}]")
        name = _text(fields.get("face"), f"board.tiles[{i}].face")
        if name not in faces:
            raise RecordError(f"face {_shown(name)} is not drawn in board.faces")
        placed.append((name, _number(fields.get("turn"), f"board.tiles[{i}].turn", range(0, 360, 90))))
    return columns, rows, tuple(placed), faces


def _face(name: str, drawing: Json) -> tuple[str, ...]:
    if not isinstance(drawing, list):
        raise RecordError(f"face {_shown(name)} must be a list of {2 * SIDE + 1} lines")
    lines = tuple(_text(line, f"a line of face {_shown(name)}") for line in drawing)
    try:
        parse_face(lines)
    except RecordError as error:
        raise RecordError(f"face {_shown(name)}: {error}") from None
    return lines


def _stars(
    record: Mapping[str, Json],
    columns: int,
    rows: int,
    tiles: Sequence[tuple[str, int]],
    faces: Mapping[str, tuple[str, ...]],
) -> tuple[str, ...]:
    stars = record.get("stars")
    if not isinstance(stars, list) or len(stars) != rows * SIDE:
        raise RecordError(f"stars must be a list of {rows * SIDE} rows")
    grid = tuple(_text(row, "a row of stars") for row in stars)
    symbols = {
        (tile % columns * SIDE + x, tile // columns * SIDE + y)
        for tile, (name, rotation) in enumerate(tiles)
        for x, y, _ in rotated_face(faces[name], rotation).symbols
    }
    for y, row in enumerate(grid):
        if len(row) != columns * SIDE:
            raise RecordError(f"row {y} of stars has {len(row)} characters, not {columns * SIDE}")
        for x, star in enumerate(row):
            if star not in "." + COLOURS:
                raise RecordError(f"star {_shown(star)} at {x},{y} is of no known colour")
            if (star != ".") != ((x, y) in symbols):
                raise RecordError(f"{'no star on the symbol' if star == '.' else 'a star without a symbol'} at {x},{y}")
    for colour in COLOURS:
        if (count := sum(row.count(colour) for row in grid)) > STARS_A_COLOUR:
            raise RecordError(f"{count} stars of colour {colour}, more than {STARS_A_COLOUR} in the bag")
    return grid


def _goodies(record: Mapping[str, Json], seats: int) -> dict[int, str]:
    dealt: dict[int, str] = {}
    for seat, cards in _object(record.get("goodies", {}), "goodies").items():
        if seat not in {str(number) for number in range(1, seats + 1)}:
            raise RecordError(f"goodies are dealt to {_shown(seat)}, which is no seat")
        dealt[int(seat)] = _text(cards, f"goodies of seat {seat}")
    letters = "".join(dealt.values())
    if len(set(letters)) < len(letters) or not set(letters) <= set(GOODIE_CARDS):
        raise RecordError(f"goodies must be among {GOODIE_CARDS}, each at most once")
    return dealt


def _object(value: Json, name: str) -> Mapping[str, Json]:
    if not isinstance(value, dict):
        raise RecordError(f"{name} must be an object")
    return value


def _number(value: Json, name: str, allowed: range) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value not in allowed:
        wanted = " or ".join(map(str, allowed)) if len(allowed) < 7 else f"{allowed[0]} to {allowed[-1]}"
        raise RecordError(f"{name} must be {wanted}")
    return value


def _text(value: Json, name: str) -> str:
    if not isinstance(value, str) or len(value) > _MAX_TEXT:
        raise RecordError(f"{name} must be text of at most {_MAX_TEXT} characters")
    return value


def _shown(value: object) -> str:
    """Return any value as one short line."""
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
