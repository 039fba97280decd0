"""The end of an account."""

from http import HTTPStatus

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from games import commands, queries
from games.queries import MyList
from games.web.answers import reader_of
from games.web.forms.account import DeleteAccountForm


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def delete_account(request: HttpRequest) -> HttpResponse:
    """Say what deleting the account does, and do it once the person has proved to be the one."""
    user = reader_of(request)
    if not user.has_usable_password() and get_adapter().get_reauthentication_methods(user):
        raise_if_reauthentication_required(request, app="allauth.account")
    form = DeleteAccountForm(request.POST if request.method == "POST" else None, user=user)
    if request.method == "POST" and form.is_valid():
        commands.delete_account(user=user, now=timezone.now())
        logout(request)
        messages.success(request, gettext("Your account is deleted."))
        return redirect("home")
    counts = queries.count_my_games(user)
    running = counts[MyList.TO_MOVE] + counts[MyList.WAITING]
    context = {"form": form, "running": running, "open": counts[MyList.OPEN]}
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.is_bound else HTTPStatus.OK
    return render(request, "account/delete.html", context, status=status)
