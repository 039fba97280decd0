"""Twins of a state of Acorns: how tests show that nobody learns what is hidden."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from engine.contract import Seat
from tests.another_game.engine.state import Setup, State


def twin(state: State, viewer: Seat | None, rng: Random) -> State:
    """Return a state that differs only in what is hidden from a seat or a guest, its set-up's hidden nuts included.

    The nuts that the viewer does not know are shuffled among the places where such nuts lie.
    """
    hidden = [state.deck, *(squirrel.hoard for squirrel in state.squirrels)]
    for index, squirrel in enumerate(state.squirrels):
        hidden += [squirrel.hand, squirrel.nest] if index + 1 != viewer else []
    nuts = _shuffled(hidden, rng)
    deck = _take(state.deck, nuts)
    hoards = [_take(squirrel.hoard, nuts) for squirrel in state.squirrels]
    squirrels = [replace(each, hoard=hoard) for each, hoard in zip(state.squirrels, hoards, strict=True)]
    for index, squirrel in enumerate(squirrels):
        if index + 1 != viewer:
            hand, nest = _take(squirrel.hand, nuts), _take(squirrel.nest, nuts)
            squirrels[index] = replace(squirrel, hand=hand, nest=nest)
    return replace(state, setup=_twin_setup(state.setup, viewer, rng), deck=deck, squirrels=tuple(squirrels))


def _twin_setup(setup: Setup, viewer: Seat | None, rng: Random) -> Setup:
    nuts = _shuffled([setup.deck, *(hand for index, hand in enumerate(setup.hands) if index + 1 != viewer)], rng)
    hands = [hand if index + 1 == viewer else _take(hand, nuts) for index, hand in enumerate(setup.hands)]
    return replace(setup, deck=_take(setup.deck, nuts), hands=tuple(hands))


def _shuffled(piles: list[str], rng: Random) -> Iterator[str]:
    nuts = "".join(piles)
    return iter(rng.sample(nuts, len(nuts)))


def _take(pile: str, nuts: Iterator[str]) -> str:
    return "".join(next(nuts) for _ in pile)
