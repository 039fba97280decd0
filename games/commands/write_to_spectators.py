"""Writing in the spectators' room of a game."""

from datetime import datetime
from typing import Final

from django.db import transaction

from accounts.models import User
from games.commands._allowed import refuse_bot, refuse_silenced
from games.commands._lock import lock_game, lock_person
from games.commands._open_game import RECENT
from games.commands.write_message import MOST_MESSAGES, SAME_REQUEST
from games.errors import GameCode, GameError
from games.log.talk import why_not_write_room
from games.models import Game, Spectator, SpectatorMessage

MOST_AS_SPECTATOR: Final = 300
"""How many messages one person can write to the spectators of all games within `RECENT`."""


@transaction.atomic(durable=True)
def write_to_spectators(*, game_key: str, user: User, text: str, now: datetime) -> Game:
    """Let ``user`` say ``text``, tidied, to the other spectators of a game. The same at once again is written once.

    The game's version stays: its players are to notice nothing. Raises `GameError`: ``no-such-game``, ``not-running``
    before the start, ``player-watches``, ``not-confirmed``, ``not-for-bots``, ``suspended``, ``silenced``,
    ``too-many-messages``, ``too-many-as-spectator``.
    """
    # The person before the game: two requests at once count each other's messages, in whatever games.
    person = lock_person(user.pk)
    game = lock_game(key=game_key)
    if (code := why_not_write_room(game, person)) is not None:
        raise GameError(code)
    refuse_bot(person)
    refuse_silenced(person, now)
    last = game.spectator_messages.select_related("spectator").order_by("-number").first()
    if last is not None and (last.spectator.user_id, last.text) == (person.pk, text) and now - last.at < SAME_REQUEST:
        return game
    spectator, _new = Spectator.objects.get_or_create(game=game, user=person)
    _limit(person, spectator, now)
    number = 1 if last is None else last.number + 1
    SpectatorMessage.objects.create(game=game, number=number, spectator=spectator, text=text, at=now)
    return game


def _limit(person: User, spectator: Spectator, now: datetime) -> None:
    recent = SpectatorMessage.objects.filter(at__gt=now - RECENT)
    if recent.filter(spectator=spectator).count() >= MOST_MESSAGES:
        raise GameError(GameCode.TOO_MANY_MESSAGES, most=MOST_MESSAGES)
    if recent.filter(spectator__user=person).count() >= MOST_AS_SPECTATOR:
        raise GameError(GameCode.TOO_MANY_AS_SPECTATOR, most=MOST_AS_SPECTATOR)
