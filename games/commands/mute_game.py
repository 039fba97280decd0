"""Silence about one game: no notices but that a person's own time runs out."""

from django.db import transaction

from accounts.models import User
from games.commands._outbox import reconsider
from games.errors import GameCode, GameError
from games.models import Game
from games.notices.models import GameMute


@transaction.atomic(durable=True)
def mute_game(*, game_key: str, user: User) -> None:
    """End the notices of a game for a person in it; once more is no error. Raises `GameError` (``no-such-game``)."""
    GameMute.objects.get_or_create(user=user, game=_own_game(game_key, user))
    reconsider(user)


@transaction.atomic(durable=True)
def unmute_game(*, game_key: str, user: User) -> None:
    """Undo `mute_game`. Raises `GameError` (``no-such-game``)."""
    GameMute.objects.filter(user=user, game=_own_game(game_key, user)).delete()
    reconsider(user)


def _own_game(key: str, user: User) -> Game:
    """Return a game that the person sits in; of another one they learn not even that it is there."""
    game = Game.objects.filter(key=key, seats__user=user).first()
    if game is None:
        raise GameError(GameCode.NO_SUCH_GAME)
    return game
