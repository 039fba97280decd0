"""The set-up of a game, and its states by the number of an entry: what holds hidden cards, as the server has it.

Both are kept beside a game's object, never in it: templates get games, and no template may get these.

The last state of a running game stands on the game's row. Any other is replayed from the set-up and the log, which
takes some 3 ms for a hundred turns, and each process caches what it replayed and continues from there.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Final
from weakref import finalize

from engine.contract import Applied, Event, Json, JsonObject, Rules
from engine.rulesets import RULESETS
from games.errors import GameCode, GameError
from games.log.table import ENDED
from games.models import HIDDEN, Entry, Game
from statements import Parameter, Select

KEPT_GAMES: Final = 100
"""Of so many games the positions are kept that were replayed; those looked at longest ago go first."""
LATEST: Final = Select(Game.objects.filter(pk=Parameter("pk")).values_list("seq", "state", "events", "setup"))
NO_POSITION: Final[dict[str, Json]] = {"state": "", "events": []}
"""The columns of a game that keeps no position."""
SETUP: Final = Select(Game.objects.filter(pk=Parameter("pk")).values_list("setup"))
ENTRIES: Final = Select(Entry.objects.filter(game=Parameter("game"), seq__gt=Parameter("after")).order_by("seq"))


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
    """Return the position after entry ``seq`` of a started game.

    No query where it was reached before with this very ``game``, or was loaded with it (`take_hidden`); else one, and
    never more than the entries that this process has not replayed yet; one more for the set-up where a game that was
    loaded without it is replayed. Raises `GameError` (``no-such-position``) when the game has not got so far.
    """
    if not game.was_set_up or not 0 <= seq <= game.seq:
        raise GameError(GameCode.NO_SUCH_POSITION, seq=seq)
    beside = _hidden_of(game)
    found = beside.positions.get(seq)
    if found is None and seq == game.seq and game.status not in ENDED:
        stored = LATEST.first(pk=game.pk)
        if stored is not None:
            beside.setup = stored[3]
            if stored[0] == seq and stored[1]:  # else the game has moved on, or has ended
                found = _Stored(*stored[:3])
    if found is None:
        found = replayed(game, seq)[seq]
    if isinstance(found, _Stored):
        found = Snapshot(seq, rules_of(game).load(setup_of(game), found.state), read_events(found.events))
    beside.positions[seq] = found
    return found


def setup_of(game: Game) -> JsonObject:
    """Return the drawn set-up of a stored game, empty if there is none: one query, unless it is beside the game."""
    beside = _hidden_of(game)
    if beside.setup is None:
        (beside.setup,) = SETUP.first(pk=game.pk) or (None,)
    return beside.setup or {}


def take_hidden(game: Game) -> Game:
    """Return a game that was loaded whole, with its set-up and last position taken off and put beside it."""
    setup, state, events = (game.__dict__.pop(column) for column in HIDDEN)
    keep_setup(game, setup)
    if state:
        known_positions(game)[game.seq] = _Stored(game.seq, state, events)
    return game


def keep_setup(game: Game, setup: JsonObject | None) -> None:
    """Put a set-up, which is stored or will be in this transaction, beside a game, for `setup_of`."""
    game.__dict__.pop("setup", None)
    _hidden_of(game).setup = setup


def latest_columns(game: Game, reached: Snapshot) -> dict[str, Json]:
    """Return the columns that keep a position that ``game``, its columns derived, has reached; none if it is over."""
    known_positions(game)[reached.seq] = reached
    if game.status in ENDED:
        return NO_POSITION
    return {"state": rules_of(game).dump(reached.state), "events": write_events(reached.events)}


def known_positions(game: Game) -> "dict[int, Snapshot | _Stored]":
    """Return the positions that were reached with this very object, which lives as long as one request."""
    return _hidden_of(game).positions


def replayed(game: Game, seq: int) -> Sequence[Snapshot]:
    """Return the positions of a started game from set-up to entry ``seq`` at least: one query, unless they are kept.

    Not for a transaction that has appended to the log: a rollback does not undo the cache. Raises `RulesError` if the
    log can't be replayed.
    """
    name = (game.key, game.setup_digest)
    kept = _replays.get(name, ())
    if len(kept) <= seq:
        rules = rules_of(game)
        made = list(kept) or [Snapshot(0, rules.read_setup(setup_of(game)), ())]
        made.extend(_play_on(rules, made[-1].state, ENTRIES(game=game.pk, after=made[-1].seq)))
        kept = tuple(made)
    with _keeping:
        _replays[name] = kept
        _replays.move_to_end(name)
        while len(_replays) > KEPT_GAMES:
            _replays.popitem(last=False)
    return kept


def replay(game: Game, entries: Iterable[Entry]) -> Iterator[Snapshot]:
    """Yield every position of a started game from its set-up and its log alone. Raises `RulesError` if that fails."""
    rules = rules_of(game)
    state = rules.read_setup(setup_of(game))
    yield Snapshot(0, state, ())
    yield from _play_on(rules, state, entries)


def apply_entry(rules: Rules[Any], state: Any, entry: Entry) -> Applied[Any]:
    """Play one entry of a log, a turn or a seat's leaving. Raises `RulesError` if the rules refuse it."""
    return rules.retire(state, entry.seat) if entry.event else rules.apply_turn(state, entry.turn)


def write_events(events: Sequence[Event]) -> list[Json]:
    """Return events as the JSON that is stored."""
    return [{"kind": event.kind, "seat": event.seat, "params": dict(event.params)} for event in events]


def read_events(stored: Sequence[dict[str, Any]]) -> tuple[Event, ...]:
    """Return the events that `write_events` wrote."""
    return tuple(Event(item["kind"], item["seat"], item["params"]) for item in stored)


@dataclass(frozen=True, slots=True)
class _Stored:
    """A position as the game's row keeps it."""

    seq: int
    state: str
    events: Sequence[dict[str, Any]]


@dataclass(slots=True)
class _Hidden:
    """What is kept beside the object of a game."""

    setup: JsonObject | None = None
    positions: dict[int, Snapshot | _Stored] = field(default_factory=dict)


_known: Final[dict[int, _Hidden]] = {}
"""By the identity of a game object that lives: two objects of one game are two requests' own."""
_replays: Final[OrderedDict[tuple[str, str], tuple[Snapshot, ...]]] = OrderedDict()
_keeping: Final = Lock()


def _hidden_of(game: Game) -> _Hidden:
    beside = _known.get(id(game))
    if beside is None:
        beside = _known[id(game)] = _Hidden()
        finalize(game, _known.pop, id(game)).atexit = False
    return beside


def _play_on(rules: Rules[Any], state: Any, entries: Iterable[Entry]) -> Iterator[Snapshot]:
    for entry in entries:
        applied = apply_entry(rules, state, entry)
        state = applied.state
        yield Snapshot(entry.seq, state, applied.events)
