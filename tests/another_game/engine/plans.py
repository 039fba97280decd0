"""Turns of Acorns that are planned ahead: only to rob and to dig rely on what others do."""

from collections.abc import Sequence
from dataclasses import replace

from engine.contract import Condition, Seat
from engine.errors import RulesCode, RulesError
from tests.another_game.engine.rules import play_steps
from tests.another_game.engine.state import State, known_to


def as_if_to_move(state: State, seat: Seat) -> State:
    """Return the state as a seat would move in it now, with ``?`` for what it does not know. Raises `RulesError`."""
    if state.finished:
        raise RulesError(RulesCode.GAME_OVER)
    if not 1 <= seat <= len(state.squirrels) or seat - 1 in state.retired:
        raise RulesError(RulesCode.NOT_ACTIVE, seat=seat)
    return known_to(replace(state, seat=seat - 1), seat)


def conditions(state: State, seat: Seat, steps: Sequence[str]) -> tuple[Condition, ...]:
    """Return what the steps rely on. Raises `RulesError`."""
    play_steps(as_if_to_move(state, seat), steps)
    match steps[0] if steps else "":
        case "d":
            return (Condition("deck", is_necessary=True),)
        case robbery if robbery.startswith("r"):
            victim = int(robbery[1])
            size = len(state.squirrels[victim - 1].hoard)
            as_many = (Condition(f"hoard:{victim}:{size}"),) if size > 1 else ()
            return (Condition(f"hoard:{victim}:1", is_necessary=True), *as_many)
        case _:
            return ()


def holds(state: State, condition: str) -> bool:
    """Return whether the deck lasts, or whether a hoard that can be robbed has so many nuts."""
    if condition == "deck":
        return bool(state.deck)
    _name, victim, size = condition.split(":")
    return int(victim) - 1 not in state.retired and len(state.squirrels[int(victim) - 1].hoard) >= int(size)
