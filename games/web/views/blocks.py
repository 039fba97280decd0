"""Keeping people away: blocking and unblocking on their page, and the list of those whom one has blocked."""

from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from accounts import blocks
from accounts.models import User
from accounts.views import go_back
from games import commands
from games.web.answers import reader_of

PAGE_SIZE: Final = 50


@login_required
@require_safe
def blocked_people(request: HttpRequest) -> HttpResponse:
    """List the people whom the reader has blocked, a page at a time."""
    page = Paginator(blocks.people_blocked_by(reader_of(request)), PAGE_SIZE).get_page(request.GET.get("page"))
    return render(request, "account/blocked.html", {"page": page})


@login_required
@require_POST
def block(request: HttpRequest, number: int) -> HttpResponse:
    """Block a person, and go back to their page."""
    try:
        person = commands.block(user=reader_of(request), number=number, now=timezone.now())
    except User.DoesNotExist as error:
        raise Http404 from error
    except ValidationError as error:
        messages.error(request, error.messages[0])
    else:
        words = gettext("You have blocked %(name)s. You won't meet in new games, and you won't see what they write.")
        messages.success(request, words % {"name": person.shown_name})
    return redirect("player", number)


@login_required
@require_POST
def unblock(request: HttpRequest, number: int) -> HttpResponse:
    """Take a block back, and go back to where that was asked."""
    commands.unblock(user=reader_of(request), number=number)
    messages.success(request, gettext("The block is lifted."))
    return go_back(request)
