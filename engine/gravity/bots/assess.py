"""What a finished game's turns were worth: the better ones that a search finds, and what follows each by best play."""

from dataclasses import replace
from random import Random
from typing import Final

from engine.contract import Assessed
from engine.gravity.bots.face_down import draw_cards
from engine.gravity.bots.search import Plan, grow, look
from engine.gravity.chances import Chances, final_shares
from engine.gravity.rules import apply_turn, begin_turn
from engine.gravity.state import State
from engine.gravity.view import known_to

NAMED: Final = 3
"""The number of turns that are assessed beside the one that was played."""
FOLLOWING: Final = 0.5
"""The part of the playouts that is spent after each of them."""


def assess(state: State, rng: Random, playouts: int, played: str | None = None) -> tuple[Assessed, ...]:
    """Return the turns that look best to the seat to move, by what it knows, and the one that was ``played``.

    The best comes first. What follows a turn is found with all cards open.
    """
    plan = Plan(playouts)
    known = known_to(state, state.seat + 1)
    found = look(known, rng, plan)[:NAMED]
    turns = [draw_cards(begin_turn(known), one.turn, rng) for one in found]
    if played is not None and played not in turns:
        turns.append(played)
    after = replace(plan, playouts=max(1, round(FOLLOWING * playouts)))
    seat = state.seat
    assessed = [follow(state, turn, after, rng) for turn in turns]
    return tuple(sorted(assessed, key=lambda one: one.chances[seat], reverse=True))


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
