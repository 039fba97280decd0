"""Monte Carlo tree search over the turns of all seats.

A node is a state between turns, and knows what the model of chances says of the state after each of its turns. A
playout walks down the tree, by what each seat to move has found best so far and what it has not tried enough, adds one
node, and brings its chances back: those after the best turn there. Chances are a vector, a number for each seat, and
each seat goes by its own.

All cards are open to it: who knows less draws what is hidden by chance first (see `engine.gravity.bots.looks`).
"""

from dataclasses import dataclass
from math import exp, sqrt
from random import Random
from typing import Final, NamedTuple

from engine.gravity.bots.quick import quick_rounds
from engine.gravity.bots.turns import BROADLY, Breadth, turns_of
from engine.gravity.chances import Chances, Model, model_of
from engine.gravity.state import State

_BREADTH: Final = Breadth(seconds=8, gain=2, all_wild=False)


@dataclass(frozen=True, slots=True)
class Plan:
    """How to search: ``playouts`` in all, ``draws`` of hidden cards, how broadly."""

    playouts: int
    draws: int = 2
    width: int = 12
    root_width: int = 32
    breadth: Breadth = _BREADTH
    root_breadth: Breadth = BROADLY


class Manner(NamedTuple):
    """How a search weighs what it finds.

    ``curiosity`` is how much it looks at what it has looked at less, ``sharpness`` how much more at what is good at
    first sight (in the exponent), ``trust`` the weight of the best that is known after a turn beside the mean. What is
    found is judged after so many ``rounds`` of quick play.
    """

    curiosity: float
    sharpness: float
    trust: float
    rounds: int


TWO: Final = Manner(curiosity=0.6, sharpness=12.0, trust=0.5, rounds=0)
"""Of two players the other's best turn is what matters."""
MANY: Final = Manner(curiosity=0.25, sharpness=30.0, trust=0.0, rounds=2)
"""What several will do before one's next turn is a matter of chance."""


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
        "sums",
        "total",
        "trust",
        "turns",
        "value",
        "visits",
        "won",
    )

    def __init__(self, state: State, model: Model, plan: Plan, manner: Manner, *, root: bool = False) -> None:
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
        powers = [exp(manner.sharpness * (first[seat] - best)) for first in self.first]
        total = sum(powers)
        self.prior = [manner.curiosity * power / total for power in powers]
        self.children: list[Node | None] = [None] * len(found)
        self.visits = [0] * len(found)
        self.won = [first[seat] for first in self.first]
        self.value = list(self.first)
        self.mine = list(self.won)
        self.best = 0
        self.total = 0
        self.sums = [list(first) for first in self.first] if root else []
        self.trust = manner.trust

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

    def choice(self) -> int:
        """Return the index of the turn that is chosen."""
        return max(range(len(self.turns)), key=self.merit)

    def chances(self, index: int) -> Chances:
        """Return what is to be expected after a turn of the root."""
        count, trust = self.visits[index] + 1, self.trust
        return tuple(
            trust * best + (1 - trust) * total / count
            for best, total in zip(self.value[index], self.sums[index], strict=True)
        )

    def select(self) -> int:
        """Return the index of the turn to look at next."""
        root, trust = sqrt(self.total + 1), self.trust
        merits = [
            ((1 - trust) * won + prior * root) / (visits + 1) + trust * mine
            for won, visits, prior, mine in zip(self.won, self.visits, self.prior, self.mine, strict=True)
        ]
        return merits.index(max(merits))


def grow(state: State, plan: Plan, rng: Random) -> Node:
    """Return the root of a tree grown by that many playouts. It looks at all cards of ``state``."""
    count = len(state.players)
    model, manner = model_of(count, state.setup.expert), TWO if count == 2 else MANY
    root = Node(state, model, plan, manner, root=True)
    if len(root.turns) > 1:
        for _ in range(plan.playouts):
            chosen, value = _play_out(root, model, plan, manner, rng)
            root.sums[chosen] = [one + more for one, more in zip(root.sums[chosen], value, strict=True)]
    return root


def _play_out(root: Node, model: Model, plan: Plan, manner: Manner, rng: Random) -> tuple[int, Chances]:
    """Walk down the tree, add a node where it ends, and bring back what is found there.

    Return the turn of the root that was walked by, and the chances that were found.
    """
    last, chosen = root, root.select()
    walked = [(last, chosen)]
    while child := last.children[chosen]:
        last, chosen = child, child.select()
        walked.append((last, chosen))
    value = deep = last.first[chosen]
    if not last.after[chosen].finished:
        leaf = last.children[chosen] = Node(last.after[chosen], model, plan, manner)
        value = deep = leaf.first[0]
        if manner.rounds:
            value = model.chances(quick_rounds(leaf.after[0], manner.rounds, rng))
    for node, turn in reversed(walked):
        node.learn(turn, value, deep)
        deep = node.value[node.best]
    return walked[0][1], value
