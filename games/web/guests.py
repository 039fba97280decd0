"""A guest account for who plays without signing in."""

from uuid import UUID

from allauth.core.internal import ratelimit
from django.contrib.auth import login
from django.http import HttpRequest
from django.utils import timezone

from accounts.guests import made_with, make_guest
from accounts.languages import current_language
from accounts.models import User


def let_guest_in(request: HttpRequest, token: UUID | None) -> User | None:
    """Make a guest account and sign it in; None where too many were made from this address of the network today.

    ``token`` is that of the form: sent again, it leads to the same account, which counts once.
    """
    now = timezone.now()
    guest = made_with(token, now=now)
    if guest is None:
        if ratelimit.consume(request, app="allauth.account", action="guest") is None:
            return None
        guest = make_guest(language=current_language(), token=token, now=now)
    login(request, guest)
    return guest
