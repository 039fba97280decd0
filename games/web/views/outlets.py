"""How notices reach a person beside mail: pushes to the browsers in which they are signed in, and webhooks."""

from http import HTTPStatus
from typing import Final

from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from allauth.core.internal.ratelimit import consume_or_429
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from accounts.sessions import browser_of, note_session
from accounts.views import not_for_guests
from games import commands
from games.commands.outlets import MOST_HOOKS
from games.delivery.hook import make_secret
from games.delivery.push import public_key
from games.errors import GameError
from games.notices.kinds import Channel, HookStyle
from games.notices.models import Outlet
from games.notices.preferences import choices_of
from games.queries import notices as queries
from games.web.answers import reader_of
from games.web.forms.notices import NoticesForm
from games.web.forms.outlets import DeviceForm, HookForm
from games.words.outlets import describe_trouble
from games.words.refusals import explain

PAGES: Final = {Channel.PUSH: "push", Channel.HOOK: "webhooks"}


@login_required
@not_for_guests
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def push(request: HttpRequest) -> HttpResponse:
    """Show in which browsers a person gets pushes; change of which kinds, and when."""
    return _choose(request, Channel.PUSH)


@login_required
@not_for_guests
@sensitive_post_parameters("address", "public_key", "secret")
@require_POST
def add_device(request: HttpRequest) -> HttpResponse:
    """Send pushes to this browser."""
    user = reader_of(request)
    form = DeviceForm(request.POST)
    note_session(request, user)
    if not form.is_valid() or request.session.session_key is None:
        messages.error(request, gettext("Push notifications could not be turned on in this browser."))
        return redirect("push")
    name = browser_of(request.META.get("HTTP_USER_AGENT", "")) or gettext("Unknown browser")
    key = request.session.session_key
    commands.add_device(user=user, session_key=key, name=name[:40], **form.cleaned_data, now=timezone.now())
    messages.success(request, gettext("This browser will be notified from now on."))
    return redirect("push")


@login_required
@not_for_guests
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: HttpRequest) -> HttpResponse:
    """Show a person's webhooks; change of what they get, and when."""
    return _choose(request, Channel.HOOK)


@login_required
@not_for_guests
@never_cache
@sensitive_variables("secret")
@require_http_methods(["GET", "HEAD", "POST"])
def add_webhook(request: HttpRequest) -> HttpResponse:
    """Add a webhook, after asking that it is they; the answer shows what signs its calls, this once."""
    user = reader_of(request)
    form = HookForm(request.POST if request.method == "POST" else None, label_suffix="")
    if not form.is_bound:
        return render(request, "notices/add_webhook.html", {"form": form, "most": MOST_HOOKS})
    raise_if_reauthentication_required(request, app="accounts")
    if form.is_valid():
        refused = consume_or_429(request, app="allauth.account", action="webhook")
        if refused is not None:
            return refused
        secret = make_secret() if form.cleaned_data["style"] == HookStyle.JSON else ""
        try:
            commands.add_hook(user=user, **form.cleaned_data, secret=secret, now=timezone.now())
        except GameError as error:
            form.add_error(None, ValidationError(explain(error)))
        else:
            if secret:
                return render(request, "notices/webhook_secret.html", {"secret": secret})
            messages.success(request, gettext("The webhook has been added. Send it a test."))
            return redirect("webhooks")
    context = {"form": form, "most": MOST_HOOKS}
    return render(request, "notices/add_webhook.html", context, status=HTTPStatus.UNPROCESSABLE_ENTITY)


@login_required
@require_POST
def remove_outlet(request: HttpRequest, number: int) -> HttpResponse:
    """Send nothing more to a browser or a webhook of the reader; 404 where they have none of this number."""
    outlet = _own(request, number)
    commands.drop_outlet(user=reader_of(request), number=number)
    return _done(request, outlet, gettext("Removed: nothing more is sent there."))


@login_required
@require_POST
def switch_on(request: HttpRequest, number: int) -> HttpResponse:
    """Try an outlet again that was switched off, or that is left alone for a while."""
    outlet = _own(request, number)
    commands.switch_on(user=reader_of(request), number=number)
    return _done(request, outlet, gettext("Switched on again."))


@login_required
@require_POST
def test_outlet(request: HttpRequest, number: int) -> HttpResponse:
    """Send a test to a browser or a webhook of the reader."""
    outlet = _own(request, number)
    commands.send_test_notice(user=reader_of(request), outlet=outlet, now=timezone.now())
    return _done(request, outlet, gettext("A test is on its way: it should arrive within a minute."))


def _own(request: HttpRequest, number: int) -> Outlet:
    outlet = queries.outlet_of(reader_of(request), number)
    if outlet is None:
        raise Http404
    return outlet


def _done(request: HttpRequest, outlet: Outlet, words: str) -> HttpResponse:
    messages.success(request, words)
    return redirect(PAGES[Channel(outlet.channel)])


def _choose(request: HttpRequest, channel: Channel) -> HttpResponse:
    """Show the outlets of a channel with the form of what comes through it, or store what that says."""
    user = reader_of(request)
    sent = request.POST if request.method == "POST" else None
    form = NoticesForm(sent, present=choices_of(user, channel), channel=channel)
    if sent is not None and form.is_valid():
        commands.choose_channel(user=user, channel=channel, choices=form.choices())
        messages.success(request, gettext("Your choices have been saved."))
        return redirect(PAGES[channel])
    outlets = [(outlet, describe_trouble(outlet.trouble)) for outlet in queries.outlets_of(user, channel)]
    context = {
        "form": form,
        "outlets": outlets,
        "here": request.session.session_key,
        "server_key": public_key() if channel is Channel.PUSH else "",
        "may_add": user.is_confirmed and len(outlets) < MOST_HOOKS,
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.is_bound else HTTPStatus.OK
    return render(request, f"notices/{PAGES[channel]}.html", context, status=status)
