"""Asking a person to take a seat of an open game, and their no."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import Q

from accounts.bots import same_people
from accounts.models import User
from games.commands._allowed import refuse_apart, refuse_bot, refuse_suspended
from games.commands._lock import lock_game, lock_person
from games.commands._open_game import RECENT
from games.errors import GameCode, GameError
from games.log.table import seat_of
from games.models import Game, Invitation, Removal
from games.models.choices import Status
from games.notices.facts import Invited
from games.notices.outbox import enqueue

MOST_INVITATIONS: Final = 20
"""How many invitations of one person can wait for an answer or be younger than `RECENT`."""


@transaction.atomic(durable=True)
def invite(*, game_key: str, user: User, name: str, now: datetime) -> User:
    """Invite the person called ``name`` to an open game in which ``user`` sits; return them. Once more is no error.

    Raises `GameError`: ``no-such-game``, ``not-yours``, ``not-open``, ``guest-invites``, ``no-such-person``,
    ``invited-self``, ``person-seated``, ``person-declined``, ``person-removed``, ``suspended``, ``not-to-be-invited``,
    ``bot-joins`` for a bot in a game that takes none, ``not-for-bots``, ``too-many-invitations``.
    """
    game = game_to_invite_to(game_key, user, now)
    # Whoever is found here has a public page under the same name: an answer gives away nothing that the page does not.
    person = User.objects.named(name)
    if person is None:
        raise GameError(GameCode.NO_SUCH_PERSON, name=name)
    if person == user:
        raise GameError(GameCode.INVITED_SELF)
    if person.is_bot and not game.takes_bots:
        raise GameError(GameCode.BOT_JOINS)
    if seat_of(game, person) is not None:
        raise GameError(GameCode.PERSON_SEATED, name=person.display_name)
    # One by address stays unknown to who sent it: it gives way, whatever became of it.
    Invitation.objects.filter(game=game, user=person, by_address=True).delete()
    present = Invitation.objects.filter(game=game, user=person).first()
    if present is not None:
        if present.declined_at is not None:
            raise GameError(GameCode.PERSON_DECLINED, name=person.display_name)
        return person
    removed = Removal.objects.filter(same_people(person, "user"), game=game)
    removal = removed.values_list("pk", flat=True).first()
    if game.creator_id != user.pk and removal is not None:
        raise GameError(GameCode.PERSON_REMOVED, name=person.display_name)
    refuse_apart(person, game, GameCode.NOT_TO_BE_INVITED, name=person.display_name)
    limit_invitations(user, now)
    removed.delete()
    send_invitation(game, person, user, now, anew=removal)
    return person


@transaction.atomic(durable=True)
def decline(*, game_key: str, user: User, now: datetime) -> None:
    """Say no to an invitation; once more is no error.

    Raises `GameError`: ``no-such-game``, ``not-invited``, ``already-joined``, ``not-open``.
    """
    game = lock_game(key=game_key)
    invitation = Invitation.objects.filter(game=game, user=user).first()
    if invitation is None:
        raise GameError(GameCode.NOT_INVITED)
    if seat_of(game, user) is not None:
        raise GameError(GameCode.ALREADY_JOINED)
    if game.status != Status.OPEN:
        raise GameError(GameCode.NOT_OPEN)
    if invitation.declined_at is None:
        invitation.declined_at = now
        invitation.save(update_fields=["declined_at"])


def game_to_invite_to(game_key: str, user: User, now: datetime) -> Game:
    """Return an open game in which ``user`` sits, with both locked.

    The person before the game, as where an account is deleted: two requests at once count each other's invitations.
    Raises `GameError`: ``no-such-game``, ``not-yours``, ``not-open``, ``guest-invites``, ``not-for-bots``,
    ``suspended``.
    """
    sender = lock_person(user.pk)
    game = lock_game(key=game_key)
    if seat_of(game, user) is None:
        raise GameError(GameCode.NOT_YOURS)
    if game.status != Status.OPEN:
        raise GameError(GameCode.NOT_OPEN)
    if user.is_guest:
        raise GameError(GameCode.GUEST_INVITES)
    refuse_bot(sender)
    refuse_suspended(sender, now)
    return game


def send_invitation(game: Game, person: User, by: User, now: datetime, *, anew: int | None = None) -> None:
    """Ask a person to take a seat of a locked open game, for which they were not asked yet, or ``anew``."""
    Invitation.objects.create(game=game, user=person, by=by, at=now, rematch_of_id=game.rematch_of_id)
    enqueue(game, Invited(person.pk, by.pk, anew), now=now)


def invite_all(game: Game, people: Iterable[User], by: User, now: datetime) -> None:
    """Ask people to a new game, whose creator is locked. Raises `GameError` (``too-many-invitations``)."""
    asked = list(people)
    limit_invitations(by, now, len(asked))
    for person in asked:
        send_invitation(game, person, by, now)


def limit_invitations(user: User, now: datetime, sending: int = 1) -> None:
    """Refuse one invitation too many: a game that is withdrawn at once must not free its invitations for others.

    The person's row is to be locked. Raises `GameError` (``too-many-invitations``).
    """
    waiting = Q(game__status=Status.OPEN, declined_at=None)
    sent = Invitation.objects.filter(waiting | Q(at__gt=now - RECENT), by=user, by_address=False)
    if sent.count() + sending > MOST_INVITATIONS:
        raise GameError(GameCode.TOO_MANY_INVITATIONS, most=MOST_INVITATIONS)
