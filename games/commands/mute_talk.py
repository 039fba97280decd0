"""Sparing oneself messages in one game: those of one player, news of them, or those of the spectators."""

from django.db import transaction

from accounts.models import User
from games.commands._outbox import reconsider
from games.errors import GameCode, GameError
from games.log.seats import load_seats
from games.log.table import may_watch, seat_of
from games.log.talk import why_not_read_room
from games.models import EVERYBODY, Game, Muted, TalkMute


@transaction.atomic(durable=True)
def mute_talk(*, game_key: str, user: User, what: Muted, seat: int = EVERYBODY) -> None:
    """Spare a person something in a game; once more is no error.

    Raises `GameError`: ``no-such-game``; ``nothing-to-mute`` for what the person can't read anyway.
    """
    game = _game(game_key, user)
    if not _may_mute(game, user, what, seat):
        raise GameError(GameCode.NOTHING_TO_MUTE)
    TalkMute.objects.get_or_create(user=user, game=game, what=what, seat=seat)
    reconsider(user)


@transaction.atomic(durable=True)
def unmute_talk(*, game_key: str, user: User, what: Muted, seat: int = EVERYBODY) -> None:
    """Undo `mute_talk`; no error where nothing is muted. Raises `GameError` (``no-such-game``)."""
    TalkMute.objects.filter(user=user, game=_game(game_key, user), what=what, seat=seat).delete()
    reconsider(user)


def _game(key: str, user: User) -> Game:
    game = Game.objects.filter(key=key).first()
    if game is not None:
        load_seats(game)
    if game is None or not may_watch(game, user):
        raise GameError(GameCode.NO_SUCH_GAME)
    return game


def _may_mute(game: Game, user: User, what: Muted, seat: int) -> bool:
    if what == Muted.SPECTATORS:
        return seat == EVERYBODY and why_not_read_room(game, user) is None
    own = seat_of(game, user)
    if own is None or not game.was_set_up:
        return False
    if what == Muted.MESSAGES:
        return seat == EVERYBODY
    return any(other.number == seat and other.user_id is not None and other != own for other in game.seats.all())
