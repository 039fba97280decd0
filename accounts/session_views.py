"""The page on which a person sees where they are signed in, and ends it."""

from typing import Final

from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from accounts import sessions
from accounts.readers import stored_reader

APP: Final = "allauth.usersessions"


@login_required
@require_safe
def list_sessions(request: HttpRequest) -> HttpResponse:
    """Show where a person is signed in."""
    user = stored_reader(request)
    sessions.note_session(request, user)
    found = sessions.list_sessions(user, current=request.session.session_key, now=timezone.now())
    return render(request, "usersessions/usersession_list.html", {"sessions": found, "most": sessions.MOST})


@login_required
@require_POST
def end_session(request: HttpRequest, number: int) -> HttpResponse:
    """Sign a person out of another browser; one that is gone already says so too."""
    raise_if_reauthentication_required(request, app=APP)
    user = stored_reader(request)
    if sessions.end_session(user, number, current=request.session.session_key):
        messages.success(request, gettext("You are signed out there."))
    else:
        messages.info(request, gettext("You were not signed in there any more."))
    return redirect("usersessions_list")


@login_required
@require_POST
def end_other_sessions(request: HttpRequest) -> HttpResponse:
    """Sign a person out everywhere but in this browser."""
    raise_if_reauthentication_required(request, app=APP)
    user = stored_reader(request)
    sessions.end_other_sessions(user, current=request.session.session_key)
    messages.success(request, gettext("You are signed out everywhere else."))
    return redirect("usersessions_list")
