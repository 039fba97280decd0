"""The page on which a person sees their bots and makes one. `games` has the page on which one is deleted."""

from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from allauth.core.internal.ratelimit import consume_or_429
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import bots
from accounts.bot_forms import BotForm
from accounts.models import User
from accounts.readers import stored_reader

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

REFUSALS: Final[dict[type[bots.BotError], "_StrPromise"]] = {
    bots.NotConfirmedError: _("Confirm your current address first, through the link in the e-mail we sent there."),
    bots.BarredError: _("You can't make a bot at the moment."),
    bots.TooManyError: _("You have as many bots as one can have. Delete one first."),
}


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def bot_list(request: HttpRequest) -> HttpResponse:
    """Show a person's bots; make one, after asking that it is they."""
    user = stored_reader(request)
    form = BotForm(request.POST if request.method == "POST" else None, owner=user)
    if not form.is_bound:
        return _show(request, user, form)
    raise_if_reauthentication_required(request, app="accounts")
    if not form.is_valid():
        return _show(request, user, form)
    refused = consume_or_429(request, app="allauth.account", action="bot")
    if refused is not None:
        return refused
    try:
        bot = bots.make_bot(user, form.cleaned_data["name"], timezone.now())
    except bots.BotError as error:
        form.add_error(None, REFUSALS[type(error)])
        return _show(request, user, form)
    except ValidationError as error:
        form.add_error("name", error)
        return _show(request, user, form)
    words = gettext("%(name)s is made. With an access token your program plays as this bot.")
    messages.success(request, words % {"name": bot.shown_name})
    return redirect("bots")


def _show(request: HttpRequest, user: User, form: BotForm) -> HttpResponse:
    owned = bots.owned(user)
    context = {
        "form": form,
        "bots": owned,
        "may_make": user.is_confirmed and len(owned) < bots.MOST,
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.is_bound else HTTPStatus.OK
    return render(request, "account/bots.html", context, status=status)
