"""The rules on one screen: what each card does, and how a game ends."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext, gettext_lazy

from engine.gravity.setup import GOODIE_CARDS
from engine.gravity.state import CARDS, EXPERT_POINTS, LAST_STARS
from games.presenters.gravity.options import GOODIE_WORDS
from games.presenters.gravity.sentences import CARD_NAMES
from games.presenters.gravity.view import GravityOptions

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

CARD_WORDS: Final[Mapping[str, "_StrPromise"]] = {
    "L": gettext_lazy("Two spaces left or right. Both crossings must be free of platforms."),
    "H": gettext_lazy("One space up, then one space left or right. Both crossings must be free of platforms."),
    "D": gettext_lazy("One space down, straight through the platform under your feet. This is always possible."),
    "R": gettext_lazy(
        "Turn on the spot by a quarter either way or by a half. A quarter clockwise brings feet from south to west."
        " Then you fall the new way."
    ),
    "W": gettext_lazy("Any one of these four: long jump, high jump, drop or rotate."),
    "P": gettext_lazy(
        "The tile under your pawn makes a quarter turn either way or a half turn, with everything on it. Nobody enters"
        " a space by this. Then you fall if there is no platform under your feet."
    ),
    "J": gettext_lazy(
        "A simple move with its fall, and another one with its fall, each left or right as you like. Both must be"
        " possible."
    ),
    "T": gettext_lazy("To the space of the open door, with the feet as the door shows. You enter that space as usual."),
}
"""What each card does."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card with what it does, in a sentence or two."""

    letter: str
    name: "_StrPromise"
    words: "_StrPromise"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """The rules on one screen, in the active language.

    ``ending`` is when the game is over, empty where no game is meant; ``ends`` is that for all numbers of players.
    """

    cards: Sequence[Card]
    goodies: Sequence[Card]
    ending: str
    ends: Sequence[tuple[int, int, int]]
    """Players, stars left, points of the expert game."""


def ending_of(size: int, options: GravityOptions) -> str:
    """Return when a game of so many players ends, as a sentence."""
    if options.get("expert"):
        return gettext("The game ends after the round in which someone reaches %(points)s points.") % {
            "points": EXPERT_POINTS[size]
        }
    return gettext("The game ends after the round in which %(count)s stars or fewer are left on the board.") % {
        "count": LAST_STARS[size]
    }


def reference_of(size: int | None, options: GravityOptions) -> Reference:
    """Return the rules of a game of so many players, or of any."""
    goodies = GOODIE_CARDS if size is None else options.get("goodies", "")
    base = CARDS.removesuffix(GOODIE_CARDS)
    return Reference(
        cards=[Card(letter, CARD_NAMES[letter], CARD_WORDS[letter]) for letter in base],
        goodies=[Card(letter, CARD_NAMES[letter], GOODIE_WORDS[letter]) for letter in goodies],
        ending=ending_of(size, options) if size else "",
        ends=[(players, LAST_STARS[players], EXPERT_POINTS[players]) for players in LAST_STARS],
    )
