"""Turns played on: which of the best ends best when everybody goes on as the greedy player does.

The turns that look best are played on for some rounds, and the model of chances judges where that ends. Half of them
are dropped, the rest are played on more often, until one is left: most of the time goes into the close decisions. Turns
that are compared meet the same draws of what is hidden and the same chance, so that luck does not tell them apart.
"""

from dataclasses import dataclass, field
from math import ceil
from random import Random
from typing import Final

from engine.gravity.bots.face_down import draw_cards
from engine.gravity.bots.greedy import greedy_turn
from engine.gravity.bots.turns import BROADLY, Turn, turns_of
from engine.gravity.chances import Chances, Model, model_of
from engine.gravity.rules import apply_turn, begin_turn
from engine.gravity.state import State
from engine.gravity.view import imagine

TURNS: Final = 12
"""The number of turns, the best at first sight, that are played on."""
ROUNDS: Final = 3
"""After how many rounds the chances are judged."""


@dataclass(slots=True)
class Tried:
    """A turn, and what came of it: each seat's mean chances, from first sight until it is played on ``count`` times."""

    turn: Turn
    chances: Chances
    count: int = 0
    sums: list[float] = field(default_factory=list)

    def learn(self, chances: Chances) -> None:
        """Note what a rollout brought."""
        self.count += 1
        self.sums = [one + more for one, more in zip(self.sums or [0.0] * len(chances), chances, strict=True)]
        self.chances = tuple(total / self.count for total in self.sums)


def play_on(known: State, rng: Random, rollouts: int) -> list[Tried]:
    """Return the turns of the seat to move that look best, by what it knows, the best first.

    They are played on about ``rollouts`` times together, but each at least once; with 0 first sight decides.
    """
    me = known.seat
    model = model_of(len(known.players), known.setup.expert)
    drawn = imagine(known, me + 1, rng)
    tried = [Tried(turn, model.chances(after)) for turn, after in turns_of(drawn, BROADLY)]
    tried.sort(key=lambda one: one.chances[me], reverse=True)
    del tried[TURNS:]
    halvings = (len(tried) - 1).bit_length()
    left = len(tried) if rollouts else 1
    while left > 1:
        best = tried[:left]
        for _ in range(ceil(rollouts / halvings / left)):
            drawn, chance = imagine(known, me + 1, rng), rng.random()
            for one in best:
                one.learn(_rollout(drawn, one.turn, model, Random(chance)))
        best.sort(key=lambda one: one.chances[me], reverse=True)
        tried[:left] = best
        left = (left + 1) // 2
    return tried


def _rollout(state: State, turn: Turn, model: Model, rng: Random) -> Chances:
    """Return the chances some rounds after a turn, in front of the same seat's turn, or at the end of the game."""
    now = apply_turn(state, draw_cards(begin_turn(state), turn, rng))
    end = state.round + ROUNDS, state.seat
    while not now.finished and (now.round, now.seat) < end:
        now = apply_turn(now, greedy_turn(now, rng))
    return model.chances(now)
