"""Access tokens: with one a program does some of what its person may do, and nothing about their account.

A person makes one in the settings, is shown it once, and takes it back there. What ends all their other sign-ins ends
their tokens too (`accounts.sessions`): a new password, another address, signing out everywhere else, the staff's
signing them out. The tokens of a person's bots are theirs as well: made, counted, taken back and ended with their own.
Whoever is suspended plays on in their running games, and so does their program.
"""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Final

import structlog
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from accounts import mails
from accounts.audit import Staff, record
from accounts.bots import with_bots
from accounts.models import AccessToken, Scope, StaffAct, User
from accounts.token_text import digest, draw, is_token, start_of
from statements import Parameter, Select

MOST: Final = 20
"""How many tokens a person and their bots may have, those included that have expired and still stand on the page."""
USED_EVERY: Final = timedelta(minutes=10)
"""How often at most it is written down that a token was used."""
KEPT_FOR: Final = timedelta(days=30)
"""How long a token that has expired stands on its person's page."""
LIVES: Final[Mapping[str, timedelta | None]] = {
    "month": timedelta(days=30),
    "quarter": timedelta(days=90),
    "year": timedelta(days=365),
    "never": None,
}
"""How long a token may live, by the name of the choice."""
TOKEN: Final = Select(AccessToken.objects.select_related("user__owner").filter(hash=Parameter("hash")))

logger = structlog.get_logger(__name__)


class TokenError(Exception):
    """A token can't be made."""


class NotConfirmedError(TokenError):
    """Its person is a guest, or has not confirmed their address, where a mail would tell them of it."""


class NameTakenError(TokenError):
    """They have one of that name."""


class TooManyError(TokenError):
    """They have `MOST`."""


@sensitive_variables("text")
@transaction.atomic
def make(
    user: User,
    *,
    name: str,
    scopes: Collection[Scope],
    life: timedelta | None,
    now: datetime,
    bot: User | None = None,
) -> tuple[AccessToken, str]:
    """Make a token of a person, or of a ``bot`` of theirs; return its row, and its text for this once.

    It lives for so long, or until it is taken back. The person is told by a mail. Raises `TokenError`.
    """
    # The lock keeps two forms of one person apart, so that the second one sees what the first has made.
    person = User.objects.select_for_update(no_key=True).filter(pk=user.pk, is_active=True).first()
    if person is None or person.is_guest or not person.is_confirmed:
        raise NotConfirmedError
    if bot is not None and bot.owner_id != person.pk:
        raise NotConfirmedError
    if owned(person).filter(user=bot or person, name=name).exists():
        raise NameTakenError
    if owned(person).count() >= MOST:
        raise TooManyError
    text = draw()
    token = AccessToken.objects.create(
        user=bot or person,
        name=name,
        start=start_of(text),
        hash=digest(text),
        scopes=" ".join(scope for scope in Scope if scope in scopes),
        made_at=now,
        expires_at=None if life is None else now + life,
    )
    logger.info("access token made", user=token.user_id, token=token.pk, scopes=token.scopes)
    words = {"name": name} if bot is None else {"name": name, "bot": bot.display_name}
    mails.ask(mails.ACCESS_MADE, person.email, user=person, **words)
    return token, text


@sensitive_variables("text")
@transaction.atomic
def make_for_calendar(user: User, *, name: str, now: datetime) -> str:
    """Make the token in the address of a person's calendar, in place of the one before; return its text for this once.

    Raises `TokenError`.
    """
    close_calendar(user)
    return make(user, name=name, scopes=[Scope.CALENDAR], life=None, now=now)[1]


def close_calendar(user: User) -> None:
    """Take the address of a person's calendar back. Once more is no error."""
    calendar_tokens(user).delete()


def calendar_tokens(user: User) -> QuerySet[AccessToken]:
    """Return the tokens that open a person's calendar and nothing else: one, or none."""
    return AccessToken.objects.filter(user=user, scopes=Scope.CALENDAR)


@sensitive_variables("text")
def find(text: str, *, now: datetime) -> AccessToken | None:
    """Return the token with this text, with its person, if it opens anything now: one query, or none for no token.

    It is found by its hash, so that the time this takes tells nothing of tokens that there are.
    """
    token = TOKEN.first(hash=digest(text)) if is_token(text) else None
    if token is None or token.is_expired(now) or not token.user.is_active:
        return None
    owner = token.user.owner
    return token if owner is None or owner.is_active else None


def note_used(token: AccessToken, now: datetime) -> None:
    """Write down that a token is used, unless that was done within `USED_EVERY`, or somebody else is at its row."""
    before = now - USED_EVERY
    if token.used_at is not None and token.used_at > before:
        return
    with transaction.atomic():
        stale = AccessToken.objects.filter(Q(used_at=None) | Q(used_at__lte=before), pk=token.pk)
        for pk in stale.select_for_update(skip_locked=True).values_list("pk", flat=True):
            AccessToken.objects.filter(pk=pk).update(used_at=now)


def owned(user: User) -> QuerySet[AccessToken]:
    """Return the tokens of a person and of their bots, the latest first, each with whose it is."""
    tokens = AccessToken.objects.filter(with_bots(user, "user"))
    return tokens.select_related("user").order_by("-made_at", "-pk")


def of_number(user: User, number: int) -> AccessToken | None:
    """Return a token of a person or their bots by its number, or None where they have no such one."""
    return owned(user).filter(pk=number).first()


def revoke(user: User, number: int) -> bool:
    """Take a token back, which opens nothing from now on; return whether its person had it."""
    found, _rows = AccessToken.objects.filter(with_bots(user, "user"), pk=number).delete()
    if found:
        logger.info("access token revoked", user=user.pk, token=number)
    return bool(found)


def revoke_all(user: User) -> int:
    """Take all tokens of a person and of their bots back; return how many there were."""
    count, _rows = AccessToken.objects.filter(with_bots(user, "user")).delete()
    if count:
        logger.info("access tokens revoked", user=user.pk, count=count)
    return count


@transaction.atomic
def revoke_for_staff(user: User, staff: Staff) -> None:
    """Take all tokens of a person back, or of a bot, for the staff; the person is told by a mail."""
    count = revoke_all(user)
    record(staff, StaffAct.REVOKE_TOKENS, timezone.now(), person=user.pk, count=count)
    person = user.owner or user
    if count:
        mails.ask(mails.ACCESS_REVOKED, person.email, user=person)


def spent(now: datetime) -> QuerySet[AccessToken]:
    """Return the tokens that expired so long ago that they are to be deleted."""
    return AccessToken.objects.filter(expires_at__lte=now - KEPT_FOR)
