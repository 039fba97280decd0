"""What a finished game's turns were worth: the better ones that a search finds, and what follows each by best play."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt
from random import Random
from statistics import fmean, variance
from typing import Final

from engine.contract import Assessed
from engine.gravity.bots.face_down import draw_cards
from engine.gravity.bots.looks import look
from engine.gravity.bots.search import Plan, grow
from engine.gravity.chances import Chances, final_shares
from engine.gravity.rules import apply_turn, begin_turn
from engine.gravity.state import State
from engine.gravity.view import known_to

NAMED: Final = 3
"""The number of turns that are assessed beside the one that was played."""
FOLLOWING: Final = 0.5
"""The part of the playouts that is spent after each of them."""


@dataclass(frozen=True, slots=True)
class Survey:
    """Turns with what comes of them, the best first.

    ``noise`` is the standard error of the difference between the chances of two of them: with more than two players
    a search has some of its answers from chance.
    """

    turns: tuple[Assessed, ...]
    noise: float


def assess(state: State, rng: Random, playouts: int, played: str | None = None) -> tuple[Assessed, ...]:
    """Return the turns that look best to the seat to move, by what it knows, and the one that was ``played``.

    The best comes first. What follows a turn is found with all cards open.
    """
    return survey(state, rng, playouts, looks=1, played=played).turns


def survey(state: State, rng: Random, playouts: int, *, looks: int, played: str | None = None) -> Survey:
    """Return the same from as many times the search: what follows a turn is the mean of so many ``looks``."""
    plan = Plan(playouts)
    known = known_to(state, state.seat + 1)
    found = look(known, rng, replace(plan, playouts=looks * playouts))[:NAMED]
    turns = [draw_cards(begin_turn(known), one.turn, rng) for one in found]
    if played is not None and played not in turns:
        turns.append(played)
    after = replace(plan, playouts=max(1, round(FOLLOWING * playouts)))
    seat = state.seat
    seen = [[follow(state, turn, after, rng) for _ in range(looks)] for turn in turns]
    assessed = sorted((_mean(of_turn, seat) for of_turn in seen), key=lambda one: one.chances[seat], reverse=True)
    noise = 0.0
    if looks > 1:
        noise = sqrt(2 * fmean(variance(one.chances[seat] for one in of_turn) for of_turn in seen) / looks)
    return Survey(tuple(assessed), noise)


def _mean(seen: Sequence[Assessed], seat: int) -> Assessed:
    """Return what several looks at a turn say together: their mean chances, and what follows in the most usual one."""
    chances = tuple(fmean(shares) for shares in zip(*(one.chances for one in seen), strict=True))
    usual = min(seen, key=lambda one: abs(one.chances[seat] - chances[seat]))
    return replace(usual, chances=chances)


def follow(state: State, turn: str, plan: Plan, rng: Random) -> Assessed:
    """Return what comes of a turn by the best play that a search finds, up to a round later."""
    now = apply_turn(state, turn)
    chances: Chances
    line: list[str] = []
    if now.finished:
        chances = final_shares(now)
    else:
        node = grow(now, plan, rng)
        chosen = node.choice()
        chances = node.chances(chosen)
        while now.seat != state.seat:
            line.append(" ".join(node.turns[chosen]))
            now, child = node.after[chosen], node.children[chosen]
            if child is None:
                break
            node, chosen = child, child.choice()
    return Assessed(turn, chances, tuple(player.points for player in now.players), tuple(line))
