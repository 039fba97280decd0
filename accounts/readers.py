"""Who reads a page of the account."""

from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from accounts.models import User


def stored_reader(request: HttpRequest) -> User:
    """Return who is signed in, read anew, so that a form in error leaves alone whose page it is; 404 for nobody."""
    return get_object_or_404(User, pk=request.user.pk or 0)
