"""What a seat finds of its turns by what it knows, and the turn that it plays.

Between two, a tree of turns is grown for each of several draws of the rival's hidden cards. What several rivals will do
before one's next turn no tree is broad enough for: there the best turns are played on, see `rollouts`.
"""

from dataclasses import dataclass, replace
from random import Random
from typing import Final

from engine.gravity.bots.face_down import draw_cards
from engine.gravity.bots.greedy import greedy_turn
from engine.gravity.bots.rollouts import play_on
from engine.gravity.bots.search import Plan, grow
from engine.gravity.bots.turns import Turn
from engine.gravity.chances import Chances
from engine.gravity.rules import begin_turn
from engine.gravity.state import State
from engine.gravity.view import imagine

LONG_GAME: Final = 20
"""From this round on a search comes to want an end."""
ROLLOUT: Final = 10
"""How many playouts of a tree one rollout of four seats stands for: it takes about as long."""


@dataclass(slots=True)
class Look:
    """What was found of one turn.

    ``merit`` orders turns: how often each was tried, and its chance among equals. ``chances`` are each seat's after it,
    in seat order.
    """

    turn: Turn
    merit: float
    chances: Chances


def look(known: State, rng: Random, plan: Plan) -> list[Look]:
    """Return what is found of the turns of the seat to move, by what that seat knows; the best comes first."""
    count = len(known.players)
    if count == 2:
        found = _grown(known, rng, plan)
    else:
        rollouts = 4 * plan.playouts // (ROLLOUT * count)
        found = [
            Look(tried.turn, tried.count + tried.chances[known.seat], tried.chances)
            for tried in play_on(known, rng, rollouts)
        ]
    found.sort(key=lambda one: one.merit, reverse=True)
    return found


def _grown(known: State, rng: Random, plan: Plan) -> list[Look]:
    """Return what trees say together, one for each draw of the hidden cards."""
    me = known.seat
    hidden = any(player.face_down for index, player in enumerate(known.players) if index != me)
    draws = plan.draws if hidden else 1
    share = replace(plan, playouts=max(1, plan.playouts // draws))
    merits: dict[Turn, float] = {}
    sums: dict[Turn, list[tuple[float, Chances]]] = {}
    for _ in range(draws):
        root = grow(imagine(known, me + 1, rng) if hidden else known, share, rng)
        for index, turn in enumerate(root.turns):
            merits[turn] = merits.get(turn, 0.0) + root.merit(index)
            sums.setdefault(turn, []).append((root.visits[index] + 1e-9, root.chances(index)))
    return [Look(turn, merits[turn], _mean(sums[turn])) for turn in merits]


def _mean(weighted: list[tuple[float, Chances]]) -> Chances:
    total = sum(weight for weight, _ in weighted)
    return tuple(
        sum(weight * chances[seat] for weight, chances in weighted) / total for seat in range(len(weighted[0][1]))
    )


def search_turn(known: State, rng: Random, plan: Plan) -> str:
    """Return the turn that was tried most, of what the seat to move knows.

    Two who rob each other in turn would never stop: in a long game more and more turns are the greedy player's, who
    comes to want an end.
    """
    tired = min(max(known.round - LONG_GAME, 0) * 0.05, 1.0)
    if tired and rng.random() < tired:
        return greedy_turn(known, rng)
    return draw_cards(begin_turn(known), look(known, rng, plan)[0].turn, rng)
