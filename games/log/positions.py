"""States of a game by the number of an entry.

The last one of a running game stands on the game's row. Any other is replayed from the set-up and the log, which takes
some 3 ms for a hundred turns, and what was replayed is kept by this process, to be played on from there.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final
from weakref import finalize

from engine.contract import Applied, Event, Json, Rules
from engine.rulesets import RULESETS
from games.errors import GameCode, GameError
from games.models import Entry, Game
from games.models.choices import Status
from statements import Parameter, Select

KEPT_GAMES: Final = 100
"""Of so many games the positions are kept that were replayed; those looked at longest ago go first."""
LATEST: Final = Select(Game.objects.filter(pk=Parameter("pk")).values_list("seq", "state", "events"))
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

    No query where it was reached before with this very ``game``, or was loaded with it (`take_latest`); else one, and
    never more than the entries that this process has not replayed yet. Raises `GameError` (``no-such-position``) when
    the game has not got so far.
    """
    if game.setup is None or not 0 <= seq <= game.seq:
        raise GameError(GameCode.NO_SUCH_POSITION, seq=seq)
    known = known_positions(game)
    found = known.get(seq)
    if found is None and seq == game.seq and game.status != Status.FINISHED:
        stored = LATEST.first(pk=game.pk)
        if stored is not None and stored[0] == seq and stored[1]:  # else the game has moved on, or has ended
            found = _Stored(*stored)
    if found is None:
        found = replayed(game, seq)[seq]
    if isinstance(found, _Stored):
        found = Snapshot(seq, rules_of(game).load(game.setup, found.state), read_events(found.events))
    known[seq] = found
    return found


def take_latest(game: Game) -> None:
    """Take the last position off a game that was loaded with it, for `position_at`: no template may get a state."""
    state, events = game.__dict__.pop("state"), game.__dict__.pop("events")
    if state:
        known_positions(game)[game.seq] = _Stored(game.seq, state, events)


def withhold_setup(game: Game) -> None:
    """Take the drawn set-up off a game that a template gets: it may hold a deck. To ask for it later is a query."""
    game.__dict__.pop("setup", None)


def latest_columns(game: Game, reached: Snapshot) -> dict[str, Json]:
    """Return the columns that keep a position that ``game``, its columns derived, has reached; none if it is over."""
    known_positions(game)[reached.seq] = reached
    if game.status == Status.FINISHED:
        return {"state": "", "events": []}
    return {"state": rules_of(game).dump(reached.state), "events": write_events(reached.events)}


def known_positions(game: Game) -> "dict[int, Snapshot | _Stored]":
    """Return the positions that were reached with this very object, which lives as long as one request.

    They are kept beside the object, not in it: templates get games, and no template may get a state.
    """
    known = _known.get(id(game))
    if known is None:
        known = _known[id(game)] = {}
        finalize(game, _known.pop, id(game)).atexit = False
    return known


def replayed(game: Game, seq: int) -> Sequence[Snapshot]:
    """Return the positions of a started game from set-up to entry ``seq`` at least: one query, unless they are kept.

    To be asked outside of a transaction that has appended to the log: what is kept is not undone with it. Raises
    `RulesError` if the log can't be replayed.
    """
    name = (game.key, game.setup_digest)
    kept = _replays.get(name, ())
    if len(kept) <= seq:
        rules = rules_of(game)
        made = list(kept) or [Snapshot(0, rules.read_setup(game.setup or {}), ())]
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
    state = rules.read_setup(game.setup or {})
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


_known: Final[dict[int, dict[int, Snapshot | _Stored]]] = {}
"""By the identity of a game object that lives: two objects of one game are two requests' own."""
_replays: Final[OrderedDict[tuple[str, str], tuple[Snapshot, ...]]] = OrderedDict()
_keeping: Final = Lock()


def _play_on(rules: Rules[Any], state: Any, entries: Iterable[Entry]) -> Iterator[Snapshot]:
    for entry in entries:
        applied = apply_entry(rules, state, entry)
        state = applied.state
        yield Snapshot(entry.seq, state, applied.events)
