"""A person's turn."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.commands._append import add_turn
from games.commands._lock import lock_game
from games.errors import GameCode, GameError, Stale
from games.log.table import seat_of
from games.models import Entry, Game
from games.models.choices import Actor, Status


@transaction.atomic(durable=True)
def play_turn(*, game_key: str, user: User, seq: int, turn: str, now: datetime) -> Entry:
    """Play ``turn`` for the seat of ``user``, who saw the game after entry ``seq``. Return the entry.

    The very same request again returns the entry that the first one made. Raises `GameError`: ``no-such-game``,
    ``not-yours``, ``stale``, ``not-running``, ``not-your-turn``; `RulesError` if the turn is not legal.
    """
    turn = " ".join(turn.split())
    game = lock_game(key=game_key)
    seat = seat_of(game, user)
    if seat is None:
        raise GameError(GameCode.NOT_YOURS)
    if seat.number is None:
        raise GameError(GameCode.NOT_RUNNING)
    if seq != game.seq:
        return _entry_made_before(game, seat=seat.number, seq=seq + 1, turn=turn)
    if game.status != Status.ACTIVE:
        raise GameError(GameCode.NOT_RUNNING)
    if game.to_move != seat.number:
        raise GameError(GameCode.NOT_YOUR_TURN)
    return add_turn(game, seat=seat.number, turn=turn, by=Actor.PLAYER, now=now)


def _entry_made_before(game: Game, *, seat: int, seq: int, turn: str) -> Entry:
    """Return the entry that this very request made when it came first. Raises `Stale` if there is none."""
    entry = game.entries.filter(seq=seq, seat=seat, by=Actor.PLAYER).exclude(turn="").first()
    if entry is None or entry.turn != turn:
        raise Stale
    return entry
