"""The calendar of a person's deadlines, at an address that is theirs alone, and the page on which they get one."""

import hashlib
from http import HTTPStatus

from allauth.core.internal.ratelimit import consume_or_429
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import tokens
from accounts.mail_format import absolute
from accounts.models import Scope, User
from accounts.views import not_for_guests
from games.queries.calendar import turns_due
from games.web.answers import reader_of
from games.web.calendar import write_calendar


@require_safe
@sensitive_variables("token")
def feed(request: HttpRequest, token: str) -> HttpResponse:
    """Answer a program that reads a person's calendar, whoever's browser it is; 404 for a wrong address."""
    now = timezone.now()
    found = tokens.find(token, now=now)
    if found is None or not found.allows(Scope.CALENDAR):
        raise Http404
    tokens.note_used(found, now)
    with translation.override(found.user.language):
        content = write_calendar(found.user, turns_due(found.user, now))
    tag = f'"{hashlib.sha256(content).hexdigest()}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    response = HttpResponse(content, content_type="text/calendar; charset=utf-8", headers=headers)
    return get_conditional_response(request, etag=tag, response=response) or response


@login_required
@not_for_guests
@never_cache
@sensitive_variables("made")
@require_http_methods(["GET", "HEAD", "POST"])
def calendar(request: HttpRequest) -> HttpResponse:
    """Show whether a person's calendar has an address; make one, which the answer shows this once."""
    user = reader_of(request)
    if request.method != "POST":
        return _show(request, user)
    refused = consume_or_429(request, app="allauth.account", action="access_token")
    if refused is not None:
        return refused
    try:
        made = tokens.make_for_calendar(user, name=gettext("Calendar"), now=timezone.now())
    except tokens.NameTakenError:
        return _show(
            request, user, error=gettext("You have another access token of the name “Calendar”. Revoke it first.")
        )
    except tokens.TokenError:
        return _show(request, user, error=gettext("Confirm your address first, or revoke an access token."))
    return _show(request, user, made=absolute("calendar_feed", made))


@login_required
@not_for_guests
@require_POST
def close_calendar(request: HttpRequest) -> HttpResponse:
    """Take the address back. Once more is no error."""
    tokens.close_calendar(reader_of(request))
    messages.success(request, gettext("Your calendar has no address any more."))
    return redirect("calendar")


def _show(request: HttpRequest, user: User, *, made: str = "", error: str = "") -> HttpResponse:
    context = {
        "made": made,
        "error": error,
        "present": tokens.calendar_tokens(user).first(),
        "here": reverse("calendar"),
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if error else HTTPStatus.OK
    return render(request, "account/calendar.html", context, status=status)
