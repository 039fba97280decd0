"""All that the site knows of a board game's rules.

A game's engine is an object that satisfies `Rules`. The site holds states without looking inside, speaks of seats
(numbers from 1), of turns and steps as text, of points and of ranking, and stores what `Rules` gives it to store.
Every function is pure: time is never asked for, and chance is a `random.Random` handed in.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from engine.errors import RulesError

type Json = bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None
type JsonObject = dict[str, Json]
type Seat = int

END: str = "."
"""The pseudo-step that stands for ending the turn; never written in a turn's text."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What the site stores beside a game so that lists need no rules.

    ``points`` has one number a seat, in seat order; ``retired`` the seats that left, earliest first;
    ``ranking`` the place of each seat (1 is best, ties share), or None while the game runs.
    """

    seat: Seat | None
    finished: bool
    round: int
    turns: int
    points: tuple[int, ...]
    retired: tuple[Seat, ...]
    ranking: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened, in the order in which it happened, enough to narrate or animate it.

    ``params`` holds JSON values only. The game's engine lists its kinds and their parameters.
    """

    kind: str
    seat: Seat | None
    params: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Applied[State]:
    """A new state and how it came about."""

    state: State
    events: tuple[Event, ...]


class Rules[State](Protocol):
    """One ruleset of one board game. A game is pinned to the ruleset it was started with."""

    ruleset: str
    """The ruleset's name, as stored with each game: ``gravity-1``."""
    format: str
    """The record's format, as written in records: ``gravity-superstar/1``."""
    seats: range
    """How many seats a game can have."""
    bots: tuple[str, ...]
    """The computer players, weakest first."""

    def check_options(self, options: Mapping[str, Json], seats: int) -> JsonObject:
        """Return the complete, normalised options of a game for that many seats.

        Raises `RulesError` (``bad-options``) for anything unknown, missing or out of range.
        """
        ...

    def set_up(self, players: Sequence[str], options: Mapping[str, Json], rng: Random) -> State:
        """Draw a new game. ``players`` are names in seat order; all chance comes from ``rng``."""
        ...

    def write_record(self, state: State, log: Sequence[Mapping[str, Json]] = ()) -> JsonObject:
        """Return the record: the set-up that ``state`` was played from, with ``log`` as its move log.

        Without a log it is the complete drawn set-up, from which `read_setup` makes the first state again.
        """
        ...

    def read_setup(self, record: Mapping[str, Json]) -> State:
        """Return the state after set-up. Raises `RecordError` for a record that breaks its format; ignores the log."""
        ...

    def dump(self, state: State) -> str:
        """Return the moving part of a state between two turns as compact text, hidden cards included."""
        ...

    def load(self, setup: Mapping[str, Json], dumped: str) -> State:
        """Return the state that `dump` wrote, given the set-up record of its game."""
        ...

    def summary(self, state: State) -> Summary:
        """Return seat to move, points, ranking and counters of a state."""
        ...

    def legal_steps(self, state: State, steps: Sequence[str] = ()) -> tuple[str, ...]:
        """Return the legal next steps after ``steps`` of the turn in progress, `END` where the turn may end.

        Empty only when the game is over. Raises `RulesError` when ``steps`` are not legal themselves.
        """
        ...

    def why_not(self, state: State, step: str, steps: Sequence[str] = ()) -> RulesError | None:
        """Return why ``step`` is refused after ``steps``, or None if it is legal."""
        ...

    def play_steps(self, state: State, steps: Sequence[str]) -> Applied[State]:
        """Play the beginning of a turn, for a preview. The state is mid-turn: only `view` and `summary` take it."""
        ...

    def apply_turn(self, state: State, turn: str) -> Applied[State]:
        """Play a whole turn of the seat to move, given as text. Raises `RulesError` and changes nothing if illegal."""
        ...

    def retire(self, state: State, seat: Seat) -> Applied[State]:
        """Let a seat leave the game for good. Raises `RulesError` if it is not in the game any more."""
        ...

    def view(self, state: State, seat: Seat | None, *, ended: bool = False) -> JsonObject:
        """Return the position as that seat, or a guest (None), may see it: JSON, hidden things replaced.

        Two states that differ only in what is hidden from the viewer give equal views. Once the game has ended
        everything is open: in its last state, and in earlier ones for whoever says that it has ``ended`` since.
        """
        ...

    def view_turn(self, turn: str, *, own: bool) -> str:
        """Return a turn's text as its own seat (``own``) or anyone else may read it while the game runs."""
        ...

    def view_events(self, events: Sequence[Event], seat: Seat | None) -> tuple[Event, ...]:
        """Return events as that seat, or a guest, may see them while the game runs."""
        ...

    def choose_turn(self, bot: str, state: State, rng: Random) -> str:
        """Return the turn that a computer player picks for the seat to move, knowing only what that seat may see."""
        ...
