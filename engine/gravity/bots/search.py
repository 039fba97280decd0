"""Monte Carlo tree search over the turns of all seats.

A node is a state between turns, and knows what the model of chances says of the state after each of its turns. A
playout walks down the tree, by what each seat to move has found best so far and what it has not tried enough, adds one
node, and brings its chances back: those after the best turn there. Chances are a vector, a number for each seat, and
each seat goes by its own.

Rivals' hidden cards are drawn by chance, several times; each draw has a tree of its own.
"""

from dataclasses import dataclass
from math import exp, sqrt
from random import Random
from typing import Final

from engine.gravity.bots.face_down import draw_cards
from engine.gravity.bots.turns import Breadth, Turn, turns_of
from engine.gravity.chances import Chances, Model, model_of
from engine.gravity.rules import begin_turn
from engine.gravity.state import State
from engine.gravity.view import imagine

_BREADTH: Final = Breadth(seconds=8, gain=2, all_wild=False)
_ROOT_BREADTH: Final = Breadth(seconds=32, gain=1, all_wild=True)

LONG_GAME: Final = 20
"""From this round on, chance has a say in which turn is played."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How to search: ``playouts`` in all, ``draws`` of hidden cards, how broadly."""

    playouts: int
    draws: int = 2
    width: int = 12
    root_width: int = 32
    breadth: Breadth = _BREADTH
    root_breadth: Breadth = _ROOT_BREADTH
    curiosity: float = 0.6
    trust: float = 0.5
    sharpness: float = 12.0


class Node:
    """A state, its turns with the best at first sight in front, and what playouts found."""

    __slots__ = (
        "after",
        "best",
        "children",
        "first",
        "mine",
        "prior",
        "seat",
        "total",
        "turns",
        "value",
        "visits",
        "won",
    )

    def __init__(self, state: State, model: Model, plan: Plan, *, root: bool = False) -> None:
        seat = state.seat
        chances = model.chances
        breadth = plan.root_breadth if root else plan.breadth
        found = [(chances(after), turn, after) for turn, after in turns_of(state, breadth)]
        found.sort(key=lambda line: line[0][seat], reverse=True)
        del found[plan.root_width if root else plan.width :]
        self.seat = seat
        self.first = [line[0] for line in found]
        self.turns = [line[1] for line in found]
        self.after = [line[2] for line in found]
        best = self.first[0][seat]
        powers = [exp(plan.sharpness * (first[seat] - best)) for first in self.first]
        total = sum(powers)
        self.prior = [plan.curiosity * power / total for power in powers]
        self.children: list[Node | None] = [None] * len(found)
        self.visits = [0] * len(found)
        self.won = [first[seat] for first in self.first]
        self.value = list(self.first)
        self.mine = list(self.won)
        self.best = 0
        self.total = 0

    def learn(self, chosen: int, value: Chances, deep: Chances) -> None:
        """Note what a playout brought: the chances where it ended, and the best that are known after this turn."""
        seat, mine = self.seat, self.mine
        self.total += 1
        self.visits[chosen] += 1
        self.won[chosen] += value[seat]
        self.value[chosen] = deep
        was, mine[chosen] = mine[chosen], deep[seat]
        if chosen == self.best:
            if deep[seat] < was:
                self.best = mine.index(max(mine))
        elif deep[seat] > mine[self.best]:
            self.best = chosen

    def merit(self, index: int) -> float:
        """Return by what turns are chosen in the end: the playouts that chose one, and its chance among equals."""
        return self.visits[index] + self.mine[index]

    def select(self, trust: float) -> int:
        """Return the index of the turn to look at next."""
        root = sqrt(self.total + 1)
        merits = [
            ((1 - trust) * won + prior * root) / (visits + 1) + trust * mine
            for won, visits, prior, mine in zip(self.won, self.visits, self.prior, self.mine, strict=True)
        ]
        return merits.index(max(merits))


def grow(state: State, plan: Plan, model: Model, playouts: int) -> Node:
    """Return the root of a tree grown by that many playouts. It looks at all cards of ``state``."""
    root = Node(state, model, plan, root=True)
    if len(root.turns) > 1:
        for _ in range(playouts):
            _play_out(root, plan, model)
    return root


def _play_out(root: Node, plan: Plan, model: Model) -> None:
    """Walk down the tree, add a node where it ends, and bring back what is found there."""
    last, chosen = root, root.select(plan.trust)
    walked = [(last, chosen)]
    while child := last.children[chosen]:
        last, chosen = child, child.select(plan.trust)
        walked.append((last, chosen))
    value = last.first[chosen]
    if not last.after[chosen].finished:
        leaf = last.children[chosen] = Node(last.after[chosen], model, plan)
        value = leaf.first[0]
    deep = value
    for node, turn in reversed(walked):
        node.learn(turn, value, deep)
        deep = node.value[node.best]


@dataclass(slots=True)
class Look:
    """What a search found of one turn.

    ``merit`` orders turns: the playouts that chose it. ``chances`` are each seat's after it, in seat order.
    """

    turn: Turn
    merit: float
    chances: Chances


def look(known: State, rng: Random, plan: Plan) -> list[Look]:
    """Return what a search finds of the turns of the seat to move, by what that seat knows; the best comes first."""
    me = known.seat
    model = model_of(len(known.players), known.setup.expert)
    hidden = any(player.face_down for index, player in enumerate(known.players) if index != me)
    draws = plan.draws if hidden else 1
    merits: dict[Turn, float] = {}
    sums: dict[Turn, list[tuple[float, Chances]]] = {}
    for _ in range(draws):
        drawn = imagine(known, me + 1, rng) if hidden else known
        root = grow(drawn, plan, model, max(1, plan.playouts // draws))
        for index, turn in enumerate(root.turns):
            merits[turn] = merits.get(turn, 0.0) + root.merit(index)
            sums.setdefault(turn, []).append((root.visits[index] + 1e-9, root.value[index]))
    found = [Look(turn, merits[turn], _mean(sums[turn])) for turn in merits]
    found.sort(key=lambda one: one.merit, reverse=True)
    return found


def _mean(weighted: list[tuple[float, Chances]]) -> Chances:
    total = sum(weight for weight, _ in weighted)
    return tuple(
        sum(weight * chances[seat] for weight, chances in weighted) / total for seat in range(len(weighted[0][1]))
    )


def search_turn(known: State, rng: Random, plan: Plan) -> str:
    """Return the turn that most playouts chose, of what the seat to move knows; in a long game sometimes another."""
    found = look(known, rng, plan)
    if restless := _restless(known):
        found.sort(key=lambda one: one.merit * (1 - restless * rng.random()), reverse=True)
    return draw_cards(begin_turn(known), found[0].turn, rng)


def _restless(state: State) -> float:
    """Return how much chance has to say in a long game: two who rob each other in turn would never stop."""
    return min(max(state.round - LONG_GAME, 0) * 0.05, 1.0)
