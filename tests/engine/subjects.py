"""The games that the laws of `engine.contract` are tried on, and ways to play them with nothing but the contract."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest

from engine.contract import END, Json, Rules, Seat
from engine.errors import RulesError
from engine.gravity.notation import STEPS as GRAVITY_STEPS
from engine.gravity.setup import GOODIE_CARDS
from engine.gravity.state import BASE, GOODIES, Player, State
from tests.another_game.engine import Acorns
from tests.another_game.engine.rules import STEPS as ACORNS_STEPS
from tests.another_game.twins import twin as twin_acorns
from tests.engine.play import GRAVITY


@dataclass(frozen=True)
class Subject:
    """A game under test: its rules, and what the contract can't say.

    ``twin`` returns a state that differs only in what is hidden from a viewer; ``steps`` are all there are; ``alike``
    is a pair of turns that others can't tell apart; ``longest`` no game has more turns a seat.
    """

    rules: Rules[Any]
    steps: Sequence[str]
    options: Sequence[dict[str, Json]]
    twin: Callable[[Any, Seat | None, Random], Any]
    alike: tuple[str, str]
    longest: int


type Law = Callable[[Subject, Random], None]


def twin_gravity(state: State, viewer: Seat | None, rng: Random) -> State:
    """Return the state with other cards face down in front of everyone but the viewer."""

    def other(player: Player) -> Player:
        free = [1 << i for i in range(5) if not player.face_up >> i & 1]
        down = sum(rng.sample(free, player.face_down.bit_count()))
        return replace(player, face_down=down, hand=BASE & ~player.face_up & ~down | player.hand & GOODIES)

    players = tuple(player if index + 1 == viewer else other(player) for index, player in enumerate(state.players))
    return replace(state, players=players)


SUBJECTS = [
    Subject(
        GRAVITY,
        tuple(GRAVITY_STEPS),
        [{}, {"expert": True, "goodies": GOODIE_CARDS}, {"goodies": "T"}],
        twin_gravity,
        ("S<(L) & S>(H)", "S<(R) & S>(W)"),
        500,
    ),
    Subject(Acorns(), ACORNS_STEPS, [{}, {"winter": "hard"}], twin_acorns, ("h1 x2", "h9 x2"), 6),
]


# --- Playing by the contract alone -------------------------------------------------------------------------------


def new_game(game: Subject, rng: Random) -> Any:
    seats = rng.choice(game.rules.seats)
    options = game.rules.check_options(rng.choice(game.options), seats)
    return game.rules.set_up([f"Name {seat}" for seat in range(seats)], options, rng)


def some_state(game: Subject, rng: Random) -> Any:
    """Return a state between two turns from anywhere in a game."""
    state = new_game(game, rng)
    for _ in range(rng.randrange(25)):
        if game.rules.summary(state).finished:
            break
        state = next_state(game, state, rng)
    return state


def running_state(game: Subject, rng: Random) -> Any:
    while game.rules.summary(state := some_state(game, rng)).finished:
        pass
    return state


def next_state(game: Subject, state: Any, rng: Random) -> Any:
    if rng.random() < 0.02:
        return game.rules.retire(state, rng.choice(active(game, state))).state
    return game.rules.apply_turn(state, " ".join(random_steps(game, state, rng))).state


def random_steps(game: Subject, state: Any, rng: Random) -> list[str]:
    """Return the steps of a random legal turn."""
    steps: list[str] = []
    while (step := rng.choice(game.rules.legal_steps(state, steps))) != END:
        steps.append(step)
    return steps


def any_steps(game: Subject, state: Any, rng: Random) -> list[str]:
    """Return steps that may be legal, as far as some are, and may not be."""
    steps = [] if game.rules.summary(state).finished else random_steps(game, state, rng)
    steps = steps[: rng.randint(0, len(steps))]
    return steps if rng.random() < 0.6 else [*steps, rng.choice([*game.steps, "nonsense", END])]


def active(game: Subject, state: Any) -> list[Seat]:
    summary = game.rules.summary(state)
    return [seat for seat in range(1, len(summary.points) + 1) if seat not in summary.retired]


def viewers(game: Subject, state: Any) -> list[Seat | None]:
    return [None, *range(1, len(game.rules.summary(state).points) + 1)]


def mover_of(game: Subject, state: Any) -> Seat:
    seat = game.rules.summary(state).seat
    assert seat is not None
    return seat


def setup_of(game: Subject, state: Any) -> dict[str, Json]:
    """Return the set-up as the site stores it."""
    return {key: value for key, value in game.rules.write_record(state).items() if key != "log"}


def outcome(call: Callable[..., Any], *arguments: Any) -> Any:
    """Return what a call returns, or what its refusal says."""
    try:
        return call(*arguments)
    except RulesError as error:
        return said(error)


def said(error: RulesError | None) -> object:
    return error and (error.code, error.step, dict(error.params))


# --- Laws seen to fail -------------------------------------------------------------------------------------------


def is_noticed(rules: Acorns, law: Law) -> bool:
    """Whether a law notices what is wrong with a broken copy of the second game."""
    broken = replace(SUBJECTS[-1], rules=rules)
    for seed in range(300):
        try:
            law(broken, Random(seed))
        except (AssertionError, RulesError, pytest.fail.Exception):
            return True
    return False
