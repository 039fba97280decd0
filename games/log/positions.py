"""States of a game by the number of an entry: read from the cache, or replayed from the log and cached again."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final
from weakref import finalize

from engine.contract import Applied, Event, Json, JsonObject, Rules
from engine.rulesets import RULESETS
from games.errors import GameCode, GameError
from games.models import Entry, Game, Position
from statements import Insert, Parameter, Select

POSITION: Final = Select(
    Position.objects.filter(game=Parameter("game"), seq=Parameter("seq")).values_list("state", "events")
)
POSITION_ROW: Final = Insert(Position)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state after entry ``seq`` (0: after set-up) with the events that led to it. Hidden cards included."""

    seq: int
    state: Any
    events: tuple[Event, ...]


def rules_of(game: Game) -> Rules[Any]:
    """Return the rules that a game is pinned to."""
    return RULESETS[game.ruleset]


def position_at(game: Game, seq: int) -> Snapshot:
    """Return the position after entry ``seq`` of a started game: one query, unless the cache was dropped.

    None where it was reached before with this very ``game``. Raises `GameError` (``no-such-position``) when the game
    has not got so far.
    """
    if game.setup is None or not 0 <= seq <= game.seq:
        raise GameError(GameCode.NO_SUCH_POSITION, seq=seq)
    known = known_positions(game)
    if seq not in known:
        known[seq] = _read_position(game, game.setup, seq)
    return known[seq]


def save_position(game: Game, reached: Snapshot) -> None:
    """Cache a position that ``game`` has just reached: one query."""
    POSITION_ROW(position_row(game, reached))
    known_positions(game)[reached.seq] = reached


def known_positions(game: Game) -> dict[int, Snapshot]:
    """Return the positions that were reached with this very object, which lives as long as one request.

    They are kept beside the object, not in it: templates get games, and no template may get a state.
    """
    known = _known.get(id(game))
    if known is None:
        known = _known[id(game)] = {}
        finalize(game, _known.pop, id(game)).atexit = False
    return known


_known: Final[dict[int, dict[int, Snapshot]]] = {}
"""By the identity of a game object that lives: two objects of one game are two requests' own."""


def replay(game: Game, entries: Iterable[Entry]) -> Iterator[Snapshot]:
    """Yield every position of a started game from its set-up and its log alone. Raises `RulesError` if that fails."""
    rules = rules_of(game)
    state = rules.read_setup(game.setup or {})
    yield Snapshot(0, state, ())
    for entry in entries:
        applied = apply_entry(rules, state, entry)
        state = applied.state
        yield Snapshot(entry.seq, state, applied.events)


def apply_entry(rules: Rules[Any], state: Any, entry: Entry) -> Applied[Any]:
    """Play one entry of a log, a turn or a seat's leaving. Raises `RulesError` if the rules refuse it."""
    return rules.retire(state, entry.seat) if entry.event else rules.apply_turn(state, entry.turn)


def fill_positions(game: Game) -> None:
    """Replay a game's log and cache every position that is missing."""
    known = set(game.positions.values_list("seq", flat=True))
    rows = [
        position_row(game, reached)
        for reached in replay(game, game.entries.order_by("seq"))
        if reached.seq not in known
    ]
    Position.objects.bulk_create(rows, ignore_conflicts=True)


def position_row(game: Game, reached: Snapshot) -> Position:
    """Return the unsaved row that caches a position."""
    state = rules_of(game).dump(reached.state)
    return Position(game=game, seq=reached.seq, state=state, events=write_events(reached.events))


def write_events(events: Sequence[Event]) -> list[dict[str, Json]]:
    """Return events as the JSON that is stored."""
    return [{"kind": event.kind, "seat": event.seat, "params": dict(event.params)} for event in events]


def read_events(stored: Sequence[dict[str, Any]]) -> tuple[Event, ...]:
    """Return the events that `write_events` wrote."""
    return tuple(Event(item["kind"], item["seat"], item["params"]) for item in stored)


def _read_position(game: Game, setup: JsonObject, seq: int) -> Snapshot:
    row = POSITION.first(game=game.pk, seq=seq)
    if row is None:
        fill_positions(game)
        row = POSITION.first(game=game.pk, seq=seq)
        assert row is not None
    state, events = row
    return Snapshot(seq, rules_of(game).load(setup, state), read_events(events))
