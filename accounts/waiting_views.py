"""The page on which one waits for the mail of a sign-up: it takes the code, sends another, corrects the address."""

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.core.internal.ratelimit import consume_or_429
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import codes, pending
from accounts.addresses import has_address
from accounts.code_views import APP, sign_in, too_often
from accounts.forms import PENDING, CodeForm, CorrectAddressForm
from accounts.models import Purpose, User

PAGE = "account_email_verification_sent"


@login_not_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def waiting(request: HttpRequest) -> HttpResponse:
    """Say that a mail is on its way; let the session that made an account correct the address it goes to."""
    account = _account(request)
    if account is None:
        return render(request, "account/verification_sent.html")
    form = CorrectAddressForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        refused = consume_or_429(request, app=APP, action="correct_address", key=str(account.pk))
        if refused is not None:
            return refused
        address = pending.correct_address(account.pk, form.cleaned_data["email"])
        if address is not None:
            address.send_confirmation(request, signup=True)
        return redirect(PAGE)
    return _show(request, account, form, CodeForm())


@login_not_required
@require_POST
def send_again(request: HttpRequest) -> HttpResponse:
    """Send the mail once more, with a new code; how many one address gets is bounded where they are written."""
    account = _account(request)
    refused = too_often(request, "code")
    if account is None or refused is not None:
        return refused or redirect(PAGE)
    address = account.emailaddress_set.first()
    if address is not None:
        address.send_confirmation(request, signup=True)
    return redirect(PAGE)


@login_not_required
@never_cache
@require_POST
def confirm_by_code(request: HttpRequest) -> HttpResponse:
    """Take the code: it confirms the address and signs in, or signs in to the account that has the address already.

    Every other code is refused in the same way.
    """
    account = _account(request)
    if account is None or not _may_type(request, account):
        return redirect(PAGE)
    refused = too_often(request, "code_tried")
    if refused is not None:
        return refused
    form = CodeForm(request.POST)
    if form.is_valid():
        user = codes.spend(request, Purpose.SIGN_UP, form.cleaned_data["code"], now=timezone.now())
        if user is not None:
            return _confirm(request, account) if user == account else _sign_in_instead(request, account, user)
        form.refuse()
    return _show(request, account, CorrectAddressForm(), form)


def _account(request: HttpRequest) -> User | None:
    """Return the account that this session made, while it waits."""
    pk = request.session.get(PENDING)
    account = pending.waiting().filter(pk=pk).first() if pk is not None else None
    return None if account is None or has_address(account) else account


def _may_type(request: HttpRequest, account: User) -> bool:
    """Return whether a code may be typed here: not by who has become somebody else meanwhile."""
    return not request.user.is_authenticated or request.user.pk == account.keeps_id


def _confirm(request: HttpRequest, account: User) -> HttpResponse:
    address = EmailAddress.objects.select_related("user").get(user=account)
    came_for = request.session.get(pending.CAME_FOR, "")
    if not get_adapter().confirm_email(request, address):
        return redirect("account_login")
    if request.user.is_authenticated:  # a guest, who has become the account
        return redirect(get_adapter().get_email_verification_redirect_url(address))
    return sign_in(request, User.objects.get(pk=address.user_id), came_for=came_for)


def _sign_in_instead(request: HttpRequest, account: User, user: User) -> HttpResponse:
    """Sign in to the account that has the address; the one that waited is needed no more, nor is its name."""
    came_for = request.session.get(pending.CAME_FOR, "")
    pending.withdraw(account.pk)
    return sign_in(request, user, came_for=came_for)


def _show(request: HttpRequest, account: User, form: CorrectAddressForm, code_form: CodeForm) -> HttpResponse:
    code = codes.awaited(request, Purpose.SIGN_UP)
    address = account.emailaddress_set.first()
    context = {
        "form": form,
        "code_form": code_form if _may_type(request, account) else None,
        "dead": code is None or codes.is_dead(code),
        "address": address.email if address is not None else "",
    }
    status = 422 if form.is_bound or code_form.is_bound else 200
    return render(request, "account/verification_sent.html", context, status=status)
