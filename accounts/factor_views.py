"""Pages of passkeys, authenticator apps and recovery codes, where ours differ from those of django-allauth."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.utils import passthrough_next_redirect_url
from allauth.core.internal import ratelimit
from allauth.core.internal.httpkit import authenticated_user
from allauth.mfa.base.views import AuthenticateView as BaseAuthenticateView
from allauth.mfa.base.views import IndexView as BaseIndexView
from allauth.mfa.base.views import ReauthenticateView as BaseReauthenticateView
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.views import ActivateTOTPView as BaseActivateTOTPView
from allauth.mfa.webauthn import views as webauthn
from allauth.mfa.webauthn.internal import auth
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError
from django.forms import BaseForm, Form
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse, reverse_lazy
from django.utils.translation import gettext
from django.views.generic.edit import FormView

from accounts.factors import MOST_PASSKEYS
from accounts.models import User


def once_confirmed(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Make a view open to people with a confirmed address alone: nobody locks another out of an address of theirs."""

    @login_required
    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if isinstance(request.user, User) and not request.user.is_confirmed:
            words = gettext("Confirm your current address first, through the link in the e-mail we sent there.")
            messages.error(request, words)
            return redirect("mfa_index")
        return view(request, *args, **kwargs)

    return answer


class Refuses:
    """A form that was refused is answered by 422."""

    def form_invalid(self, form: BaseForm) -> HttpResponse:
        """Show the form again."""
        response: HttpResponse = super().form_invalid(form)  # type: ignore[misc]
        response.status_code = 422
        return response


class RefusesAside:
    """A passkey that was refused is said on the page that it was asked for on."""

    request: HttpRequest
    asked_on: str

    def form_invalid(self, form: Form) -> HttpResponse:
        """Lead back there, with where to go on from it."""
        for words in form.errors.get("credential", []):
            messages.error(self.request, str(words))
        return HttpResponseRedirect(
            passthrough_next_redirect_url(self.request, reverse(self.asked_on), REDIRECT_FIELD_NAME)
        )


class IndexView(BaseIndexView):
    """What a person can sign in with beside the password."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add whether there may be another passkey."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        passkeys = context["authenticators"].get(Authenticator.Type.WEBAUTHN, [])
        return context | {"passkeys": passkeys, "may_add": len(passkeys) < MOST_PASSKEYS}


class AuthenticateView(Refuses, BaseAuthenticateView):
    """Asks for a second factor after the password."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add which there are."""
        owned = Authenticator.objects.filter(user=self.stage.login.user)
        return super().get_context_data(**kwargs) | {"types": set(owned.values_list("type", flat=True))}


class ReauthenticateView(Refuses, BaseReauthenticateView):
    """Asks who is signed in for a code before a grave change."""


class ActivateTOTPView(Refuses, BaseActivateTOTPView):
    """Sets an authenticator app up."""

    def form_valid(self, form: Form) -> HttpResponse:
        """Keep the secret, unless the same form has just been sent."""
        try:
            return super().form_valid(form)
        except IntegrityError:
            return redirect("mfa_index")


class AddWebAuthnView(Refuses, webauthn.AddWebAuthnView):
    """Adds a passkey, which can be signed in with."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add what the browser is to make."""
        context: dict[str, Any] = FormView.get_context_data(self, **kwargs)
        user = authenticated_user(self.request)
        return context | {"js_data": {"creation_options": auth.begin_registration(user, passwordless=True)}}


class RemoveWebAuthnView(webauthn.RemoveWebAuthnView):
    """Removes a passkey."""

    success_url = reverse_lazy("mfa_index")


class EditWebAuthnView(Refuses, webauthn.EditWebAuthnView):
    """Gives a passkey another name."""

    success_url = reverse_lazy("mfa_index")


class LoginWebAuthnView(RefusesAside, webauthn.LoginWebAuthnView):
    """Signs in by a passkey."""

    asked_on = "account_login"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Return what the browser is asked for, to the script; it takes a session, so not without end."""
        if ratelimit.consume(request, app="allauth.mfa", action="webauthn_login", limit_get=True) is None:
            return ratelimit.respond_429(request)
        return super().get(request, *args, **kwargs)


class ReauthenticateWebAuthnView(RefusesAside, webauthn.ReauthenticateWebAuthnView):
    """Asks who is signed in for a passkey before a grave change."""

    asked_on = "mfa_reauthenticate_webauthn"
