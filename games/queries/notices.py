"""What a person reads about their notices, and what the sender reads of what waits."""

from collections.abc import Collection
from datetime import datetime

from django.db.models import Min, Q, QuerySet

from accounts.models import User
from games.log.seats import with_seats
from games.models import Game, defer_hidden
from games.notices.kinds import Channel, NoticeKind, NoticeState
from games.notices.models import Notice, Outlet
from games.notices.preferences import parse_token


def delivered(user: User, now: datetime) -> QuerySet[Notice, int]:
    """Return the numbers of a person's notices that are true by ``now``, newest first, to be sliced into pages."""
    return Notice.objects.filter(user=user, at__lte=now).order_by("-at", "-pk").values_list("pk", flat=True)


def deliveries(numbers: Collection[int]) -> list[Notice]:
    """Return the notices of these numbers, newest first, with their games: two queries, none for no number.

    A page is found by the numbers alone, so that no game is read of the pages before it.
    """
    if not numbers:
        return []
    rows = Notice.objects.filter(pk__in=numbers).select_related("outlet")
    return list(with_seats(defer_hidden(rows), "game").order_by("-at", "-pk"))


def muted_games(user: User) -> QuerySet[Game]:
    """Return the games that a person muted, with their seats."""
    return with_seats(Game.objects.filter(mutes__user=user)).order_by("pk")


def read_token(token: str) -> tuple[User, tuple[NoticeKind, ...]] | None:
    """Return whom and which kinds a token stands for, or None for one that we did not make or who is gone."""
    parsed = parse_token(token)
    if parsed is None:
        return None
    user = User.objects.filter(pk=parsed[0]).first()
    return None if user is None else (user, parsed[1])


def outlets_of(user: User, channel: Channel) -> list[Outlet]:
    """Return a person's outlets of a channel, the first one first."""
    return list(Outlet.objects.filter(user=user, channel=channel).select_related("session").order_by("pk"))


def outlet_of(user: User, number: int) -> Outlet | None:
    """Return a person's outlet of that number, or None where they have no such one."""
    return Outlet.objects.filter(user=user, pk=number).first()


def unclaimed_notices(now: datetime) -> QuerySet[Notice]:
    """Return the notices that wait to be sent and that nobody is sending."""
    unclaimed = Q(lease_until=None) | Q(lease_until__lt=now)
    return Notice.objects.filter(unclaimed, state=NoticeState.WAITING)


def people_due(now: datetime, size: int, besides: Collection[int] = ()) -> list[int]:
    """Return the ids of at most ``size`` people for whose mails there are notices to look at, longest due first."""
    waiting = unclaimed_notices(now).filter(outlet=None, due_at__lte=now).exclude(user__in=besides)
    rows = waiting.values("user").annotate(first=Min("due_at")).order_by("first")
    return list(rows.values_list("user", flat=True)[:size])


def outlets_due(now: datetime, size: int, besides: Collection[int] = ()) -> list[tuple[int, int]]:
    """Return (person, outlet) of at most ``size`` outlets that have notices to look at, longest due first."""
    waiting = unclaimed_notices(now).filter(outlet__isnull=False, due_at__lte=now).exclude(outlet__in=besides)
    rows = waiting.values("user", "outlet").annotate(first=Min("due_at")).order_by("first")
    return list(rows.values_list("user", "outlet")[:size])
