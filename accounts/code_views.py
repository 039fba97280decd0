"""Pages on which people sign in, or confirm that it is they, by a code that is sent in a mail."""

from typing import Any, Final

from allauth.account.internal.flows.login import perform_login, record_authentication
from allauth.account.models import Login
from allauth.account.utils import get_login_redirect_url, get_next_redirect_url, passthrough_next_redirect_url
from allauth.account.views import RequestReauthenticationCodeView as BaseRequestReauthenticationCodeView
from allauth.account.views._reauthenticate import BaseReauthenticateView
from allauth.core.internal import ratelimit
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.decorators import login_not_required, login_required
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import attempts, codes, mails
from accounts.forms import CodeForm, RequestCodeForm
from accounts.models import EmailCode, Purpose, User
from accounts.readers import stored_reader

APP: Final = "allauth.account"


def too_often(request: HttpRequest, action: str) -> HttpResponse | None:
    """Count what this network does with codes; return the answer to one time too many, or None."""
    return ratelimit.consume_or_429(request, app=APP, action=action)


def sign_in(request: HttpRequest, user: User, *, came_for: str | None) -> HttpResponse:
    """Sign in a person whose mailbox was proved in this session, unless a second factor is to be asked for first."""
    record_authentication(request, user, method="code", email=user.email)
    response: HttpResponse = perform_login(request, Login(user=user, email=user.email, redirect_url=came_for or None))
    return response


@login_not_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def request_code(request: HttpRequest) -> HttpResponse:
    """Ask for the address, and send a code there if it is somebody's; the answer is the same whoever has it."""
    if request.user.is_authenticated:
        return redirect(get_login_redirect_url(request))
    asked = request.method == "POST" and request.POST.get("login", "") != ""
    if asked and (refused := too_often(request, "code")) is not None:
        return refused
    form = RequestCodeForm(request.POST if asked else None)
    if form.is_valid():
        address = form.cleaned_data["login"]
        code = codes.ask(request, Purpose.SIGN_IN, address, now=timezone.now())
        mails.ask(mails.SIGN_IN, address, code=code.pk, known=attempts.is_known(request, address))
        return redirect(_with_next(request, "account_confirm_login_code"))
    context = {"form": form, "next": get_next_redirect_url(request) or ""}
    return render(request, "account/request_login_code.html", context, status=422 if form.is_bound else 200)


@login_not_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in_by_code(request: HttpRequest) -> HttpResponse:
    """Take the code that was sent, and sign its person in."""
    if request.user.is_authenticated:
        return redirect(get_login_redirect_url(request))
    code = codes.awaited(request, Purpose.SIGN_IN)
    if code is None:
        return redirect(_with_next(request, "account_request_login_code"))
    form = CodeForm(request.POST if request.method == "POST" else None)
    if form.is_bound and (refused := too_often(request, "code_tried")) is not None:
        return refused
    if form.is_valid():
        user = codes.spend(request, Purpose.SIGN_IN, form.cleaned_data["code"], now=timezone.now())
        if user is not None:
            return sign_in(request, user, came_for=get_next_redirect_url(request))
        form.refuse()
    return _ask_for_code(request, "account/confirm_login_code.html", code, form)


@method_decorator(login_required, name="dispatch")
@method_decorator(never_cache, name="dispatch")
class RequestReauthenticationCodeView(BaseRequestReauthenticationCodeView):
    """Offers a code to who has neither password nor factor to confirm with that it is they."""

    form_class = Form  # type: ignore[assignment]  # there is nothing to choose
    request: HttpRequest

    def get_form_kwargs(self) -> dict[str, Any]:
        """Return what any form takes."""
        return {"data": self.request.POST} if self.request.method == "POST" else {}

    def form_valid(self, form: Form) -> HttpResponse:  # noqa: ARG002 - Django's signature
        """Send the code."""
        user = stored_reader(self.request)
        code = codes.ask(self.request, Purpose.CONFIRM, user.email, asker=user, now=timezone.now())
        mails.ask(mails.CONFIRM, user.email, user=user, code=code.pk)
        return redirect(_with_next(self.request, "account_confirm_reauthentication_code"))

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add where to go on."""
        return super().get_context_data(**kwargs) | {"next": get_next_redirect_url(self.request) or ""}


@method_decorator(login_required, name="dispatch")
@method_decorator(never_cache, name="dispatch")
class ConfirmReauthenticationCodeView(BaseReauthenticateView):
    """Takes that code, and goes on with what it was asked for."""

    reauthentication_method = "code"
    template_name = "account/confirm_reauthentication_code.html"
    form_class = CodeForm
    request: HttpRequest

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show the field, to who waits for a code."""
        if codes.awaited(request, Purpose.CONFIRM) is None:
            return redirect(_with_next(request, "account_request_reauthentication_code"))
        response: HttpResponse = super().get(request, *args, **kwargs)
        return response

    def form_valid(self, form: CodeForm) -> HttpResponse:
        """Try the code, which must be for who is signed in."""
        user = codes.spend(self.request, Purpose.CONFIRM, form.cleaned_data["code"], now=timezone.now())
        if user is None or user != self.request.user:
            form.refuse()
            return self.form_invalid(form)
        record_authentication(self.request, user, method="code", email=user.email, reauthenticated=True)
        response: HttpResponse = super().form_valid(form)
        return response

    def form_invalid(self, form: CodeForm) -> HttpResponse:
        """Show the page again; without a code that could be tried, the one on which a new one is asked for."""
        if codes.awaited(self.request, Purpose.CONFIRM) is None:
            return redirect(_with_next(self.request, "account_request_reauthentication_code"))
        response: HttpResponse = super().form_invalid(form)
        response.status_code = 422
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add where it went, whether it is dead, and where to go on."""
        code = codes.awaited(self.request, Purpose.CONFIRM)
        context = super().get_context_data(**kwargs)
        return context | {"code": code, "dead": code is None or codes.is_dead(code), "next": _next(self.request)}


def _ask_for_code(request: HttpRequest, template: str, code: EmailCode, form: CodeForm) -> HttpResponse:
    code.refresh_from_db(fields=["tries"])
    context = {"form": form, "code": code, "dead": codes.is_dead(code), "next": _next(request)}
    return render(request, template, context, status=422 if form.is_bound else 200)


def _next(request: HttpRequest) -> str:
    return get_next_redirect_url(request) or ""


def _with_next(request: HttpRequest, name: str) -> str:
    return str(passthrough_next_redirect_url(request, reverse(name), REDIRECT_FIELD_NAME))
