"""Bots: accounts of people's programs, each with an owner. The site's own computer players are none.

A bot plays through the API alone, by access tokens that its owner makes (`accounts.tokens`). It has neither address nor
password, nobody signs in to it, and it gets no mail. Its name ends in a word that no person's name may end in, so that
it is marked wherever names stand.
"""

from datetime import datetime
from typing import Final

import structlog
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from accounts.addresses import no_address
from accounts.blocks import numbers_of
from accounts.models import User
from accounts.names import MAX_LENGTH, normalise_name, validate_name, validate_person

MOST: Final = 5
"""How many bots a person may have."""
ENDING: Final = " bot"
"""How the name of each bot ends, and no person's (`accounts.names`)."""
NAME_LENGTH: Final = MAX_LENGTH - len(ENDING)
"""How long what comes before it may be."""

logger = structlog.get_logger(__name__)


class BotError(Exception):
    """A bot can't be made."""


class NotConfirmedError(BotError):
    """Its owner is a guest or a bot, or has not confirmed their address."""


class BarredError(BotError):
    """The staff has silenced or suspended its owner."""


class TooManyError(BotError):
    """They have `MOST`."""


@transaction.atomic
def make_bot(owner: User, name: str, now: datetime) -> User:
    """Make a bot of a person, called ``name`` and `ENDING`, with their language and zone.

    Raises `BotError`, and `ValidationError` for a name that nobody may have, or that somebody has.
    """
    # The lock keeps two forms of one person apart, so that the second one sees what the first has made.
    person = User.objects.select_for_update(no_key=True).filter(pk=owner.pk, is_active=True).first()
    if person is None or person.is_guest or person.is_bot or not person.is_confirmed:
        raise NotConfirmedError
    if person.is_silenced(now):
        raise BarredError
    if owned(person).count() >= MOST:
        raise TooManyError
    bot = User(
        email=no_address(),
        display_name=full_name(name, person),
        owner=person,
        language=person.language,
        time_zone=person.time_zone,
        hints=False,
        date_joined=now,
    )
    bot.set_unusable_password()
    try:
        with transaction.atomic():
            bot.save()
    except IntegrityError as error:  # at this moment
        raise ValidationError(_("That name is already taken."), code="taken") from error
    logger.info("bot made", user=person.pk, bot=bot.pk)
    return bot


def full_name(text: str, owner: User) -> str:
    """Return what a bot will be called whose owner wants this name for it, with or without its ending.

    Raises `ValidationError` for what no name may be, for one of somebody else, and for one that a bot has.
    """
    name = normalise_name(text)
    name = name[: -len(ENDING)] if name.casefold().endswith(ENDING) else name
    if len(name) > NAME_LENGTH:
        raise ValidationError(_("A name has at most %(most)s characters."), "long", {"most": NAME_LENGTH})
    validate_name(name)
    validate_person(name)
    full = f"{name}{ENDING}"
    if User.objects.name_taken(name, besides=owner) or User.objects.name_taken(full):
        raise ValidationError(_("That name is already taken."), code="taken")
    return full


def owned(owner: User) -> QuerySet[User]:
    """Return a person's bots, the first one first."""
    return User.objects.filter(owner=owner).order_by("pk")


def of_number(owner: User, number: int) -> User | None:
    """Return a person's bot by its number, or None where they have no such one."""
    return owned(owner).filter(pk=number).first()


def with_bots(owner: User, column: str) -> Q:
    """Return the condition that a column names a person or one of their bots."""
    return Q(**{column: owner}) | Q(**{f"{column}__owner": owner})


def same_people(user: User, column: str) -> Q:
    """Return the condition that a column names somebody, who is behind them, or another bot of the same person."""
    numbers = numbers_of(user)
    return Q(**{f"{column}__in": numbers}) | Q(**{f"{column}__owner__in": numbers})
