"""The outlets of a person: browsers that take pushes, and webhooks."""

from datetime import datetime
from typing import Final

import structlog
from allauth.usersessions.models import UserSession
from django.db import transaction

from accounts import mails
from accounts.models import User
from games.commands._lock import lock_person
from games.commands._outbox import WELL, reconsider
from games.errors import GameCode, GameError
from games.notices.kinds import Channel, HookStyle
from games.notices.models import Outlet

MOST_DEVICES: Final = 10
MOST_HOOKS: Final = 5

logger = structlog.get_logger(__name__)


@transaction.atomic(durable=True)
def add_device(
    *, user: User, session_key: str, name: str, address: str, public_key: str, secret: str, now: datetime
) -> Outlet:
    """Send pushes to the browser with this session from now on: to ``address``, sealed for its keys.

    A browser has one subscription; whoever had it before, or this session another, has it no more. Of too many devices
    the one goes that was made first. Raises `UserSession.DoesNotExist` where the session is not the person's.
    """
    lock_person(user.pk)
    session = UserSession.objects.get(user=user, session_key=session_key)
    _note_outlets(user)
    Outlet.objects.filter(address=address, channel=Channel.PUSH).delete()
    Outlet.objects.filter(session=session).delete()
    devices = Outlet.objects.filter(user=user, channel=Channel.PUSH)
    spare = [*devices.order_by("-pk").values_list("pk", flat=True)[MOST_DEVICES - 1 :]]
    devices.filter(pk__in=spare).delete()
    return Outlet.objects.create(
        user=user,
        channel=Channel.PUSH,
        session=session,
        name=name,
        address=address,
        public_key=public_key,
        secret=secret,
        made_at=now,
    )


@transaction.atomic(durable=True)
def add_hook(*, user: User, name: str, style: HookStyle, address: str, secret: str, now: datetime) -> Outlet:
    """Send notices to a webhook from now on; its person is told by a mail.

    Raises `GameError`: ``unconfirmed``, ``too-many-hooks``.
    """
    lock_person(user.pk)
    if user.is_guest or not user.is_confirmed:
        raise GameError(GameCode.HOOK_UNCONFIRMED)
    if Outlet.objects.filter(user=user, channel=Channel.HOOK).count() >= MOST_HOOKS:
        raise GameError(GameCode.TOO_MANY_HOOKS, most=MOST_HOOKS)
    _note_outlets(user)
    hook = Outlet.objects.create(
        user=user, channel=Channel.HOOK, name=name, style=style, address=address, secret=secret, made_at=now
    )
    logger.info("webhook made", user=user.pk, outlet=hook.pk)
    mails.ask(mails.HOOK_MADE, user.email, user=user, name=name)
    return hook


@transaction.atomic(durable=True)
def drop_outlet(*, user: User, number: int) -> bool:
    """Take an outlet of a person away, with what waits for it; return whether they had it."""
    return bool(Outlet.objects.filter(user=user, pk=number).delete()[0])


@transaction.atomic(durable=True)
def switch_on(*, user: User, number: int) -> bool:
    """Send to an outlet again that was switched off, or is left alone for a while; return whether they had it."""
    found = Outlet.objects.filter(user=user, pk=number).update(off_at=None, **WELL)
    reconsider(user)
    return bool(found)


def _note_outlets(user: User) -> None:
    """Note that somebody may have outlets, for what enqueues their notices."""
    User.objects.filter(pk=user.pk, has_outlets=False).update(has_outlets=True)
