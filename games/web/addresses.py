"""Where the parts of a page send what a reader composes: the same templates serve games and practice boards."""

from dataclasses import dataclass

from django.urls import reverse

from games.models import Game


@dataclass(frozen=True, slots=True)
class TurnAddresses:
    """The addresses at which a turn is previewed, its choices are drawn, it is played, and played turns are shown.

    Where none is played, ``moves`` is empty.
    """

    preview: str
    choices: str
    turn: str
    moves: str


def addresses_of(game: Game) -> TurnAddresses:
    """Return the addresses of a stored game."""
    return addresses_named("game", game.key)


def addresses_named(prefix: str, name: str, query: str = "") -> TurnAddresses:
    """Return the addresses whose names begin with ``prefix``, about what ``name`` stands for, with a query if any."""
    verbs = ("preview", "choices", "turn", "moves")
    return TurnAddresses(*(f"{reverse(f'{prefix}_{verb}', args=[name])}{query}" for verb in verbs))
