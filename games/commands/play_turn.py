"""A person's turn."""

from datetime import datetime
from hashlib import sha256

from django.db import transaction

from accounts.models import User
from games.commands._append import add_turn
from games.commands._lock import lock_game
from games.errors import GameCode, GameError, Stale
from games.log.table import seat_of
from games.models import Entry, Game, TurnKey
from games.models.choices import Actor, Status


@transaction.atomic(durable=True)
def play_turn(*, game_key: str, user: User, seq: int, turn: str, now: datetime, name: str = "") -> Entry:
    """Play ``turn`` for the seat of ``user``, who saw the game after entry ``seq``. Return the entry.

    The very same request again returns the entry that the first one made. A request may have a ``name`` (a program's
    ``Idempotency-Key``): no other turn of the seat is played by the same one, for a day. Raises `GameError`:
    ``no-such-game``, ``not-yours``, ``stale``, ``not-running``, ``not-your-turn``, ``idempotency-mismatch``;
    `RulesError` if the turn is not legal.
    """
    turn = " ".join(turn.split())
    game = lock_game(key=game_key)
    seat = seat_of(game, user)
    if seat is None:
        raise GameError(GameCode.NOT_YOURS)
    if seat.number is None:
        raise GameError(GameCode.NOT_RUNNING)
    digest = sha256(name.encode()).hexdigest() if name else ""
    if digest and (known := _entry_by_name(game, seat=seat.number, digest=digest)):
        if (known.seq, known.turn) != (seq + 1, turn):
            raise GameError(GameCode.IDEMPOTENCY_MISMATCH)
        return known
    if seq != game.seq:
        return _entry_made_before(game, seat=seat.number, seq=seq + 1, turn=turn)
    if game.status != Status.ACTIVE:
        raise GameError(GameCode.NOT_RUNNING)
    if game.to_move != seat.number:
        raise GameError(GameCode.NOT_YOUR_TURN)
    entry = add_turn(game, seat=seat.number, turn=turn, by=Actor.PLAYER, now=now)
    if digest:
        TurnKey.objects.create(game=game, seat=seat.number, digest=digest, seq=entry.seq, at=now)
    return entry


def _entry_by_name(game: Game, *, seat: int, digest: str) -> Entry | None:
    """Return the entry that a request of this name made, or None: one query."""
    named = TurnKey.objects.filter(game=game, seat=seat, digest=digest).values("seq")[:1]
    return game.entries.filter(seq=named).first()


def _entry_made_before(game: Game, *, seat: int, seq: int, turn: str) -> Entry:
    """Return the entry that this very request made when it came first. Raises `Stale` if there is none."""
    entry = game.entries.filter(seq=seq, seat=seat, by=Actor.PLAYER).exclude(turn="").first()
    if entry is None or entry.turn != turn:
        raise Stale
    return entry
