"""The players of a game, for templates."""

from django import template

from games.models import Game
from games.words.seats import seat_names

register = template.Library()


@register.filter
def player_names(game: Game) -> str:
    """Return what the seats of a game, which are loaded, are called, in their order."""
    seats = sorted(game.seats.all(), key=lambda seat: (seat.number or 0, seat.pk))
    return ", ".join(seat_names(seats))
