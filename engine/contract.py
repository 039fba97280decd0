"""All that the site knows of a board game's rules.

A game's engine is an object that satisfies `Rules`. The site holds states without looking inside, speaks of seats
(numbers from 1), of turns and steps as text, of points and of ranking, and stores what `Rules` gives it to store.
Every function is pure: time is never asked for, and chance is a `random.Random` handed in.

**Text.** A step is text without white space; a turn is its steps, joined by single spaces.

**Chance.** All chance of a game is drawn by `Rules.set_up` and kept in the state and its record as hidden things: a
shuffled deck, the dice to come, a seed for later shuffles. So a log replays without any. What is uncovered or drawn
from these in the course of a turn comes about in `Rules.apply_turn` alone, once the turn can't be taken back.

**Values.** A state, a summary or an event stays as it was made: nobody changes one. They are not frozen, as that would
cost half the time that a turn takes; the tests refuse every change instead.

**Secrets.** A thing may be hidden from guests, from some seats or from all, its owner included (a deck, a pile laid
face down unseen). *Twins* are two states, or two set-ups, that differ only in what is hidden from one viewer. While the
game runs, no answer meant for that viewer differs between twins: each function below says what that means for it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from typing import Protocol

from engine.errors import RulesError

type Json = bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None
type JsonObject = dict[str, Json]
type Seat = int

END: str = "."
"""The pseudo-step that stands for ending the turn; never written in a turn's text."""


def split_turn(turn: str) -> tuple[str, ...]:
    """Return the texts of a turn's steps: separated by single spaces, so two spaces make an (unknown) empty step."""
    return tuple(turn.split(" ")) if turn else ()


@dataclass(slots=True, unsafe_hash=True)
class Summary:
    """What the site stores beside a game so that lists need no rules. Everyone may see it: it holds nothing hidden.

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


@dataclass(slots=True)
class Event:
    """One thing that happened, in the order in which it happened, enough to narrate or animate it.

    ``params`` holds JSON values only. The game's engine lists its kinds and their parameters.
    """

    kind: str
    seat: Seat | None
    params: Mapping[str, Json]


@dataclass(slots=True, unsafe_hash=True)
class Applied[State]:
    """A new state and how it came about."""

    state: State
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class PlayedEntry:
    """An entry of a finished game's log: what came of it, everything open."""

    before: Summary
    after: Summary
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """What a finished game was like, in numbers that can be added up over games.

    ``counts`` has one mapping a seat, in seat order, by codes of the game's own; what it does not name is 0. ``marks``
    are those of `Rules.marks` that fit.
    """

    counts: tuple[Mapping[str, int], ...]
    marks: frozenset[str]


@dataclass(frozen=True, slots=True)
class Assessed:
    """A turn, and what a computer player expects of it.

    ``chances`` has each seat's chance to win after it, in seat order, together 1 (a shared win counts as part of one).
    ``line`` are the turns that follow by best play, of the seats that move next, at most until its own seat is to move
    again; ``points`` are each seat's after these.
    """

    turn: str
    chances: tuple[float, ...]
    points: tuple[int, ...]
    line: tuple[str, ...]


