"""One game by its address."""

from games.errors import GameCode, GameError
from games.log.seats import with_seats
from games.models import Game


def game_by_key(key: str) -> Game:
    """Return a game with its creator, seats and users loaded: two queries. Raises `GameError` (``no-such-game``)."""
    game = with_seats(Game.objects.select_related("creator").filter(key=key)).first()
    if game is None:
        raise GameError(GameCode.NO_SUCH_GAME)
    return game
