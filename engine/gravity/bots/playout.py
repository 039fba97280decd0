"""The player that plays the greedy player's best turns on for some rounds, and takes the one that ends best.

It is a yardstick: strong with few players, simple, and the same for good. What others hide is drawn anew for each
playout; its own cards face down are drawn last, as the greedy player does it.
"""

from collections.abc import Sequence
from random import Random
from statistics import fmean
from typing import Final

from engine.gravity.bots.face_down import draw_cards
from engine.gravity.bots.greedy import greedy_turn, scored_lines
from engine.gravity.rules import apply_turn, begin_turn, ranking
from engine.gravity.state import State
from engine.gravity.view import imagine

LOOKS: Final = 8
"""The number of best turns that are played on."""
ROUNDS: Final = (2, 3, 4, 5)
"""After how many rounds each playout of a turn stops."""
_WIN: Final = 50.0
"""The value of a win at the end of a game, in points."""
_LONG_GAME: Final = 20
"""From this round on stars left on the board count against a turn, so that every game comes to an end."""
_HASTE: Final = 0.3
"""How much each of them does, a round."""


def playout_turn(known: State, rng: Random) -> str:
    """Return the turn that comes out best when it is played on."""
    return best_turn(known, rng, LOOKS, ROUNDS)


def best_turn(known: State, rng: Random, looks: int, rounds: Sequence[int]) -> str:
    """Return the best of the first ``looks`` turns after a playout of each of those lengths in rounds."""
    lines = sorted(scored_lines(known, rng), key=lambda scored: scored[0], reverse=True)[:looks]
    placed = begin_turn(known)
    values = [0.0] * len(lines)
    for length in rounds:
        imagined = imagine(known, known.seat + 1, rng)
        for index, (_, line) in enumerate(lines):
            turn = draw_cards(placed, line.steps, rng)
            values[index] += _played_on(apply_turn(imagined, turn), known.seat, known.round + length, rng)
    best = max(range(len(lines)), key=values.__getitem__)
    return draw_cards(placed, lines[best][1].steps, rng)


def _played_on(state: State, me: int, last: int, rng: Random) -> float:
    """Return the value for a seat after everyone has played on greedily, to its turn in the round ``last``."""
    while not state.finished and (state.round, state.seat) < (last, me):
        state = apply_turn(state, greedy_turn(state, rng))
    return _value(state, me)


def _value(state: State, me: int) -> float:
    """Return the lead over rivals, half over the best and half over their mean, and the worth of a win or defeat."""
    rivals = [player.points for i, player in enumerate(state.players) if i != me and state.is_active(i)]
    lead = state.players[me].points - max(rivals) / 2 - fmean(rivals) / 2
    lead -= _HASTE * max(0, state.round - _LONG_GAME) * state.stars_left
    if not state.finished:
        return lead
    places = ranking(state)
    return lead + (_WIN / places.count(1) if places[me] == 1 else -_WIN)
