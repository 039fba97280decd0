"""The log of a game record, whatever the game: read, check, replay."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from engine.contract import Applied, Json, Rules, split_turn
from engine.errors import RecordError, RulesError
from engine.fields import read_number, read_text, shown

MAX_ENTRIES: Final = 20_000
"""More log entries than any game has; a longer log is refused before it is replayed."""


def read_log(record: Mapping[str, Json], rules: Rules[Any]) -> list[Mapping[str, Json]]:
    """Return the entries of the log, each checked for its form. Raises `RecordError`."""
    log = record.get("log")
    if not isinstance(log, list):
        raise RecordError("log must be a list")
    if len(log) > MAX_ENTRIES:
        raise RecordError(f"log has {len(log)} entries, more than {MAX_ENTRIES}")
    for number, entry in enumerate(log, 1):
        if not isinstance(entry, dict):
            raise RecordError(f"entry {number} must be an object")
        read_number(entry.get("seat"), f"entry {number}: seat", range(1, rules.seats.stop))
        if ("turn" in entry) == ("event" in entry):
            raise RecordError(f"entry {number} must have either turn or event")
        if "event" in entry and entry["event"] != "retire":
            raise RecordError(f"entry {number}: event {shown(entry['event'])} is unknown; legal: retire")
        if "turn" in entry:
            read_text(entry["turn"], f"entry {number}: turn")
    return log


def replay[State](rules: Rules[State], state: State, log: Sequence[Mapping[str, Json]]) -> Iterator[State]:
    """Yield the state after each entry. Raises `RecordError`: which entry and step, why, and what was legal."""
    return (applied.state for applied in play_log(rules, state, log))


def play_log[State](rules: Rules[State], state: State, log: Sequence[Mapping[str, Json]]) -> Iterator[Applied[State]]:
    """Yield the state after each entry with the events that led to it. Raises `RecordError` as `replay` does."""
    for number, entry in enumerate(log, 1):
        seat, turn = int(str(entry["seat"])), str(entry.get("turn"))
        to_move = rules.summary(state).seat
        try:
            if "event" in entry:
                applied = rules.retire(state, seat)
            elif to_move in {None, seat}:
                applied = rules.apply_turn(state, turn)
            else:
                raise RecordError(f"entry {number}: seat {seat} is not to move; legal: seat {to_move}")
        except RulesError as error:
            if "event" in entry:
                raise RecordError(f"entry {number}: {error}; legal: {_who_may_retire(rules, state)}") from None
            raise RecordError(f"entry {number}, {refused_step(rules, state, split_turn(turn), error)}") from None
        yield applied
        state = applied.state


def refused_step[State](rules: Rules[State], state: State, steps: Sequence[str], error: RulesError) -> str:
    """Return the words for a refusal of one of ``steps``, or of their end: which step, why, and what was legal."""
    index = error.step if error.step is not None else 0 if rules.summary(state).finished else len(steps)
    step = shown(steps[index]) if index < len(steps) else "(end of the turn)"
    legal = " ".join(rules.legal_steps(state, steps[:index])) or "nothing"
    return f"step {index + 1} {step}: {error}; legal: {legal}"


def _who_may_retire[State](rules: Rules[State], state: State) -> str:
    summary = rules.summary(state)
    if summary.finished:
        return "nothing"
    seats = range(1, len(summary.points) + 1)
    return " ".join(["seats", *(str(seat) for seat in seats if seat not in summary.retired)])