class Verdict(StrEnum):
    """How good a turn was beside the best one that a search finds."""

    GREAT = "great"
    """The best one, and by far: each of the others that were found is clearly worse."""
    BEST = "best"
    """The best one, or as good as far as a search sees."""
    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewed:
    """What a turn of an ended game was worth.

    ``lost`` is by how much its seat's chance to win fell short of that after the ``best`` turn, 0 to 1, as far as that
    can't be the search's chance, and ``points`` by how many points it is less ahead of its best rival at the end of the
    lines; neither is below 0, and both are 0 where nothing better was found: ``best`` is then what was ``played``.
    ``reason`` is one of `Rules.reasons`.
    """

    verdict: Verdict
    lost: float
    points: int
    played: Assessed
    best: Assessed
    reason: str
    params: Mapping[str, Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class Puzzle:
    """What is claimed of a position in which one turn of the seat to move is clearly best.

    ``solutions`` are the turns that count as the best one, the best first, which ``best`` assesses; ``other`` is the
    best one that was found of those that are another idea, and clearly worse. ``themes`` are some of `Rules.themes`, of
    the best turn; ``reason`` is one of `Rules.reasons`: why it is better than the other. ``rating`` is how hard it
    seems, on the scale of an Elo rating; an ``easy`` one is solved at first sight. ``playouts`` is how far the search
    looked.
    """

    solutions: tuple[str, ...]
    best: Assessed
    other: Assessed
    themes: tuple[str, ...]
    reason: str
    params: Mapping[str, Json]
    rating: int
    easy: bool
    playouts: int


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether a turn solves a puzzle, and by how much its seat's chance to win falls short of the best turn's.

    ``lost`` is 0 to 1, and 0 for what looks as a solution does. ``reason`` is one of `Rules.reasons`: why it is worse
    than the best turn; empty where it solves.
    """

    solved: bool
    lost: float
    reason: str = ""
    params: Mapping[str, Json] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Condition:
    """Something in the position that a planned turn relies on.

    ``text`` is of the game's own, without white space and at most 500 characters; `Rules.holds` reads it. What is
    necessary goes without saying for that turn; of the others whoever plans it may do without. What is unlikely will
    hardly be so when it is the seat's turn, as far as its owner can know.
    """

    text: str
    is_necessary: bool = False
    is_unlikely: bool = False


class Rules[State](Protocol):
    """One ruleset of one board game. A game is pinned to the ruleset it was started with."""

    ruleset: str
    """The ruleset's name, as stored with each game: ``gravity-1``."""
    game: str
    """The family's name, which the versions of one game share: ``gravity``. New games get its newest ruleset."""
    format: str
    """The record's format, as written in records: ``gravity-superstar/1``. Each ruleset has its own."""
    seats: range
    """How many seats a game can have."""
    bots: tuple[str, ...]
    """The computer players that new games can have, weakest first; at least one."""
    former_bots: tuple[str, ...]
    """Those that new games can't have any more. In the games that have them, and what follows these, they play on."""
    first_bot: str
    """Which of `bots` awaits who has never played: a friendly one."""
    autopilot: str
    """The computer player that plays for a person whose time has run out, or for another one that fails.

    It is the same in all games, modest, and takes a few thousandths of a second. It need not be one of `bots`.
    """
    adviser: str
    """The computer player that is asked when a person wants to be shown a good turn. It need not be one of `bots`."""
    marks: tuple[str, ...]
    """What a finished game can be found by: codes of the game's own, at most 24 characters each."""
    reasons: tuple[str, ...]
    """Why a turn was good or not: codes of the game's own, at most 24 characters each."""
    drawing: frozenset[str]
    """The keys of a `view` that only draw the board: they follow from the record, and are no part of its positions."""
    themes: tuple[str, ...]
    """What a puzzle can be about: codes of the game's own, at most 24 characters each."""

    @property
    def judge(self) -> str:
        """The version of what `review` judges by, at most 40 characters: another one may judge otherwise."""
        ...

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

        Without a log it is the complete drawn set-up, from which `read_setup` makes the first state again. Of its keys,
        ``format``, ``players`` (names in seat order, which decide nothing) and ``log`` are every game's, ``redacted``
        and ``chain`` the site's, the rest the game's own.
        """
        ...

    def read_setup(self, record: Mapping[str, Json]) -> State:
        """Return the state after set-up; ignores the log.

        Raises `RecordError` for a record that breaks its format or is ``redacted``, as `view_setup` makes it.
        """
        ...

    def view_setup(self, setup: Mapping[str, Json], seat: Seat | None) -> JsonObject:
        """Return the set-up of a running game's record as that seat, or a guest (None), may see it.

        It has the same keys, with hidden things replaced; what came to light later stays hidden. Twins give equal
        answers. Once the game has ended nobody asks: the record is shown as it is.
        """
        ...

    def dump(self, state: State) -> str:
        """Return the moving part of a state between two turns as compact text, hidden cards included."""
        ...

    def load(self, setup: Mapping[str, Json], dumped: str) -> State:
        """Return the state that `dump` wrote, given the set-up record of its game."""
        ...

    def summary(self, state: State) -> Summary:
        """Return seat to move, points, ranking and counters of a state. Twins of any viewer give equal answers.

        Points that hidden things will bring are not counted before the game has ended.
        """
        ...

    def legal_steps(self, state: State, steps: Sequence[str] = ()) -> tuple[str, ...]:
        """Return the legal next steps after ``steps`` of the turn in progress, `END` where the turn may end.

        Empty only when the game is over. Raises `RulesError` when ``steps`` are not legal themselves. Twins of the seat
        to move give equal answers, here and in `why_not`.
        """
        ...

    def why_not(self, state: State, step: str, steps: Sequence[str] = ()) -> RulesError | None:
        """Return why ``step`` is refused after ``steps``, or None if it is legal."""
        ...

    def play_steps(self, state: State, steps: Sequence[str]) -> Applied[State]:
        """Play the beginning of a turn, for a preview. The state is mid-turn: only `view` and `summary` take it.

        The turn is not confirmed, so nothing that its seat may not know yet comes to light: twins of the seat to move
        give the same events, as they are, and states that are twins again.
        """
        ...

    def apply_turn(self, state: State, turn: str) -> Applied[State]:
        """Play a whole turn of the seat to move, given as text. Raises `RulesError` and changes nothing if illegal.

        Here the turn is confirmed: what it draws or uncovers follows its steps, and the events say so.
        """
        ...

    def as_if_to_move(self, state: State, seat: Seat) -> State:
        """Return the state between turns as a seat would move in it, were it to move now: to plan a turn ahead.

        It holds only what that seat may see: twins of it give the same answer. All that a turn is composed with takes
        it, and `view` for that seat alone. Raises `RulesError` (``game-over``, ``not-active``).
        """
        ...

    def conditions(self, state: State, seat: Seat, steps: Sequence[str]) -> tuple[Condition, ...]:
        """Return what these steps rely on, if they are played by a seat as it would move in a state now.

        Each holds in that state, and no two are the same. Twins of that seat give the same answer. Raises `RulesError`
        as `as_if_to_move` does, and if the steps are not legal.
        """
        ...

    def holds(self, state: State, seat: Seat, condition: str) -> bool:
        """Return whether a condition of a seat's plan holds in a state between turns of the same game.

        Twins of that seat give the same answer. Where all conditions of a plan hold its turn may still be illegal.
        """
        ...

    def retire(self, state: State, seat: Seat) -> Applied[State]:
        """Let a seat leave the game for good. Raises `RulesError` if it is not in the game any more."""
        ...

    def view(self, state: State, seat: Seat | None, *, ended: bool = False) -> JsonObject:
        """Return the position as that seat, or a guest (None), may see it: JSON, hidden things replaced.

        Twins give equal views. Once the game has ended everything is open: in its last state, and in earlier ones for
        whoever says that it has ``ended`` since.
        """
        ...

    def imagine(self, state: State, seat: Seat | None, rng: Random) -> State:
        """Return a state between turns that could be this one for all that a seat, or a guest (None), may see of it.

        What is hidden is drawn anew from ``rng``, by what `view` shows alone: with chance in the same state, twins give
        the same answer, which looks to that viewer as ``state`` does.
        """
        ...

    def view_turn(self, turn: str, *, own: bool) -> str:
        """Return a turn's text as its own seat (``own``) or anyone else may read it while the game runs.

        A turn holds nothing that its own seat may not know: the seat wrote it before it was confirmed.
        """
        ...

    def view_events(self, events: Sequence[Event], seat: Seat | None) -> tuple[Event, ...]:
        """Return events as that seat, or a guest, may see them while the game runs, in the same order and number.

        An event holds all that decides who may see what of it: the state is not at hand here. A card that even its
        owner may not see is replaced for every seat.
        """
        ...

    def tally(self, log: Sequence[PlayedEntry]) -> Tally:
        """Return what a finished game was like, from its whole log."""
        ...

    def choose_turn(self, bot: str, state: State, rng: Random) -> str:
        """Return the turn that a computer player picks for the seat to move, knowing only what that seat may see.

        It is one of those that this ruleset names above. Some may think for a second; the autopilot does not.
        Twins of that seat, with chance in the same state, give the same turn. What others may not see of it is drawn by
        chance, so ``rng`` must be one that nobody can foresee: the site hands in ``SystemRandom``.
        """
        ...

    def chances(self, state: State) -> tuple[float, ...]:
        """Return each seat's chance to win in a state between turns, in seat order, together 1.

        A state that has ended gives the shares of the win. It looks at what is hidden, so it is asked of ended games.
        """
        ...

    def assess(self, state: State, rng: Random, *, playouts: int, played: str | None = None) -> tuple[Assessed, ...]:
        """Return the best turns of the seat to move that a search of so many playouts finds, the best first.

        They are chosen by what that seat may see, and weighed with everything open: for games that have ended. A legal
        turn that was ``played`` is among them, wherever it ranks. The same chance gives the same answer.
        """
        ...

    def review(self, state: State, rng: Random, *, playouts: int, played: str) -> Reviewed:
        """Return what a legal turn of the seat to move was worth, from a search of about so many playouts.

        It looks at what is hidden, so it is asked of ended games. The same chance gives the same answer.
        """
        ...

    def find_puzzle(self, state: State, rng: Random, *, playouts: int) -> Puzzle | None:
        """Return what makes a state between turns a puzzle by a search of so many playouts, or None if nothing does.

        It is asked of ended games. What is hidden from the seat to move has no say: with chance in the same state,
        twins of that seat give the same answer. Names have none either.
        """
        ...

    def solves(self, state: State, puzzle: Puzzle, turn: str) -> bool:
        """Return at once whether a turn is one of a puzzle's solutions, or leads to what others see after one.

        What is not may still be as good. Raises `RulesError` if the turn is illegal.
        """
        ...

    def judge_answer(self, state: State, puzzle: Puzzle, turn: str) -> Answer:
        """Return whether a turn solves the puzzle that `find_puzzle` found in this state; it draws nothing by chance.

        Whatever is as good as the best does: where `solves` says no, it takes a search. Raises `RulesError` if the turn
        is illegal.
        """
        ...
