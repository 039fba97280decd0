"""The sweep of the outbox: what is due is claimed person by person, sent outside of the transaction, and marked.

Who dies between sending and marking leaves the mail's Message-ID behind: after the lease the same mail goes again.
"""

import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from smtplib import SMTPRecipientsRefused, SMTPResponseException
from typing import Final

import structlog
from django.conf import settings
from django.core.mail import EmailMultiAlternatives, mailers
from django.core.mail.backends.base import BaseEmailBackend
from django.db import connection, transaction
from django.db.models import F, Min, Q, QuerySet

from accounts.models import User
from games import commands
from games.mail.content import compose_mail
from games.mail.decide import Close, Decider, Send, Wait
from games.mail.render import make_mail
from games.notices import schedule
from games.notices.kinds import Cause, Channel, NoticeState
from games.notices.models import Notice

BATCH: Final = 100
PATIENCE: Final = 15.0
"""Seconds after which a sweep leaves the rest to the next one."""
PERMANENT: Final = 500
"""From this answer on, a mail server refuses for good."""

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Bundle:
    """Claimed notices that make one mail."""

    user: User
    notices: tuple[Notice, ...]
    message_id: str


class MailServerAwayError(Exception):
    """No connection to the mail server could be made: nothing was sent."""


def send_due(now: datetime) -> int:
    """Send what is due by ``now``, one mail a person; return how many mails went. Safe to run twice at once."""
    give_up = time.monotonic() + PATIENCE
    outlet = mailers.default
    served: set[int] = set()
    sent = 0
    try:
        while people := due_people(now, BATCH, besides=served):
            for user_id in people:
                if time.monotonic() > give_up:
                    return sent
                served.add(user_id)
                sent += _serve_safely(user_id, outlet, now)
    except MailServerAwayError:
        pass
    finally:
        _close(outlet)
    return sent


def due_people(now: datetime, size: int, besides: Collection[int] = ()) -> list[int]:
    """Return the ids of at most ``size`` people who have notices to look at, longest due first."""
    waiting = _free(now).filter(due_at__lte=now).exclude(user__in=besides)
    rows = waiting.values("user").annotate(first=Min("due_at")).order_by("first")
    return list(rows.values_list("user", flat=True)[:size])


def claim(user_id: int, now: datetime) -> Bundle | None:
    """Decide about everything that waits for a person; return what is to be sent now, taken for `schedule.LEASE`."""
    with transaction.atomic():
        rows = _free(now).filter(user_id=user_id, at__lte=now).select_related("user").order_by("pk")
        if connection.features.has_select_for_update_skip_locked:
            rows = rows.select_for_update(skip_locked=True, of=("self",), no_key=True)
        notices = list(rows)
        if not any(notice.due_at <= now for notice in notices):
            return None
        left_behind = [notice for notice in notices if notice.message_id and notice.due_at <= now]
        user = notices[0].user
        if left_behind:
            message_id = left_behind[0].message_id
            group = [notice for notice in left_behind if notice.message_id == message_id]
            chosen = _still_so(Decider(user, group, now), group, now)
        else:
            group = [notice for notice in notices if not notice.message_id]
            chosen = _chosen(Decider(user, group, now), group, now)
            message_id = make_message_id(chosen[0]) if chosen else ""
        _save(notice for notice in group if notice not in chosen)
        _take(chosen, message_id, now)
    return Bundle(user, tuple(chosen), message_id) if chosen else None


def make_message_id(first: Notice) -> str:
    """Return the Message-ID of the mail whose earliest notice is ``first``: always the same one."""
    domain = settings.SITE_URL.split("://")[-1].split(":")[0]
    return f"<notice-{first.pk}@{domain}>"


def _serve_safely(user_id: int, outlet: BaseEmailBackend, now: datetime) -> bool:
    """Serve a person; what goes wrong with their mail holds up nobody else's."""
    try:
        return _serve(user_id, outlet, now)
    except MailServerAwayError:
        raise
    except Exception:
        logger.exception("mail not sent", user=user_id)
        return False


def _serve(user_id: int, outlet: BaseEmailBackend, now: datetime) -> bool:
    """Send a person what is due; return whether a mail went."""
    bundle = claim(user_id, now)
    if bundle is None:
        return False
    try:
        mail = make_mail(compose_mail(bundle.user, bundle.notices, message_id=bundle.message_id, now=now))
    except Exception:
        _try_again(bundle, now, maybe_sent=False)
        raise
    return _hand_over(mail, bundle, outlet, now)


