"""Fits the model of chances to games that a search plays against itself, and says how right its chances are."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat
from math import exp, sqrt
from operator import mul
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from engine.gravity.bots.face_down import draw_cards
from engine.gravity.bots.search import Plan, grow
from engine.gravity.chances import (
    FEATURES,
    KNOTS,
    Chances,
    between,
    features,
    final_shares,
    key_of,
    model_of,
    softmax,
    stored,
    to_go,
    whole_game,
)
from engine.gravity.match import spread
from engine.gravity.rules import apply_turn, begin_turn
from engine.gravity.setup import GOODIE_CARDS, draw_setup, first_state
from engine.gravity.state import State
from engine.gravity.view import imagine

ASTRAY: Final = 0.3
"""How often a game takes another turn than the best, so that it comes to positions of many kinds."""
KEENNESS: Final = 15.0
"""How much likelier such a turn is the better it looks: the factor of chances in the exponent."""
GOODIE: Final = 0.25
"""How often each goodie card is in a game."""
MOST_ROUNDS: Final = 60
"""A game that lasts longer is given up, and not learnt from."""
BANDS: Final = 10
"""The rows of the table that compares chances with what came of them."""

type Weights = list[list[float]]


@dataclass(frozen=True, slots=True)
class Course:
    """Which games to learn from."""

    seats: int
    expert: bool
    playouts: int
    seed: int


class Sample(NamedTuple):
    """A position: what is said of each seat, what was to go, the model's chances, and each seat's share of the win."""

    seen: list[tuple[float, ...]]
    to_go: int
    chances: Chances
    shares: Chances


def play_course(course: Course, games: int, jobs: int) -> list[Sample]:
    """Play that many games in ``jobs`` processes; return their positions, a game after the other."""
    played = spread(play_game, repeat(course), range(games), jobs=jobs, chunk=4)
    return [one for game in played for one in game]


def play_game(course: Course, number: int) -> list[Sample]:
    """Play the game with that number; return its positions between turns, none if it does not come to an end."""
    rng = Random(f"{course.seed}/{number}")
    goodies = "".join(card for card in GOODIE_CARDS if rng.random() < GOODIE)
    names = ["player"] * course.seats
    state = first_state(draw_setup(names, {"expert": course.expert, "goodies": goodies}, rng))
    model = model_of(course.seats, course.expert)
    states: list[State] = []
    while not state.finished and state.round <= MOST_ROUNDS:
        states.append(state)
        state = apply_turn(state, _pick_turn(state, course, rng))
    if not state.finished:
        return []
    shares = final_shares(state)
    return [Sample(features(one), to_go(one), model.chances(one), shares) for one in states]


def _pick_turn(state: State, course: Course, rng: Random) -> str:
    """Return the best turn that a search finds, or now and then another good one."""
    root = grow(imagine(state, state.seat + 1, rng), Plan(course.playouts), rng)
    if rng.random() < ASTRAY:
        likely = [exp(KEENNESS * (chance - max(root.mine))) for chance in root.mine]
        turn = rng.choices(root.turns, likely)[0]
    else:
        turn = root.turns[root.choice()]
    return draw_cards(begin_turn(state), turn, rng)


def fit(samples: Sequence[Sample], start: Sequence[Sequence[float]], whole: int, epochs: int, rng: Random) -> Weights:
    """Return the weights at each of `KNOTS` that make the games' ends likeliest.

    A softmax regression from ``start``, by stochastic gradient descent with a step a weight (AdaGrad).
    """
    weights = [list(row) for row in start]
    steepness = [[1e-2] * len(FEATURES) for _ in KNOTS]
    knots = [between(number, whole) for number in range(max(one.to_go for one in samples) + 1)]
    order = list(samples)
    for epoch in range(epochs):
        rng.shuffle(order)
        rate = 0.1 * (1 - epoch / epochs) + 0.004
        for one in order:
            parts = knots[one.to_go]
            mixed = [sum(part * weights[knot][k] for knot, part in parts) for k in range(len(FEATURES))]
            slope = _slope(one, mixed)
            for knot, part in parts:
                row, steep = weights[knot], steepness[knot]
                for k, value in enumerate(slope):
                    if value and part:
                        steep[k] += (part * value) ** 2
                        row[k] -= rate * part * value / sqrt(steep[k])
    return weights


def _slope(one: Sample, weights: Sequence[float]) -> list[float]:
    """Return how the loss of a sample, minus the logarithm of the chance of what came, grows with each weight."""
    scores = [sum(map(mul, weights, seat)) for seat in one.seen]
    slope = [0.0] * len(weights)
    for chance, share, seat in zip(softmax(scores), one.shares, one.seen, strict=True):
        error = chance - share
        for k, value in enumerate(seat):
            if value:
                slope[k] += error * value
    return slope


def learn(course: Course, games: int, epochs: int, jobs: int) -> tuple[Weights, int]:
    """Fit the model of a kind of game, from the stored weights on; return the new ones and the number of positions."""
    samples = play_course(course, games, jobs)
    whole = whole_game(course.seats, expert=course.expert)
    start = stored()["weights"][key_of(course.seats, expert=course.expert)]
    return fit(samples, start, whole, epochs, Random(course.seed)), len(samples)


def store(path: Path, course: Course, weights: Weights, command: str) -> None:
    """Write the weights of a kind of game, and the command that made them, into the data file."""
    data, key = stored(), key_of(course.seats, expert=course.expert)
    data["weights"][key] = [[round(weight, 3) for weight in row] for row in weights]
    data["commands"][key] = command
    rows = {key: [json.dumps(row) for row in rows] for key, rows in data["weights"].items()}
    models = ",\n".join(f'  "{key}": [\n   {",\n   ".join(lines)}\n  ]' for key, lines in rows.items())
    commands = json.dumps(data["commands"], indent=2).replace("\n}", "\n }")
    path.write_text(f'{{\n "commands": {commands},\n "weights": {{\n{models}\n }}\n}}\n', "ascii")


def calibration(samples: Sequence[Sample]) -> Iterator[str]:
    """Yield how right chances are, line by line: the Brier score, and a table of chances against shares of wins.

    The Brier score is the mean, over positions and seats, of the squared difference of chance and share; beside it
    stands that of who gives every seat the same chance.
    """
    pairs = [pair for one in samples for pair in zip(one.chances, one.shares, strict=True)]
    even = 1 / len(samples[0].shares)
    score = sum((chance - share) ** 2 for chance, share in pairs) / len(pairs)
    plain = sum((even - share) ** 2 for _, share in pairs) / len(pairs)
    yield f"Brier score {score:.4f} (even chances: {plain:.4f}), {len(samples)} positions"
    for band in range(BANDS):
        found = [pair for pair in pairs if min(int(pair[0] * BANDS), BANDS - 1) == band]
        if found:
            chance = sum(chance for chance, _ in found) / len(found)
            share = sum(share for _, share in found) / len(found)
            low, high = 100 * band // BANDS, 100 * (band + 1) // BANDS
            yield f"{low:3}-{high:3} %: {len(found):7} seats, said {100 * chance:5.1f} %, won {100 * share:5.1f} %"
