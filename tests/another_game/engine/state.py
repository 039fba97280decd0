"""What the rules of Acorns need to know of a game.

A nut is a digit, its number; a pile is a text of nuts, the top one last, with ``?`` for each that is not known. Seats
are indices from 0 in here, and numbers from 1 wherever they leave the engine.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from engine.contract import Seat

NUTS: Final = "123456789" * 5
"""The whole deck."""
HAND: Final = 3
ROUNDS: Final = 6
WINTERS: Final = ("mild", "hard")


@dataclass(frozen=True, slots=True)
class Setup:
    """A drawn set-up, as the record writes it."""

    players: tuple[str, ...]
    winter: str
    deck: str
    hands: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Squirrel:
    """What one seat has: a hand and a nest that it alone knows, nuts eaten in the open, a hoard that nobody knows."""

    hand: str
    eaten: str = ""
    nest: str = ""
    hoard: str = ""


@dataclass(frozen=True, slots=True)
class State:
    """One moment of a game; ``steps`` are those of the turn in progress, ``retired`` are indices, earliest first."""

    setup: Setup
    squirrels: tuple[Squirrel, ...]
    deck: str
    rubbish: str = ""
    seat: int = 0
    round: int = 1
    turns: int = 0
    retired: tuple[int, ...] = ()
    finished: bool = False
    steps: tuple[str, ...] = ()

    @property
    def mover(self) -> Squirrel:
        """What the seat to move has."""
        return self.squirrels[self.seat]

    def points(self, index: int) -> int:
        """Return the points of a seat: while the game runs, of what it has eaten alone."""
        squirrel = self.squirrels[index]
        eaten = sum(map(int, squirrel.eaten))
        if not self.finished:
            return eaten
        hoard = sorted(map(int, squirrel.hoard))
        lost = hoard[:1] if self.setup.winter == "hard" else []
        return eaten + sum(map(int, squirrel.nest)) + len(squirrel.nest) + sum(hoard) - sum(lost)

    def with_squirrel(self, index: int, squirrel: Squirrel) -> "State":
        """Return the state with another squirrel in a seat."""
        return replace(self, squirrels=(*self.squirrels[:index], squirrel, *self.squirrels[index + 1 :]))


def first_state(setup: Setup) -> State:
    """Return the state in which the first turn is played."""
    return State(setup, tuple(Squirrel(hand) for hand in setup.hands), setup.deck)


def known_to(state: State, seat: Seat | None) -> State:
    """Return the state with ``?`` for each nut that a seat, or a guest (None), does not know."""
    squirrels = tuple(
        replace(
            squirrel,
            hand=squirrel.hand if index + 1 == seat else hide(squirrel.hand),
            nest=squirrel.nest if index + 1 == seat else hide(squirrel.nest),
            hoard=hide(squirrel.hoard),
        )
        for index, squirrel in enumerate(state.squirrels)
    )
    hands = hands_known_to(state.setup.hands, seat)
    setup = replace(state.setup, deck=hide(state.setup.deck), hands=hands)
    return replace(state, setup=setup, squirrels=squirrels, deck=hide(state.deck))


def imagine(state: State, seat: Seat | None, rng: Random) -> State:
    """Return a state in which every nut that a seat, or a guest (None), does not know is one that it could be."""
    known = known_to(state, seat)
    seen = [
        known.rubbish,
        *(pile for each in known.squirrels for pile in (each.hand, each.eaten, each.nest, each.hoard)),
    ]
    nuts = iter(_shuffled(_without(NUTS, "".join(seen)), rng))
    squirrels = tuple(
        replace(each, hand=_fill(each.hand, nuts), nest=_fill(each.nest, nuts), hoard=_fill(each.hoard, nuts))
        for each in known.squirrels
    )
    deck = _fill(known.deck, nuts)
    dealt = iter(_shuffled(_without(NUTS, "".join(known.setup.hands)), rng))
    hands = tuple(_fill(hand, dealt) for hand in known.setup.hands)
    setup = replace(known.setup, hands=hands, deck=_fill(known.setup.deck, dealt))
    return replace(known, setup=setup, squirrels=squirrels, deck=deck)


def _without(nuts: str, gone: str) -> str:
    for nut in gone.replace("?", ""):
        nuts = nuts.replace(nut, "", 1)
    return nuts


def _shuffled(nuts: str, rng: Random) -> str:
    return "".join(rng.sample(nuts, len(nuts)))


def _fill(pile: str, nuts: Iterator[str]) -> str:
    return "".join(next(nuts) if nut == "?" else nut for nut in pile)


def hands_known_to(hands: tuple[str, ...], seat: Seat | None) -> tuple[str, ...]:
    """Return hands in seat order as a seat or a guest knows them."""
    return tuple(hand if index + 1 == seat else hide(hand) for index, hand in enumerate(hands))


def hide(pile: str) -> str:
    """Return a pile of as many unknown nuts."""
    return "?" * len(pile)
