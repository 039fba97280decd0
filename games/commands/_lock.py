"""Taking a game's row for a change, and giving it back changed."""

from collections.abc import Collection, Iterable
from functools import cache, partial
from typing import Final

from django.db import connection, transaction
from django.db.models import Model

from accounts.models import User
from engine.contract import Json
from games.announce import announce
from games.commands._nudge import nudge_bot
from games.errors import GameCode, GameError, Stale
from games.log.positions import take_hidden
from games.log.seats import load_seats, seats_of
from games.models import Game, Seat
from statements import Parameter, Select, Update

_WHOLE: Final = Game.objects.defer(None)
GAME: Final = Select(_WHOLE.filter(pk=Parameter("value")))
GAME_BY: Final = {
    (column, skips): Select(
        _WHOLE.select_for_update(no_key=True, skip_locked=skips).filter(**{column: Parameter("value")})
    )
    for column in ("key", "pk")
    for skips in (False, True)
}


def lock_person(user_id: int) -> User:
    """Return a person as they are stored, locked until the transaction ends with all that hangs on them.

    So two of their requests at once count each other. It comes before any lock of a game.
    """
    return User.objects.select_for_update(no_key=True).get(pk=user_id)


def lock_game(*, skip_locked: bool = False, **which: object) -> Game:
    """Return a game, locked until the transaction ends, with its seats and their users loaded in order.

    With ``skip_locked`` a game that is locked by someone else counts as none, instead of being waited for.

    SQLite has no row locks: there the transaction is immediate, and `save_change` compares versions.
    Raises `GameError` (``no-such-game``).
    """
    # SQLite knows neither lock nor skipping.
    skips = skip_locked and connection.features.has_select_for_update_skip_locked
    ((column, value),) = which.items()
    game = GAME_BY[column, skips].first(value=value)
    if game is None:
        raise GameError(GameCode.NO_SUCH_GAME)
    take_hidden(game)
    load_seats(game)
    return game


def glance_at(game_id: int) -> Game | None:
    """Return a game with its last position, neither locked nor with its seats: one query. It may change any time."""
    game = GAME.first(value=game_id)
    return None if game is None else take_hidden(game)


@cache
def _update_of(model: type[Model], columns: tuple[str, ...]) -> Update:
    """Return the update of the named columns of one row; of a game only if its version is still the one read."""
    rows = model._default_manager.filter(pk=Parameter("pk"))
    return Update(rows.filter(version=Parameter("read")) if model is Game else rows, *columns)


def save_seats(seats: Iterable[Seat], columns: Collection[str]) -> None:
    """Write the named columns of a locked game's seats: for a turn's one or two, far cheaper than `bulk_update`."""
    for seat in seats:
        _update_of(Seat, tuple(columns))(pk=seat.pk, **{column: getattr(seat, column) for column in columns})


def save_change(game: Game, *columns: str, **more: Json) -> None:
    """Write the named columns of a locked game, raise its version; on commit tell of it, and wake a computer player.

    ``more`` are columns that the object does not hold. The seats of a game that has ended say so too. The end of every
    command. Raises `Stale` if the row was changed
    since it was read, whatever locks there are.
    """
    read = game.version
    game.version += 1
    values = {column: getattr(game, column) for column in ("version", *columns)}
    if not _update_of(Game, ("version", *columns, *more))(pk=game.pk, read=read, **values, **more):
        raise Stale
    if "finished_at" in columns and game.finished_at is not None:
        Seat.objects.filter(game=game).update(ended_at=game.finished_at)
    people = [seat.user_id for seat in seats_of(game) if seat.user_id is not None]
    transaction.on_commit(partial(announce, game.key, game.version, people), robust=True)
    if game.bot_to_move:
        transaction.on_commit(partial(nudge_bot, game.pk, game.seq), robust=True)
