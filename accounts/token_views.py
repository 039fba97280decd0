"""The pages on which a person makes access tokens, sees them, and takes them back."""

from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from allauth.core.internal.ratelimit import consume_or_429
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods

from accounts import bots, tokens
from accounts.models import User
from accounts.readers import stored_reader
from accounts.token_forms import AccessTokenForm, scope_words

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

REFUSALS: Final[dict[type[tokens.TokenError], "tuple[str | None, _StrPromise]"]] = {
    tokens.NotConfirmedError: (
        None,
        _("Confirm your current address first, through the link in the e-mail we sent there."),
    ),
    tokens.NameTakenError: ("name", _("You have a token of that name already.")),
    tokens.TooManyError: (None, _("You have as many access tokens as one can have. Revoke one first.")),
}
"""By which field of the form a refusal is said, and in which words."""


@login_required
@never_cache
@sensitive_variables("text")
@require_http_methods(["GET", "HEAD", "POST"])
def access_tokens(request: HttpRequest) -> HttpResponse:
    """Show a person's tokens; make one, whose text the answer shows this once, after asking that it is they."""
    user = stored_reader(request)
    own_bots = [*bots.owned(user)]
    sent = request.POST if request.method == "POST" else None
    form = AccessTokenForm(sent, bots=own_bots, chosen=request.GET.get("for", ""))
    if not form.is_bound:
        return _show(request, user, form)
    raise_if_reauthentication_required(request, app="accounts")
    if not form.is_valid():
        return _show(request, user, form, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    refused = consume_or_429(request, app="allauth.account", action="access_token")
    if refused is not None:
        return refused
    try:
        _token, text = tokens.make(user, **form.cleaned_data, now=timezone.now())
    except tokens.TokenError as error:
        form.add_error(*REFUSALS[type(error)])
        return _show(request, user, form, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    return _show(request, user, AccessTokenForm(bots=own_bots), made=text)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def revoke_token(request: HttpRequest, number: int) -> HttpResponse:
    """Ask whether a token shall be taken back, and do it; 404 where the reader has no such token."""
    user = stored_reader(request)
    if request.method == "POST":
        if not tokens.revoke(user, number):
            raise Http404
        messages.success(request, gettext("The token is revoked: it opens nothing any more."))
        return redirect("access_tokens")
    token = tokens.of_number(user, number)
    if token is None:
        raise Http404
    return render(request, "account/revoke_token.html", {"token": token})


@sensitive_variables("made")
def _show(
    request: HttpRequest, user: User, form: AccessTokenForm, *, made: str = "", status: HTTPStatus = HTTPStatus.OK
) -> HttpResponse:
    now = timezone.now()
    owned = [(token, scope_words(token), token.is_expired(now)) for token in tokens.owned(user)]
    context = {
        "form": form,
        "tokens": owned,
        "made": made,
        "may_make": user.is_confirmed and len(owned) < tokens.MOST,
        "most": tokens.MOST,
    }
    return render(request, "account/access_tokens.html", context, status=status)
