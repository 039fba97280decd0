"""One game by its address."""

from typing import Final

from django.db.models import Exists, OuterRef, Q, QuerySet

from games.errors import GameCode, GameError
from games.log.positions import take_hidden
from games.log.seats import load_owners, load_seats
from games.log.table import Reader, may_watch
from games.models import Game, Seat
from statements import Parameter, Select

GAME: Final = Select(Game.objects.defer(None).select_related("creator").filter(key=Parameter("key")))


def game_by_key(key: str, reader: Reader) -> Game:
    """Return a game that ``reader`` may look at, with its creator, seats and users loaded: two queries.

    This is the one gate to games for their players only: to everyone else there is none. Raises `GameError`
    (``no-such-game``).
    """
    game = load_game(key)
    if not may_watch(game, reader):
        raise GameError(GameCode.NO_SUCH_GAME)
    return game


def load_game(key: str) -> Game:
    """Return a game as above, whoever looks: for what has passed the gate. Raises `GameError` (``no-such-game``)."""
    game = GAME.first(key=key)
    if game is None:
        raise GameError(GameCode.NO_SUCH_GAME)
    take_hidden(game)
    load_seats(game)
    load_owners(game)
    return game


def watchable(reader: Reader) -> QuerySet[Game]:
    """Return the games that a reader may look at, as `may_watch` says it, for queries that load no seats."""
    if reader is None or not reader.is_authenticated:
        return Game.objects.filter(Q(players_only=False) | Q(started_at=None))
    if reader.is_staff:
        return Game.objects.all()
    seated = Exists(Seat.objects.filter(game=OuterRef("pk"), user=reader.pk))
    return Game.objects.filter(Q(players_only=False) | Q(started_at=None) | seated)
