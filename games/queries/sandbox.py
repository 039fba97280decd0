"""A record that somebody brought, played through: its positions, what happened, what is legal. No database."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import thread_time
from typing import Any, Final

from engine.contract import Event, Json, JsonObject, Rules
from engine.errors import RecordError
from engine.replay import play_log, read_log
from engine.rulesets import RULESETS

MOST_ENTRIES: Final = 400
"""So many entries of a log are played."""
MOST_SECONDS: Final = 2.0
"""So much processor time a record gets."""


class TooLongError(Exception):
    """The record takes more than it gets here."""


@dataclass(frozen=True, slots=True)
class Played:
    """A position of a record, everything open, and what happened in the entry that led to it."""

    view: JsonObject
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Sandbox:
    """A record that was played through; ``state`` is its last position, for the rules."""

    ruleset: str
    rules: Rules[Any]
    names: tuple[str, ...]
    played: tuple[Played, ...]
    """The position after set-up first."""
    state: Any


def play_record(record: Mapping[str, Json]) -> Sandbox:
    """Return a record played through. Raises `RecordError` for one that can't be, `TooLongError` for a long one."""
    ruleset = next((name for name, rules in RULESETS.items() if rules.format == record.get("format")), None)
    if ruleset is None:
        raise RecordError(f"format must be one of: {', '.join(rules.format for rules in RULESETS.values())}")
    rules = RULESETS[ruleset]
    state = rules.read_setup(record)
    log = read_log(record, rules)
    if len(log) > MOST_ENTRIES:
        raise TooLongError
    began = thread_time()
    played = [Played(rules.view(state, None, ended=True), ())]
    for applied in play_log(rules, state, log):
        state = applied.state
        played.append(Played(rules.view(state, None, ended=True), applied.events))
        if thread_time() - began > MOST_SECONDS:
            raise TooLongError
    players = record.get("players")
    names = tuple(str(name) for name in players) if isinstance(players, Sequence) else ()
    return Sandbox(ruleset, rules, names, tuple(played), state)
