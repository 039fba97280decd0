"""What has to follow in the outbox where what a person wants has changed."""

from django.db.models import F

from accounts.models import User
from games.notices.kinds import NoticeState
from games.notices.models import Notice


def reconsider(user: User) -> None:
    """Look anew at each notice that waits for a person."""
    Notice.objects.filter(user=user, state=NoticeState.WAITING).update(due_at=F("at"))
