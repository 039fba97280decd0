"""The end of an account, and of a bot."""

from http import HTTPStatus

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from accounts import bots
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
    context = {"form": form, "running": running, "open": counts[MyList.OPEN], "bots": bots.owned(user).exists()}
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.is_bound else HTTPStatus.OK
    return render(request, "account/delete.html", context, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def delete_bot(request: HttpRequest, number: int) -> HttpResponse:
    """Ask whether a bot of the reader shall be deleted, and do it once they have proved to be the one."""
    bot = bots.of_number(reader_of(request), number)
    if bot is None:
        raise Http404
    if request.method == "POST":
        raise_if_reauthentication_required(request, app="accounts")
        commands.delete_account(user=bot, now=timezone.now())
        messages.success(request, gettext("%(name)s is deleted.") % {"name": bot.shown_name})
        return redirect("bots")
    return render(request, "account/delete_bot.html", {"bot": bot})
