"""The players of a game, for templates."""

from collections.abc import Iterable

from django import template

from games.models import Game
from games.words.lists import list_words
from games.words.seats import seat_names

register = template.Library()


@register.filter
def listed(names: Iterable[str]) -> str:
    """Return names as one list: “Ada, Bo and Cleo”."""
    return list_words(names)


@register.filter
def player_names(game: Game) -> str:
    """Return what the seats of a game, which are loaded, are called, in their order."""
    seats = sorted(game.seats.all(), key=lambda seat: (seat.number or 0, seat.pk))
    return list_words(seat_names(seats))
