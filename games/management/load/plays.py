"""Games that the engine has played from beginning to end: what the games of a load are copies of."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final
from zoneinfo import ZoneInfo

from engine.chain import canonical, setup_digest
from engine.contract import JsonObject, Rules, Summary
from engine.rulesets import RULESETS, newest_rulesets
from games import clock
from games.clock import PRESETS, Calendar, Clock, TimeControl
from games.commands.tally_game import kind_of, played_entries, results_of
from games.log.columns import derive_game, derive_seats
from games.log.positions import Snapshot, apply_entry, write_events
from games.log.record import nameless_digest
from games.models import Entry, Game, Result, Seat
from games.models.choices import Actor, EntryEvent, Reason
from games.words.seats import record_names

UTC: Final = ZoneInfo("UTC")
SOMETIME: Final = datetime(2024, 1, 1, tzinfo=UTC)
"""When the games that are copied began; weekends do not matter to their clocks."""
PLAYERS: Final = "players"
PERSON: Final = ""
"""What stands for a person where computer players have their kind."""
HOUR: Final = 3600
WEAK, STRONG = "random", "greedy"


@dataclass(frozen=True, slots=True)
class Terms:
    """What is played, and what happens."""

    seats: tuple[str, ...]
    """`PERSON`, or the kind of a computer player."""
    options: JsonObject
    pace: str
    by: str = STRONG
    """Which computer player chooses the turns of people."""
    resigns: int | None = None
    """After so many turns whoever is to move leaves."""
    misses: int | None = None
    """After so many turns whoever is to move lets the time run out."""


TERMS: Final = (
    Terms((PERSON,) * 2, {}, "relaxed"),
    Terms((PERSON,) * 2, {}, "daily", by=WEAK),
    Terms((PERSON,) * 2, {"expert": True}, "relaxed"),
    Terms((PERSON,) * 2, {"goodies": "PJT"}, "relaxed"),
    Terms((PERSON,) * 2, {}, "daily", misses=5),
    Terms((PERSON,) * 2, {}, "relaxed", resigns=7),
    Terms((PERSON,) * 3, {}, "relaxed"),
    Terms((PERSON,) * 4, {"goodies": "PT"}, "relaxed"),
    Terms((PERSON,) * 4, {}, "daily", misses=9),
    Terms((PERSON,) * 6, {}, "weekly"),
    Terms((PERSON, STRONG), {}, "relaxed"),
    Terms((WEAK, PERSON), {}, "relaxed", by=WEAK),
    Terms((PERSON, STRONG, PERSON), {}, "relaxed"),
)
"""What is played, the commonest first of its kind: between two people, among several, with computer players."""


@dataclass(frozen=True, slots=True)
class Reached:
    """A position of a game that was played, with the clocks as they are when its turn begins."""

    summary: Summary
    state: str
    events: str
    seconds: int
    """So long after the start."""
    began: int
    """So long after the start the open turn began."""
    clocks: tuple[Clock, ...]
    misses: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Play:
    """A game that was played to its end, without people and dates."""

    terms: Terms
    ruleset: str
    options: str
    time_control: TimeControl
    time_control_text: str
    record: tuple[str, str]
    """The text of the set-up before and after the list of players."""
    canonical: tuple[str, str]
    """The same of the text that its digest is taken of."""
    nameless_digest: str
    bot_names: tuple[str, ...]
    """By seat, empty for people."""
    entries: tuple[Entry, ...]
    reached: tuple[Reached, ...]
    """One more than entries."""
    results: tuple[Result, ...]
    """Of people, by seat."""
    kind: str
    marks: tuple[str, ...]
    in_time: tuple[int, ...]
    """By seat: turns played in time, as punctuality counts them."""
    missed: tuple[int, ...]

    @property
    def size(self) -> int:
        """How many seats there are."""
        return len(self.terms.seats)

    @property
    def end(self) -> Reached:
        """The last position."""
        return self.reached[-1]

    def setup(self, players: Sequence[str]) -> tuple[str, str]:
        """Return the set-up as it is stored, and as its digest is taken of it, with these players."""
        record, names = self.record, canonical(list(players))
        return f"{record[0]}{json.dumps(list(players))}{record[1]}", f"{self.canonical[0]}{names}{self.canonical[1]}"


def play_all(seed: int) -> tuple[Play, ...]:
    """Play a game on each of the `TERMS`."""
    return tuple(_play(terms, Random(f"{seed}/{number}")) for number, terms in enumerate(TERMS))  # noqa: S311


def _play(terms: Terms, rng: Random) -> Play:
    ruleset = next(iter(newest_rulesets().values()))
    rules = RULESETS[ruleset]
    options, time_control = rules.check_options(terms.options, len(terms.seats)), PRESETS[terms.pace]
    game = Game(ruleset=ruleset, size=len(terms.seats), options=options, started_at=SOMETIME, public=True)
    seats = [
        Seat(game=game, number=number, bot=bot, user_id=None if bot else number)
        for number, bot in enumerate(terms.seats, start=1)
    ]
    game.__dict__["_prefetched_objects_cache"] = {"seats": seats}
    names = record_names([Seat(game=game, number=seat.number, bot=seat.bot) for seat in seats])
    state = rules.set_up(names, options, rng)
    record = rules.write_record(state)
    setup = {key: value for key, value in record.items() if key != "log"}
    table = _Table(rules, terms, state, rng)
    table.play()
    entries, snapshots = table.entries, table.snapshots
    summary = rules.summary(snapshots[-1].state)
    derive_game(game, summary, seq=len(entries), head=setup_digest(setup), at=entries[-1].at)
    derive_seats(game, summary)
    tally = rules.tally(list(played_entries(game, snapshots)))
    results = tuple(results_of(game, tally, entries, entries[-1].at))
    seats_range = range(1, game.size + 1)
    return Play(
        terms=terms,
        ruleset=ruleset,
        options=json.dumps(options),
        time_control=time_control,
        time_control_text=json.dumps(time_control.to_json()),
        record=_around(json.dumps({**setup, PLAYERS: "@"})),
        canonical=_around(canonical({**setup, PLAYERS: "@"})),
        nameless_digest=nameless_digest(setup),
        bot_names=tuple(name if bot else "" for name, bot in zip(names, terms.seats, strict=True)),
        entries=tuple(entries),
        reached=tuple(table.reached),
        results=results,
        kind=kind_of(seats),
        marks=tuple(sorted(tally.marks)),
        in_time=tuple(sum(_in_time(one) for one in entries if one.seat == seat) for seat in seats_range),
        missed=tuple(sum(one.by == Actor.AUTOPILOT for one in entries if one.seat == seat) for seat in seats_range),
    )


def _around(text: str) -> tuple[str, str]:
    before, after = text.split('"@"')
    return before, after


def _in_time(entry: Entry) -> bool:
    return entry.by == Actor.PLAYER and not entry.reason


class _Table:
    """A game while it is played: the state, and everyone's clock."""

    def __init__(self, rules: Rules[Any], terms: Terms, state: Any, rng: Random) -> None:
        self._rules, self._terms, self._rng = rules, terms, rng
        self._time_control = PRESETS[terms.pace]
        self._clocks = [Clock(0, 0, None) if bot else clock.new_clock(self._time_control) for bot in terms.seats]
        self._misses = [0] * len(self._clocks)
        self._at = self._began = SOMETIME
        self.snapshots = [Snapshot(0, state, ())]
        self.entries: list[Entry] = []
        self.reached: list[Reached] = []

    def play(self) -> None:
        """Play to the end."""
        while self._reach():
            self._play_on()

    def _reach(self) -> bool:
        """Begin the turn of who is to move, and write down how things stand; return whether the game goes on."""
        latest = self.snapshots[-1]
        summary = self._rules.summary(latest.state)
        if summary.seat is not None and not self._terms.seats[summary.seat - 1]:
            place = summary.seat - 1
            if self._clocks[place].since is None:
                self._clocks[place] = clock.start_turn(self._time_control, self._clocks[place], self._at)
        self.reached.append(
            Reached(
                summary=summary,
                state="" if summary.finished else self._rules.dump(latest.state),
                events=json.dumps(write_events(latest.events)),
                seconds=_seconds(self._at),
                began=_seconds(self._began),
                clocks=tuple(self._clocks),
                misses=tuple(self._misses),
            )
        )
        return not summary.finished

    def _play_on(self) -> None:
        before = self.reached[-1].summary
        assert before.seat is not None
        place = before.seat - 1
        entry, took = self._choose(before.seat, self._clocks[place])
        self._at += timedelta(seconds=took)
        entry.at, entry.seq = self._at, len(self.entries) + 1
        self.entries.append(entry)
        applied = apply_entry(self._rules, self.snapshots[-1].state, entry)
        self.snapshots.append(Snapshot(entry.seq, applied.state, applied.events))
        after = self._rules.summary(applied.state)
        if (after.seat, after.turns) == (before.seat, before.turns):
            return
        self._began = self._at
        if self._clocks[place].since is not None:
            own, calendar = entry.by == Actor.PLAYER and entry.turn != "", Calendar(UTC)
            self._clocks[place] = clock.finish_turn(
                self._time_control, calendar, self._clocks[place], self._at, by_owner=own
            )
            self._misses[place] = 0 if own else self._misses[place] + (entry.by == Actor.AUTOPILOT)

    def _choose(self, seat: int, left: Clock) -> tuple[Entry, int]:
        """Return what comes next, without its instant, and how many seconds it takes."""
        terms, rng, played = self._terms, self._rng, len(self.entries)
        bot = terms.seats[seat - 1]
        if not bot and terms.resigns == played:
            leaving = Entry(seat=seat, event=EntryEvent.RETIRE, reason=Reason.RESIGNED, by=Actor.PLAYER)
            return leaving, rng.randrange(HOUR, 20 * HOUR)
        turn = self._rules.choose_turn(bot or terms.by, self.snapshots[-1].state, rng)
        if bot:
            return Entry(seat=seat, turn=turn, by=Actor.BOT), rng.randrange(2, 20)
        if terms.misses == played:
            return Entry(seat=seat, turn=turn, by=Actor.AUTOPILOT), left.seconds_left
        return Entry(seat=seat, turn=turn, by=Actor.PLAYER), rng.randrange(HOUR // 6, 20 * HOUR)


def _seconds(at: datetime) -> int:
    return int((at - SOMETIME).total_seconds())
