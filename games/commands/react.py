"""Reacting without a word: to a message, to a move, to what a spectator wrote."""

from datetime import datetime
from typing import Any, Final

from django.db import transaction

from accounts.models import User
from games.commands._allowed import refuse_bot, refuse_silenced
from games.commands._lock import lock_game, lock_person, save_change
from games.commands._open_game import RECENT
from games.errors import GameCode, GameError
from games.log.table import seat_of
from games.log.talk import Thing, why_not_write_room
from games.log.unseen import heard_by, shown_to
from games.models import Game, Reaction, ReactionKind

MOST_REACTIONS: Final = 200
"""How many reactions one person can add in a game within `RECENT`."""


@transaction.atomic(durable=True)
def react(*, game_key: str, user: User, thing: Thing, number: int, kind: ReactionKind, now: datetime) -> Game:
    """Add a reaction to what another person did or wrote, or take it back.

    Raises `GameError`: ``no-such-game``; ``nothing-to-react-to`` for what is not there, not shown to the person, or
    their own; ``not-yours`` for who has no seat, and of spectators' messages what `why_not_write_room` says;
    ``guest-writes``, ``not-for-bots``, ``suspended``, ``silenced``, ``too-many-reactions``.
    """
    person = lock_person(user.pk)
    game = lock_game(key=game_key)
    if thing == Thing.SPECTATOR_MESSAGE:
        which = _spectator_message(game, person, number)
    else:
        which = _of_players(game, person, thing, number)
    taken_back, _each = Reaction.objects.filter(game=game, user=person, kind=kind, **which).delete()
    if not taken_back:
        if person.is_guest:
            raise GameError(GameCode.GUEST_WRITES)
        refuse_bot(person)
        refuse_silenced(person, now)
        if Reaction.objects.filter(game=game, user=person, at__gt=now - RECENT).count() >= MOST_REACTIONS:
            raise GameError(GameCode.TOO_MANY_REACTIONS, most=MOST_REACTIONS)
        Reaction.objects.create(game=game, user=person, kind=kind, at=now, **which)
    if thing != Thing.SPECTATOR_MESSAGE:
        save_change(game)
    return game


def _of_players(game: Game, person: User, thing: Thing, number: int) -> dict[str, Any]:
    own = seat_of(game, person)
    if own is None:
        raise GameError(GameCode.NOT_YOURS)
    rows: Any = game.entries.filter(seq=number)
    if thing == Thing.MESSAGE:
        rows = shown_to(game.messages.filter(pk=number), person.pk)
    seat = rows.values_list("seat", flat=True).first()
    if seat is None or seat == own.number:
        raise GameError(GameCode.NOTHING_TO_REACT_TO)
    return {f"{thing}_id" if thing == Thing.MESSAGE else thing: number}


def _spectator_message(game: Game, person: User, number: int) -> dict[str, Any]:
    if (code := why_not_write_room(game, person)) is not None:
        raise GameError(code)
    message = heard_by(game, person.pk).filter(number=number).first()
    if message is None or message.spectator.user_id == person.pk:
        raise GameError(GameCode.NOTHING_TO_REACT_TO)
    return {"spectator_message": message}