def _hand_over(mail: EmailMultiAlternatives, bundle: Bundle, outlet: BaseEmailBackend, now: datetime) -> bool:
    try:
        outlet.open()
    except OSError as error:
        _close(outlet)
        logger.warning("mail server out of reach", error=type(error).__name__)
        _try_again(bundle, now, maybe_sent=False)
        raise MailServerAwayError from error
    try:
        outlet.send_messages([mail])
    except SMTPRecipientsRefused as error:
        code = next(iter(error.recipients.values()), (0, b""))[0]
        if code >= PERMANENT:
            logger.warning("address refused", user=bundle.user.pk, code=code)
            _refuse(bundle, now)
        else:
            _try_again(bundle, now, maybe_sent=False)
        return False
    except OSError as error:
        # An answer is a clear no; without one the server may have taken the mail.
        logger.warning("mail not taken", error=type(error).__name__, message_id=bundle.message_id)
        _close(outlet)
        _try_again(bundle, now, maybe_sent=not isinstance(error, SMTPResponseException))
        return False
    _close_notices(bundle, NoticeState.SENT, "", now)
    logger.info("mail sent", user=bundle.user.pk, message_id=bundle.message_id, notices=len(bundle.notices))
    return True


def _free(now: datetime) -> QuerySet[Notice]:
    unclaimed = Q(lease_until=None) | Q(lease_until__lt=now)
    return Notice.objects.filter(unclaimed, state=NoticeState.WAITING, channel=Channel.MAIL)


def _chosen(decider: Decider, notices: Sequence[Notice], now: datetime) -> list[Notice]:
    """Apply the verdicts and return what goes into the mail.

    Where something is sent, what would only have waited a few minutes goes along.
    """
    chosen, along = [], []
    for notice in notices:
        match decider.verdict(notice):
            case Send():
                chosen.append(notice)
            case Wait(until, cause):
                notice.due_at, notice.cause = until, cause
                if cause is Cause.DELAY and not decider.is_present(notice):
                    along.append(notice)
            case Close(cause):
                _shut(notice, NoticeState.HELD_BACK, cause, now)
    return sorted([*chosen, *along], key=lambda notice: notice.pk) if chosen else []


def _still_so(decider: Decider, notices: Sequence[Notice], now: datetime) -> list[Notice]:
    """Close what is no longer so of a mail that may have been sent, and return the rest."""
    kept = []
    for notice in notices:
        match decider.verdict(notice):
            case Close(cause):
                _shut(notice, NoticeState.HELD_BACK, cause, now)
            case Wait(until, Cause.UNKNOWN):
                notice.due_at, notice.cause = until, Cause.UNKNOWN
            case _:
                kept.append(notice)
    return kept


def _shut(notice: Notice, state: NoticeState, cause: str, now: datetime) -> None:
    notice.state, notice.cause, notice.closed_at = state, cause, now
    notice.lease_until = None


def _save(notices: Iterable[Notice]) -> None:
    """Write down the verdicts on notices that are not sent now."""
    Notice.objects.bulk_update(notices, ("state", "cause", "closed_at", "due_at", "lease_until"))


def _take(notices: Sequence[Notice], message_id: str, now: datetime) -> None:
    """Take notices for the time that sending them may last."""
    lease = now + schedule.LEASE
    for notice in notices:
        notice.lease_until, notice.message_id = lease, message_id
        notice.attempts += 1
    rows = Notice.objects.filter(pk__in=[notice.pk for notice in notices])
    rows.update(lease_until=lease, message_id=message_id, attempts=F("attempts") + 1)


def _held(bundle: Bundle) -> QuerySet[Notice]:
    """Return the bundle's rows as far as they are still this sender's."""
    keys = [notice.pk for notice in bundle.notices]
    lease = bundle.notices[0].lease_until
    return Notice.objects.filter(pk__in=keys, state=NoticeState.WAITING, lease_until=lease)


def _close_notices(bundle: Bundle, state: NoticeState, cause: str, now: datetime) -> None:
    _held(bundle).update(state=state, cause=cause, closed_at=now, lease_until=None)


def _try_again(bundle: Bundle, now: datetime, *, maybe_sent: bool) -> None:
    """Give the notices back for a later attempt; a mail that may have got through keeps its Message-ID."""
    late = [notice.pk for notice in bundle.notices if now - notice.at > schedule.GIVE_UP]
    held = _held(bundle)
    held.filter(pk__in=late).update(state=NoticeState.FAILED, cause=Cause.GAVE_UP, closed_at=now, lease_until=None)
    held.exclude(pk__in=late).update(
        due_at=schedule.retry_at(now, max(notice.attempts for notice in bundle.notices)),
        cause=Cause.RETRY,
        lease_until=None,
        message_id=bundle.message_id if maybe_sent else "",
    )


def _refuse(bundle: Bundle, now: datetime) -> None:
    """Close the notices and mark the address that the server refuses for good."""
    with transaction.atomic():
        commands.refuse_address(user=bundle.user, address=bundle.user.email)
        _close_notices(bundle, NoticeState.FAILED, Cause.REFUSED, now)


def _close(outlet: BaseEmailBackend) -> None:
    try:
        outlet.close()
    except OSError:
        logger.debug("mail server was gone already")
