"""Puzzles as JSON, whatever the game: the position with the claims that are made of it, and no name of anybody."""

from collections.abc import Mapping
from typing import Any, cast

from engine.contract import Assessed, Json, JsonObject, Puzzle, Rules


def write_puzzle(rules: Rules[Any], state: Any, puzzle: Puzzle) -> JsonObject:
    """Return a puzzle with its position.

    Keys beside those of `Puzzle`: ``ruleset``, ``setup`` (a record without a log), ``position`` (as `Rules.dump` writes
    it) and ``seat``, who is to move.
    """
    setup = rules.write_record(state)
    summary = rules.summary(state)
    setup["players"] = [f"Player {seat}" for seat in range(1, len(summary.points) + 1)]
    return {
        "ruleset": rules.ruleset,
        "setup": setup,
        "position": rules.dump(state),
        "seat": summary.seat,
        "solutions": list(puzzle.solutions),
        "best": _write_assessed(puzzle.best),
        "other": _write_assessed(puzzle.other),
        "themes": list(puzzle.themes),
        "reason": puzzle.reason,
        "params": dict(puzzle.params),
        "rating": puzzle.rating,
        "easy": puzzle.easy,
        "playouts": puzzle.playouts,
    }


def read_puzzle(rules: Rules[Any], written: Mapping[str, Any]) -> tuple[Any, Puzzle]:
    """Return position and puzzle from what `write_puzzle` wrote; it is trusted."""
    state = rules.load(written["setup"], written["position"])
    return state, Puzzle(
        solutions=tuple(written["solutions"]),
        best=_read_assessed(written["best"]),
        other=_read_assessed(written["other"]),
        themes=tuple(written["themes"]),
        reason=written["reason"],
        params=cast("Mapping[str, Json]", written["params"]),
        rating=written["rating"],
        easy=written["easy"],
        playouts=written["playouts"],
    )


def _write_assessed(one: Assessed) -> JsonObject:
    return {"turn": one.turn, "chances": list(one.chances), "points": list(one.points), "line": list(one.line)}


def _read_assessed(one: Mapping[str, Any]) -> Assessed:
    return Assessed(one["turn"], tuple(one["chances"]), tuple(one["points"]), tuple(one["line"]))
