"""Archives of all that the site stores about a person: asked for by them, made by a worker, kept for a week.

What goes into them is gathered by `games.queries.archive`, as most of it is about games.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from io import BytesIO
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts import mails
from accounts.models import Archive, User
from accounts.nudge import nudge

KEPT_FOR: Final = timedelta(days=7)
"""How long an archive can be downloaded."""
EVERY: Final = timedelta(days=1)
"""How often at most a person can ask for one; as long a worker tries to make it."""
SAME_PRESS: Final = timedelta(minutes=1)
"""For how long asking again is taken for the same request sent twice."""
LEASE: Final = timedelta(minutes=5)
"""How long making one may take before another worker tries."""
LATE: Final = timedelta(minutes=30)
"""After so much time an archive that is awaited is worth the alarm."""
MAKE: Final = "accounts.make_archives"


class TooSoonError(Exception):
    """A person has asked for an archive less than a day ago, and got it."""


def archive_of(user: User) -> Archive | None:
    """Return the archive that a person asked for last, without what is in it."""
    return Archive.objects.filter(user=user).first()


def is_awaited(archive: Archive, now: datetime) -> bool:
    """Return whether a worker will make an archive, or is at it. It is given up after a day."""
    return archive.made_at is None and now < archive.asked_at + EVERY


def can_be_had(archive: Archive, now: datetime) -> bool:
    """Return whether an archive can be downloaded."""
    return archive.made_at is not None and now < archive.made_at + KEPT_FOR


def read(user: User, now: datetime) -> bytes | None:
    """Return the archive that a person can download, or None."""
    rows = Archive.objects.filter(user=user, made_at__gt=now - KEPT_FOR)
    data = rows.values_list("data", flat=True).first()
    return None if data is None else bytes(data)


@transaction.atomic
def ask(user: User, *, now: datetime) -> None:
    """Ask for an archive, in place of the last one. While one is awaited, that is the one.

    Raises `TooSoonError` to who got one less than a day ago.
    """
    if User.objects.select_for_update(no_key=True).filter(pk=user.pk).first() is None:
        return
    last = archive_of(user)
    if last is not None and (is_awaited(last, now) or now < last.asked_at + SAME_PRESS):
        return
    if last is not None and now < last.asked_at + EVERY:
        raise TooSoonError
    fresh = {"asked_at": now, "due_at": now, "attempts": 0, "made_at": None, "size": 0, "data": None}
    Archive.objects.update_or_create(user=user, defaults=fresh)
    transaction.on_commit(lambda: nudge(MAKE))


@transaction.atomic
def claim(now: datetime) -> Archive | None:
    """Take the archive that has been awaited longest, with its person, for as long as making one may last."""
    rows = Archive.objects.select_for_update(skip_locked=True, of=("self",)).select_related("user")
    due = rows.filter(made_at=None, due_at__lte=now, asked_at__gt=now - EVERY)
    archive = due.order_by("due_at", "pk").first()
    if archive is not None:
        archive.due_at = now + LEASE
        archive.attempts += 1
        archive.save(update_fields=["due_at", "attempts"])
    return archive


@transaction.atomic
def keep(archive: Archive, data: bytes, *, now: datetime) -> bool:
    """Keep what was made of a claimed archive, and ask for the mail that says so.

    Return False if nobody waits for it any more: the account is gone, or another worker was faster.
    """
    awaited = Archive.objects.filter(pk=archive.pk, asked_at=archive.asked_at, made_at=None)
    if not awaited.update(made_at=now, size=len(data), data=data):
        return False
    if archive.user.is_confirmed:
        mails.ask(mails.ARCHIVE, archive.user.email, user=archive.user)
    return True


def postpone(archive: Archive, *, now: datetime) -> None:
    """Look at a claimed archive that could not be made again: in two minutes, and each time after twice as long."""
    later = now + timedelta(minutes=min(2**archive.attempts, 60))
    Archive.objects.filter(pk=archive.pk, asked_at=archive.asked_at, made_at=None).update(due_at=later)


def count_late(now: datetime) -> int:
    """Return how many people have waited for too long, or in vain since yesterday: one query."""
    return Archive.objects.filter(made_at=None, asked_at__gt=now - 2 * EVERY, asked_at__lt=now - LATE).count()


def spent(now: datetime) -> QuerySet[Archive]:
    """Return the archives that nobody can download any more, and those that could not be made."""
    return Archive.objects.filter(Q(made_at__lte=now - KEPT_FOR) | Q(made_at=None, asked_at__lte=now - KEPT_FOR))


def pack(files: Iterable[tuple[str, str]], *, now: datetime) -> bytes:
    """Return files, each a name and a text, as one that programs for archives can open."""
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for name, text in files:
            archive.writestr(ZipInfo(name, now.timetuple()[:6]), text, ZIP_DEFLATED)
    return packed.getvalue()
