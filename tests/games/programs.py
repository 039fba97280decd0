"""What tests of programs that play through the API share: access tokens, and a site without limits."""

import pytest
from django.utils import timezone

from accounts import tokens
from accounts.models import Scope, User
from games.api import base


def token_of(user: User, bot: User | None = None) -> str:
    """Make an access token that may do everything, of a person or a bot of theirs, and return its text."""
    return tokens.make(user, name="Bot", scopes=[*Scope], life=None, now=timezone.now(), bot=bot)[1]


def limitless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let everybody ask as often as they like."""
    for throttle in (
        base.ReadThrottle,
        base.AskThrottle,
        base.PlayThrottle,
        base.CreateThrottle,
        base.SandboxThrottle,
    ):
        monkeypatch.setattr(throttle, "rate", "100000/min")
