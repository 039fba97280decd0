"""A person's list of friends, which nobody else sees."""

from datetime import datetime
from typing import Final

from django.db import transaction

from accounts.models import User
from games.commands._lock import lock_person
from games.errors import GameCode, GameError
from games.models import Friend

MOST_FRIENDS: Final = 200


@transaction.atomic(durable=True)
def add_friend(*, user: User, name: str, now: datetime) -> User:
    """Put the person called ``name`` on the list of ``user``; return them. Once more is no error.

    Raises `GameError`: ``guest-invites``, ``no-such-person``, ``befriended-self``, ``too-many-friends``.
    """
    lock_person(user.pk)
    if user.is_guest:
        raise GameError(GameCode.GUEST_INVITES)
    person = User.objects.named(name)
    if person is None or person.is_bot:
        raise GameError(GameCode.NO_SUCH_PERSON, name=name)
    if person == user:
        raise GameError(GameCode.BEFRIENDED_SELF)
    others = Friend.objects.filter(user=user).exclude(friend=person)
    if others.count() >= MOST_FRIENDS:
        raise GameError(GameCode.TOO_MANY_FRIENDS, most=MOST_FRIENDS)
    Friend.objects.get_or_create(user=user, friend=person, defaults={"at": now})
    return person


@transaction.atomic(durable=True)
def drop_friend(*, user: User, person_id: int) -> None:
    """Take a person off the list of ``user``. Who is not on it is no error."""
    Friend.objects.filter(user=user, friend=person_id).delete()
