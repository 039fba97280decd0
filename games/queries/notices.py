"""What a person reads about their notices."""

from datetime import datetime

from django.db.models import QuerySet

from accounts.models import User
from games.models import Game
from games.notices.kinds import NoticeKind
from games.notices.models import Notice
from games.notices.preferences import parse_token


def deliveries(user: User, now: datetime) -> QuerySet[Notice]:
    """Return every notice of a person that is true by ``now``, newest first, to be sliced into pages."""
    rows = Notice.objects.filter(user=user, at__lte=now).select_related("game")
    return rows.prefetch_related("game__seats").order_by("-at", "-pk")


def muted_games(user: User) -> QuerySet[Game]:
    """Return the games that a person muted, with their seats."""
    return Game.objects.filter(mutes__user=user).prefetch_related("seats").order_by("pk")


def read_token(token: str) -> tuple[User, tuple[NoticeKind, ...]] | None:
    """Return whom and which kinds a token stands for, or None for one that we did not make or who is gone."""
    parsed = parse_token(token)
    if parsed is None:
        return None
    user = User.objects.filter(pk=parsed[0]).first()
    return None if user is None else (user, parsed[1])
