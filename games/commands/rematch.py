"""Playing a finished game again, with the same people."""

from datetime import datetime
from random import Random

from django.db import transaction

from accounts.models import User
from games.commands._allowed import refuse_apart, refuse_suspended
from games.commands._lock import lock_game, lock_person, save_change
from games.commands._open_game import terms_of
from games.commands._start import CHANCE, start_if_full
from games.commands.continue_series import follows
from games.commands.create_game import offer_game
from games.commands.invite import invite_all
from games.commands.join_game import take_seat
from games.errors import GameCode, GameError
from games.log.seats import seats_of
from games.log.table import seat_of
from games.models import Game, Invitation
from games.models.choices import Status


@transaction.atomic(durable=True)
def rematch(*, game_key: str, user: User, now: datetime, rng: Random = CHANCE) -> Game:
    """Return the rematch of a finished game in which ``user`` sat, with a seat for them if one is free.

    The first call offers it, on the terms of the old game with its computer players, and invites the other people; all
    that come later find it. One that was withdrawn makes room for another, to which nobody is invited again. A guest
    or a bot invites nobody: the others read of it where the old game has ended. Raises `GameError`: ``no-such-game``,
    ``not-yours``, ``not-over``, ``series-goes-on``, ``suspended``, ``no-rematch``, ``too-many-invitations``, and what
    `create_game` and `join_game` refuse for.
    """
    person = lock_person(user.pk)
    # The old game's lock keeps two rematches apart; the new one is locked after it, as everywhere the older one first.
    old = lock_game(key=game_key)
    if seat_of(old, user) is None:
        raise GameError(GameCode.NOT_YOURS)
    if old.status != Status.FINISHED:
        raise GameError(GameCode.NOT_OVER)
    if old.is_followed:
        raise GameError(GameCode.SERIES_GOES_ON)
    refuse_suspended(person, now)
    present = Game.objects.filter(rematch_of=old)
    present.filter(status=Status.CANCELLED).update(rematch_of=None)
    key = present.values_list("key", flat=True).first()
    if key is not None:
        return _join(key, person, now, rng)
    refuse_apart(person, old, GameCode.NO_REMATCH)
    return _offer(old, person, now, rng)


def _join(key: str, user: User, now: datetime, rng: Random) -> Game:
    """Return the rematch, with a seat for the person where one is free."""
    game = lock_game(key=key)
    if game.status == Status.OPEN:
        take_seat(game, user, now, rng)
    return game


def _offer(old: Game, user: User, now: datetime, rng: Random) -> Game:
    seats = seats_of(old)
    people = [] if user.is_guest or user.is_bot else _to_invite(old, user)
    game = offer_game(
        user,
        [seat.bot for seat in seats if seat.bot],
        now,
        rematch_of=old,
        series_length=old.series_length,
        is_followed=follows(old.series_length),
        **terms_of(old),
    )
    invite_all(game, people, user, now)
    start_if_full(game, now=now, rng=rng)
    save_change(old)  # pages on which the old game has ended hear of it
    return game


def _to_invite(old: Game, user: User) -> list[User]:
    """Return who else played in a finished game, but for those who were invited to a rematch of it before."""
    others = [seat.user_id for seat in seats_of(old) if seat.user_id is not None and seat.user_id != user.pk]
    invited = Invitation.objects.filter(rematch_of=old).values("user")
    return list(User.objects.found().filter(pk__in=others).exclude(pk__in=invited).order_by("pk"))
