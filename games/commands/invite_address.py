"""Asking whoever has an e-mail address to an open game, and their wish not to be asked."""

from datetime import datetime, timedelta
from hashlib import pbkdf2_hmac
from typing import Final

from django.db import transaction

from accounts import mails
from accounts.blocks import blocked_between
from accounts.models import User
from games.commands._lock import lock_game, lock_person
from games.commands._open_game import RECENT
from games.commands.invite import game_to_invite_to
from games.errors import GameCode, GameError
from games.log.seats import seats_of
from games.log.table import seat_of
from games.models import Invitation, MailInvitation, Removal, Unwanted
from games.models.choices import Status
from games.notices.facts import Invited
from games.notices.outbox import enqueue

MAIL: Final = "game_invitation"
"""The template of the mail to who has no account."""
MOST_MAILED: Final = 10
"""How many addresses one person can invite within `RECENT`."""
MOST_TO_ONE: Final = 3
"""How many such mails one address gets within `AWHILE`, whoever asks for them."""
AWHILE: Final = timedelta(days=7)
ROUNDS: Final = 200_000
"""How hard it is to find out by trying whose digest one is."""


@transaction.atomic(durable=True)
def invite_address(*, game_key: str, user: User, address: str, now: datetime) -> None:
    """Ask whoever has an address to an open game in which ``user`` sits; once more is no error.

    The same happens whether somebody has an account with it or not: a worker finds out. Raises `GameError`:
    ``no-such-game``, ``not-yours``, ``not-open``, ``guest-invites``, ``suspended``, ``invited-self``,
    ``too-many-mailed``.
    """
    game = game_to_invite_to(game_key, user, now)
    if address.lower() == user.email:
        raise GameError(GameCode.INVITED_SELF)
    if MailInvitation.objects.filter(game=game, address=address.lower()).exists():
        return
    if MailInvitation.objects.filter(by=user, at__gt=now - RECENT).count() >= MOST_MAILED:
        raise GameError(GameCode.TOO_MANY_MAILED, most=MOST_MAILED)
    invitation = MailInvitation.objects.create(game=game, by=user, address=address.lower(), at=now)
    mails.ask(MAIL, address, invitation=invitation.pk)


@transaction.atomic(durable=True)
def pass_on(*, invitation: MailInvitation, person: User, now: datetime) -> None:
    """Invite the person who turns out to have the address, by a notice as they want it; nobody else learns of it."""
    lock_person(person.pk)
    game = lock_game(pk=invitation.game_id)
    if blocked_between(person, [invitation.by, *(seat.user for seat in seats_of(game))]):
        return
    known = (Invitation.objects.filter(game=game, user=person), Removal.objects.filter(game=game, user=person))
    if game.status != Status.OPEN or seat_of(game, person) is not None or any(rows.exists() for rows in known):
        return
    Invitation.objects.create(game=game, user=person, by=invitation.by, at=now, by_address=True)
    enqueue(game, Invited(person.pk, invitation.by_id), now=now)


def may_be_mailed(invitation: MailInvitation, now: datetime) -> bool:
    """Return whether an invitation may still go to an address that nobody has an account with."""
    if invitation.game.status != Status.OPEN or not invitation.by.is_active:
        return False
    others = MailInvitation.objects.filter(address=invitation.address, at__gt=now - AWHILE, pk__lt=invitation.pk)
    return others.count() < MOST_TO_ONE and not is_unwanted(invitation.address)


@transaction.atomic(durable=True)
def refuse_invitations(*, address: str, now: datetime) -> None:
    """Send no invitations to an address any more. Once more is no error."""
    Unwanted.objects.get_or_create(digest=digest_of(address), defaults={"at": now})


@transaction.atomic(durable=True)
def allow_invitations(*, address: str) -> None:
    """Take back `refuse_invitations`."""
    Unwanted.objects.filter(digest=digest_of(address)).delete()


def is_unwanted(address: str) -> bool:
    """Return whether whoever has an address wants no invitations."""
    return Unwanted.objects.filter(digest=digest_of(address)).exists()


def digest_of(address: str) -> str:
    """Return what is kept of an address to which nothing is to be sent. It outlives every secret key of the site."""
    return pbkdf2_hmac("sha256", address.lower().encode(), b"games.unwanted", ROUNDS).hex()
