"""Pages of an account that are not about signing in."""

from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any, Final

from allauth.account.models import EmailAddress
from allauth.account.views import ConfirmEmailView as BaseConfirmEmailView
from allauth.account.views import PasswordResetFromKeyView as BasePasswordResetFromKeyView
from allauth.core.internal.ratelimit import consume_or_429
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required, login_required
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext, override
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST
from django.views.i18n import set_language as set_language_cookie

from accounts import pending
from accounts.code_views import sign_in
from accounts.forms import PENDING, DisplayForm, KeepForm, ProfileForm
from accounts.models import User
from accounts.readers import stored_reader

LOOKS: Final = {"theme": ("light", "dark"), "contrast": ("more",)}
"""Cookies of how the site looks in a browser, and their values; without one the device decides."""


@login_required
@require_http_methods(["GET", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    """Show and change one's own name, language and time zone."""
    user = stored_reader(request)
    form = ProfileForm(request.POST or None, instance=user)
    if request.method == "POST" and form.is_valid():
        form.save()
        with override(user.language):
            messages.success(request, gettext("Your account was saved."))
        return redirect("profile")
    return render(request, "account/profile.html", {"form": form}, status=422 if form.is_bound else 200)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def display(request: HttpRequest) -> HttpResponse:
    """Show and change how the site and the boards look to a person."""
    user = stored_reader(request)
    form = DisplayForm(request.POST if request.method == "POST" else None, instance=user)
    if form.is_valid():
        form.save()
        messages.success(request, gettext("Your settings were saved."))
        return redirect("display")
    return render(request, "account/display.html", {"form": form}, status=422 if form.is_bound else 200)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def keep(request: HttpRequest) -> HttpResponse:
    """Let a guest add an address and a password; the answer is that of a sign-up, whoever has the address."""
    guest = request.user
    if not (isinstance(guest, User) and guest.is_guest):
        return redirect("profile")
    form = KeepForm(request.POST if request.method == "POST" else None, guest=guest)
    if form.is_bound:
        refused = consume_or_429(request, app="allauth.account", action="signup")
        if refused is not None:
            return refused
    if form.is_valid():
        try:
            account = form.save(request)
        except IntegrityError:  # somebody has taken the name at this moment
            form.add_error("display_name", gettext("That name is already taken."))
        else:
            EmailAddress.objects.get(user=account).send_confirmation(request, signup=True)
            return redirect("account_email_verification_sent")
    return render(request, "account/keep.html", {"form": form}, status=422 if form.is_bound else 200)


class ConfirmEmailView(BaseConfirmEmailView):
    """allauth's, but whoever is signed in stays so, whoever's link they open: for a guest there is no way back."""

    def logout(self) -> None:
        """Sign nobody out: that is for them to choose, on the page that says what is lost."""

    def respond(self, success: bool) -> HttpResponse:  # noqa: FBT001 - allauth's signature
        """Lead on; who made the account in this browser is signed in, be there a password or not."""
        made_here = success and self.request.session.get(PENDING) == self.object.email_address.user_id
        if made_here and not self.request.user.is_authenticated:
            user = User.objects.get(pk=self.object.email_address.user_id)
            return sign_in(self.request, user, came_for=self.request.session.pop(pending.CAME_FOR, ""))
        response: HttpResponse = super().respond(success)  # type: ignore[no-untyped-call]
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add whether the link is for another account than the one that is signed in."""
        account = self.object.email_address.user if self.object is not None else None
        own = account is None or self.request.user.pk in {None, account.pk, account.keeps_id}
        return super().get_context_data(**kwargs) | {"for_another": not own}


class PasswordResetFromKeyView(BasePasswordResetFromKeyView):
    """allauth's, but whoever is signed in stays so, as above."""

    def logout(self) -> None:
        """Sign nobody out."""


def not_for_guests(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Make a view of what only people with an address have lead guests to the page on which they add one."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if isinstance(request.user, User) and request.user.is_guest:
            return redirect("keep_games")
        return view(request, *args, **kwargs)

    return answer


def go_back(request: HttpRequest) -> HttpResponseRedirect:
    """Lead to the page of this site that a form names as ``next``, or home."""
    back = request.POST.get("next", "")
    safe = back.startswith("/") and url_has_allowed_host_and_scheme(back, allowed_hosts=None)
    return HttpResponseRedirect(back if safe else reverse("home"))


@login_not_required
@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    """Choose light or dark colours or more contrast in this browser, or what the device asks for."""
    response = go_back(request)
    for cookie in LOOKS.keys() & request.POST.keys():
        if request.POST[cookie] in LOOKS[cookie]:
            response.set_cookie(
                cookie,
                request.POST[cookie],
                max_age=timedelta(days=365),
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        else:
            response.delete_cookie(cookie, samesite="Lax")
    return response


@login_required
@require_POST
def end_hints(request: HttpRequest) -> HttpResponse:
    """Show this person no more hints, and go back to where they were; to htmx nothing takes the hint's place."""
    if isinstance(request.user, User):
        request.user.end_hints()
    if request.headers.get("HX-Request") == "true":
        return HttpResponse()
    return go_back(request)


@login_required
@require_POST
def set_zone(request: HttpRequest) -> HttpResponse:
    """Show times in the zone that a device has offered, and go back to where its person was."""
    name = request.POST.get("time_zone", "")
    if isinstance(request.user, User):
        try:
            request.user.set_time_zone(name)
        except ValidationError as error:
            messages.error(request, error.messages[0])
        else:
            words = gettext("Times are shown in the time zone %(zone)s now.")
            messages.success(request, words % {"zone": name.replace("_", " ")})
    return go_back(request)


@require_POST
def set_language(request: HttpRequest) -> HttpResponse:
    """Switch the language: a cookie for guests, a preference for users."""
    response = set_language_cookie(request)
    language = request.POST.get("language", "")
    if isinstance(request.user, User) and language in dict(User._meta.get_field("language").flatchoices):
        request.user.set_language(language)
    return response
