"""Asking a person to take a seat, and their no. Their yes is to join."""

from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from games import commands
from games.errors import GameCode, GameError
from games.web.forms.invite import InviteForm
from games.web.views.lobby import show_invitation
from games.words.refusals import explain


@require_POST
def invite(request: HttpRequest, key: str) -> HttpResponse:
    """Invite the person with the display name that was typed; it stays on the page if something is wrong with it."""
    address = reverse("invitation", args=[key])
    if not request.user.is_authenticated:
        return redirect_to_login(address)
    form = InviteForm(request.POST)
    if not form.is_valid():
        return show_invitation(request, key, form=form)
    try:
        person = commands.invite(game_key=key, user=request.user, name=form.cleaned_data["name"], now=timezone.now())
    except GameError as error:
        if error.code == GameCode.NO_SUCH_GAME:
            raise Http404 from error
        if error.http_status != HTTPStatus.UNPROCESSABLE_ENTITY:
            return show_invitation(request, key, error)
        form.add_error("name", explain(error))
        return show_invitation(request, key, form=form)
    messages.success(request, gettext("%(name)s is invited.") % {"name": person.display_name})
    return redirect(address)


@require_POST
def decline(request: HttpRequest, key: str) -> HttpResponse:
    """Say no to an invitation."""
    if not request.user.is_authenticated:
        return redirect_to_login(reverse("invitation", args=[key]))
    try:
        commands.decline(game_key=key, user=request.user, now=timezone.now())
    except GameError as error:
        if error.code == GameCode.NO_SUCH_GAME:
            raise Http404 from error
        return show_invitation(request, key, error)
    messages.success(request, gettext("You have declined the invitation."))
    return redirect("my_games")
