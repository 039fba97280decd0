"""Keeping a person away, and letting them come near again."""

from datetime import datetime

from django.db import transaction
from django.db.models import Q

from accounts import blocks
from accounts.models import User
from games.commands._lock import lock_game, lock_person, save_change
from games.models import Friend, Game, Invitation
from games.models.choices import Status


@transaction.atomic(durable=True)
def block(*, user: User, number: int, now: datetime) -> User:
    """Let ``user`` block the person of that number, and withdraw what either has invited the other to; return them.

    It holds for the bots of both. They are no longer on the list of friends of ``user``.

    Seats that they hold, in open and in running games, stay theirs. Once more is no error. Raises `ValidationError`
    for oneself and for too many, `User.DoesNotExist` for nobody whom anyone may see.
    """
    # Both and their bots, the lowest number first: whatever brings two together locks one, and comes before or after.
    pair = {user.pk, User.objects.shown().get(Q(pk=number)).pk}
    bots = User.objects.filter(owner__in=pair).values_list("pk", flat=True)
    found = {pk: lock_person(pk) for pk in sorted(pair.union(bots))}
    person, other = found[user.pk], found[number]
    if blocks.add(person, other, now):
        _withdraw_invitations(person, other, now)
        Friend.objects.filter(user=person, friend=other).delete()
    return other


@transaction.atomic(durable=True)
def unblock(*, user: User, number: int) -> None:
    """Take a block back; no error if there is none."""
    person = lock_person(user.pk)
    blocks.remove(person, number)


def _withdraw_invitations(person: User, other: User, now: datetime) -> None:
    """Decline what waits between two people: to who was invited, and to who invited, it looks like any answer."""
    between = Q(user=person, by=other) | Q(user=other, by=person)
    between |= Q(user__owner=person, by=other) | Q(user__owner=other, by=person)
    waiting = Invitation.objects.filter(between, declined_at=None, game__status=Status.OPEN)
    for pk in sorted(set(waiting.values_list("game", flat=True))):
        _decline(pk, between, now)


def _decline(game_id: int, between: Q, now: datetime) -> None:
    game: Game = lock_game(pk=game_id)
    if game.status == Status.OPEN and Invitation.objects.filter(between, game=game, declined_at=None).update(
        declined_at=now
    ):
        save_change(game)
