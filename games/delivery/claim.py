"""Claiming: what waits for a person is decided about, and what is to go now is taken by one sender."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import connection, transaction
from django.db.models import F
from django.db.models.functions import Coalesce

from accounts.mail_format import make_message_id
from accounts.models import User
from games.delivery.decide import Close, Decider, Send, Wait
from games.notices import schedule
from games.notices.kinds import Cause, NoticeState
from games.notices.models import Notice, Outlet
from games.notices.topics import TOPICS
from games.queries.notices import unclaimed_notices


@dataclass(frozen=True, slots=True)
class Bundle:
    """Claimed notices that make one mail, or one call of an outlet."""

    user: User
    outlet: Outlet | None
    """None for a mail."""
    notices: tuple[Notice, ...]
    message_id: str


def claim(user_id: int, now: datetime, *, outlet_id: int | None = None) -> Bundle | None:
    """Decide about everything that waits for a person, by mail or for an outlet of theirs.

    Returns what is to be sent now, taken for `schedule.LEASE`.
    """
    with transaction.atomic():
        waiting = unclaimed_notices(now).filter(user_id=user_id, at__lte=now)
        waiting = waiting.filter(outlet=None) if outlet_id is None else waiting.filter(outlet=outlet_id)
        rows = waiting.select_related("user", "outlet").order_by("pk")
        if connection.features.has_select_for_update_skip_locked:
            rows = rows.select_for_update(skip_locked=True, of=("self",), no_key=True)
        notices = list(rows)
        if not any(notice.due_at <= now for notice in notices):
            return None
        left_behind = [notice for notice in notices if notice.message_id and notice.due_at <= now]
        user, outlet = notices[0].user, notices[0].outlet
        if left_behind:
            message_id = left_behind[0].message_id
            group = [notice for notice in left_behind if notice.message_id == message_id]
            chosen = _still_so(Decider(user, group, now, outlet), group, now)
        else:
            group = [notice for notice in notices if not notice.message_id]
            chosen = _chosen(Decider(user, group, now, outlet), group, now)
            message_id = make_message_id() if chosen else ""
        _save(notice for notice in group if notice not in chosen)
        _take(chosen, message_id, now)
    return Bundle(user, outlet, tuple(chosen), message_id) if chosen else None


def _chosen(decider: Decider, notices: Sequence[Notice], now: datetime) -> list[Notice]:
    """Apply the verdicts and return what goes into the mail.

    Where something is sent, what would only have waited a few minutes goes along; where that is urgent, also what would
    have waited for an hour between mails about turns, or for the morning.
    """
    chosen: list[Notice] = []
    along: dict[Cause, list[Notice]] = {cause: [] for cause in (Cause.DELAY, Cause.SPACED, Cause.QUIET)}
    for notice in notices:
        match decider.verdict(notice):
            case Send():
                chosen.append(notice)
            case Wait(until, cause):
                notice.due_at, notice.cause = until, cause
                if cause in along and not decider.is_present(notice):
                    along[cause].append(notice)
            case Close(cause):
                _hold_back(notice, cause, now)
    if not chosen:
        return []
    urgent = any(TOPICS[notice.topic].urgent for notice in chosen)
    joining = [*along[Cause.DELAY], *(along[Cause.SPACED] + along[Cause.QUIET] if urgent else [])]
    return sorted([*chosen, *joining], key=lambda notice: notice.pk)


def _still_so(decider: Decider, notices: Sequence[Notice], now: datetime) -> list[Notice]:
    """Close what is no longer so of a mail that may have been sent, and return the rest."""
    kept = []
    for notice in notices:
        match decider.verdict(notice):
            case Close(cause):
                _hold_back(notice, cause, now)
            case Wait(until, Cause.UNKNOWN):
                notice.due_at, notice.cause = until, Cause.UNKNOWN
            case _:
                kept.append(notice)
    return kept


def _hold_back(notice: Notice, cause: str, now: datetime) -> None:
    notice.state, notice.cause, notice.closed_at = NoticeState.HELD_BACK, cause, now
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
        notice.tried_at = notice.tried_at or now
    rows = Notice.objects.filter(pk__in=[notice.pk for notice in notices])
    rows.update(
        lease_until=lease, message_id=message_id, attempts=F("attempts") + 1, tried_at=Coalesce("tried_at", now)
    )
