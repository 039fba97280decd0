"""One game by its address."""

from typing import Final

from games.errors import GameCode, GameError
from games.log.positions import take_hidden
from games.log.seats import load_seats
from games.models import Game
from statements import Parameter, Select

GAME: Final = Select(Game.objects.defer(None).select_related("creator").filter(key=Parameter("key")))


def game_by_key(key: str) -> Game:
    """Return a game with its creator, seats and users loaded: two queries. Raises `GameError` (``no-such-game``)."""
    game = GAME.first(key=key)
    if game is None:
        raise GameError(GameCode.NO_SUCH_GAME)
    take_hidden(game)
    load_seats(game)
    return game
