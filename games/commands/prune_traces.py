"""Deleting what people leave behind and what has served its time: presences, sessions, codes, tokens, the audit."""

from datetime import datetime, timedelta
from typing import Final

from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, Model, OuterRef, QuerySet

from accounts import archives, audit, codes, households, tokens
from accounts.sessions import left_over
from games.log.table import ENDED
from games.models import JudgedTurn, MailInvitation, Message, Report, TurnKey
from games.models.choices import Status
from games.notices.models import GameMute, Presence

PRESENCE_KEPT_FOR: Final = timedelta(days=1)
"""How long a presence is kept; it holds mails back for minutes."""
MUTE_KEPT_FOR: Final = timedelta(days=30)
"""How long a mute is kept after its game has ended and the last message in it was written."""

MAILED_KEPT_FOR: Final = timedelta(days=30)
"""How long an address that was invited by mail is kept; longer only while the game waits for players."""

REPORT_KEPT_FOR: Final = timedelta(days=365)
"""How long a report is kept after the staff has closed it."""

JUDGED_KEPT_FOR: Final = timedelta(days=30)
"""How long it is kept what a turn was worth that somebody answered a puzzle with, and that one could not be judged."""

TURN_KEY_KEPT_FOR: Final = timedelta(days=1)
"""How long it is kept by what key a program played a turn."""


def prune_traces(*, size: int, now: datetime) -> int:
    """Delete at most ``size`` rows of each kind that have served their time; return how many. 0 means none is left.

    Rows that another run, or anyone else, is at are left to a later run, so nothing waits for anything.
    """
    return (
        _delete(Presence.objects.filter(seen_at__lt=now - PRESENCE_KEPT_FOR), size)
        + _delete(_spent_mutes(now - MUTE_KEPT_FOR), size)
        + _delete(Session.objects.filter(expire_date__lt=now), size)
        + _delete(archives.spent(now), size)
        + _delete(codes.spent(now), size)
        + _delete(tokens.spent(now), size)
        + _delete(left_over(), size)
        + _delete(_answered_mail(now - MAILED_KEPT_FOR), size)
        + _delete(Report.objects.filter(closed_at__lt=now - REPORT_KEPT_FOR), size)
        + _delete(JudgedTurn.objects.filter(judged_at__lt=now - JUDGED_KEPT_FOR), size)
        + _delete(JudgedTurn.objects.filter(judged_at=None, asked_at__lt=now - JUDGED_KEPT_FOR), size)
        + _delete(TurnKey.objects.filter(at__lt=now - TURN_KEY_KEPT_FOR), size)
        + _delete(audit.spent(now), size)
        + _delete(households.spent(now), size)
    )


def _spent_mutes(before: datetime) -> QuerySet[GameMute]:
    """Return the mutes of games that ended before an instant and in which nobody has written since."""
    talk = Message.objects.filter(game=OuterRef("game"), at__gte=before)
    ended = GameMute.objects.filter(game__status__in=ENDED, game__finished_at__lt=before)
    return ended.exclude(Exists(talk))


def _answered_mail(before: datetime) -> QuerySet[MailInvitation]:
    return MailInvitation.objects.filter(at__lt=before).exclude(game__status=Status.OPEN)


@transaction.atomic(durable=True)
def _delete[M: Model](rows: QuerySet[M], size: int) -> int:
    """Delete at most ``size`` of the rows; return how many. They are locked first, so none is renewed meanwhile."""
    locked = rows.select_for_update(skip_locked=True, of=("self",)).order_by("pk")
    found = list(locked.values_list("pk", flat=True)[:size])
    return rows.model._default_manager.filter(pk__in=found).delete()[0] if found else 0
