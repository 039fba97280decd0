"""Pages about a person's address: to change it, and for the old mailbox to answer."""

from typing import Any

from allauth.account.views import EmailView as BaseEmailView
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import address_change, sessions
from accounts.models import AddressChange, User
from accounts.readers import stored_reader


class EmailView(BaseEmailView):
    """The address that one has, and the change of it that is under way."""

    request: HttpRequest

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add what is waited for."""
        change = address_change.open_change(stored_reader(self.request))
        ends_at = None if change is None else address_change.ends_at(change)
        context: dict[str, Any] = super().get_context_data(**kwargs)  # type: ignore[no-untyped-call]
        return context | {"change": change, "ends_at": ends_at}


@login_not_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def answer_address_change(request: HttpRequest, key: str) -> HttpResponse:
    """Ask who holds the old mailbox whether the address is to be changed, and do as they say."""
    change = address_change.by_key(key)
    if change is None:
        if request.method == "POST":
            raise Http404
        return render(request, "account/answer_address_change.html", {"change": None})
    if request.method != "POST" or request.POST.get("answer") not in {"yes", "no"}:
        status = 422 if request.method == "POST" else 200
        context = {"change": change, "key": key, "ends_at": address_change.ends_at(change)}
        return render(request, "account/answer_address_change.html", context, status=status)
    if request.POST["answer"] == "no":
        return _refuse(request, change)
    return _agree(request, change)


def _refuse(request: HttpRequest, change: AddressChange) -> HttpResponse:
    address_change.refuse(change, current=request.session.session_key)
    words = gettext("The address stays %(old)s, and all other sessions are signed out. Now choose a new password.")
    messages.success(request, words % {"old": change.user.email})
    return redirect("account_reset_password")


def _agree(request: HttpRequest, change: AddressChange) -> HttpResponse:
    done = address_change.agree_at_old(change, now=timezone.now())
    if done:
        sessions.follow_new_address(request, User.objects.get(pk=change.user_id))
        words = gettext("Your address is %(new)s now.")
    else:
        words = gettext("Thank you. The address is changed as soon as %(new)s is confirmed too.")
    messages.success(request, words % {"new": change.address.email})
    return redirect("account_email")
