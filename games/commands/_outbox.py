"""What has to follow in the outbox where what a person wants has changed."""

from typing import Final

from django.db.models import F

from accounts.models import User
from games.notices.kinds import NoticeState
from games.notices.models import Notice

WELL: Final = {"failing_since": None, "failures": 0, "wait_until": None, "trouble": ""}
"""The columns of an outlet that nothing is wrong with."""


def reconsider(user: User) -> None:
    """Look anew at each notice that waits for a person."""
    Notice.objects.filter(user=user, state=NoticeState.WAITING).update(due_at=F("at"))
