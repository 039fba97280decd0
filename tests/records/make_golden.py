"""Record the golden games: ``python -m tests.records.make_golden``.

They were recorded once and are kept: a rules fix that changes one of them changes games that people have played. Run
this only to add a game; the stored ones are left alone.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from engine.chain import chain_of
from engine.contract import END, Json
from engine.gravity import Gravity
from engine.gravity.state import State
from engine.gravity.view import position

FOLDER = Path(__file__).parent / "golden"
GRAVITY = Gravity()
NAMES = ("Ada", "Bo", "Chloé", "Dmitri", "Eşref", "Fú")
BEGIN = datetime(2026, 11, 27, 10, tzinfo=UTC)


@dataclass(frozen=True)
class Plan:
    """A game to record: its table, its chance, and after how many entries which seats retire."""

    name: str
    players: int
    seed: int
    expert: bool = False
    goodies: str = ""
    retirements: tuple[tuple[int, int, str], ...] = ()


PLANS = (
    Plan("stars-2p", 2, 1),
    Plan("stars-4p", 4, 2),
    Plan("stars-5p-retire", 5, 3, retirements=((12, 4, "resigned"), (31, 1, "timeout"))),
    Plan("points-2p", 2, 4, expert=True),
    Plan("points-3p", 3, 5, expert=True),
    Plan("points-6p-PJT-retire", 6, 6, expert=True, goodies="PJT", retirements=((20, 5, "timeout"),)),
    Plan("last-seat-2p", 2, 7, retirements=((9, 2, "resigned"),)),
    Plan(
        "last-seat-4p-PJT", 4, 8, goodies="PJT", retirements=((6, 4, "resigned"), (13, 1, "timeout"), (22, 3, "admin"))
    ),
    Plan("goodie-P-2p", 2, 9, goodies="P"),
    Plan("goodie-J-3p", 3, 10, goodies="J"),
    Plan("goodie-T-4p", 4, 11, goodies="T"),
    Plan("goodies-PJT-6p", 6, 12, goodies="PJT"),
)


def main() -> None:
    """Record each planned game that is not there yet."""
    FOLDER.mkdir(exist_ok=True)
    for plan in PLANS:
        path = FOLDER / f"{plan.name}.record.json"
        if path.exists():
            continue
        states, record = recorded(plan)
        path.write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", "utf-8")
        lines = [json.dumps(position(state)) for state in states]
        (FOLDER / f"{plan.name}.positions.jsonl").write_text("\n".join(lines) + "\n", "utf-8")


def recorded(plan: Plan) -> tuple[list[State], dict[str, Any]]:
    """Play a planned game; return its states and its record."""
    rng = Random(plan.seed)
    options: dict[str, Json] = {"expert": plan.expert, "goodies": plan.goodies}
    states = [GRAVITY.set_up(NAMES[: plan.players], options, rng)]
    log: list[dict[str, Any]] = []
    for entry, state in played(plan, states[0], rng):
        log.append(entry)
        states.append(state)
    record = dict(GRAVITY.write_record(states[0], log))
    return states, record | {"chain": list(chain_of(record, log))}


def played(plan: Plan, state: State, rng: Random) -> Iterator[tuple[dict[str, Any], State]]:
    """Yield entry and state until the game is over."""
    leaving = {number: (seat, reason) for number, seat, reason in plan.retirements}
    number = 0
    while not state.finished:
        number += 1
        at = (BEGIN + timedelta(minutes=7 * number)).strftime("%Y-%m-%dT%H:%M:%SZ")
        if number in leaving:
            seat, reason = leaving[number]
            state = GRAVITY.retire(state, seat).state
            yield {"seat": seat, "event": "retire", "reason": reason, "at": at}, state
        else:
            seat, turn = state.seat + 1, chosen_turn(state, rng)
            state = GRAVITY.apply_turn(state, turn).state
            yield {"seat": seat, "turn": turn, "at": at, "by": rng.choice(["player", "bot"])}, state


def chosen_turn(state: State, rng: Random) -> str:
    """Return the best of a few random turns: games of some sense, without depending on any computer player."""
    turns = [random_turn(state, rng) for _ in range(5)]
    return max(turns, key=lambda turn: GRAVITY.apply_turn(state, turn).state.players[state.seat].points)


def random_turn(state: State, rng: Random) -> str:
    """Return a random legal turn."""
    steps: list[str] = []
    while (step := rng.choice(GRAVITY.legal_steps(state, steps))) != END:
        steps.append(step)
    return " ".join(steps)


if __name__ == "__main__":
    main()
