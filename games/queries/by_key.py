"""One game by its address."""

from django.db.models import Prefetch

from games.errors import GameCode, GameError
from games.models import Game, Seat


def game_by_key(key: str) -> Game:
    """Return a game with its creator, seats and users loaded: two queries. Raises `GameError` (``no-such-game``)."""
    seats = Prefetch("seats", Seat.objects.select_related("user").order_by("number", "pk"))
    game = Game.objects.select_related("creator").prefetch_related(seats).filter(key=key).first()
    if game is None:
        raise GameError(GameCode.NO_SUCH_GAME)
    return game
