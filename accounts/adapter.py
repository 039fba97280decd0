"""How sign-up and sign-in of django-allauth meet our user."""

from typing import Any
from urllib.parse import urlencode

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.contrib import messages
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from accounts import address_change, attempts, codes, guests, households, mails, sessions
from accounts.languages import current_language
from accounts.models import Purpose, User
from accounts.pending import CAME_FOR


def user_display(user: User) -> str:
    """Return what a user is called on pages and in mails."""
    return user.shown_name


class AccountAdapter(DefaultAccountAdapter):
    """Fills in what a new user can't be asked for, and hands all mails to a worker."""

    def new_user(self, request: HttpRequest) -> User:  # noqa: ARG002 - allauth's signature
        """Return an unsaved user who reads the language that the sign-up page was shown in."""
        return User(language=current_language())

    def save_user(
        self,
        request: HttpRequest,
        user: AbstractBaseUser,
        form: BaseForm,
        commit: bool = True,  # noqa: FBT001, FBT002 - allauth's signature
    ) -> AbstractBaseUser:
        """Store a new user under the chosen name."""
        if isinstance(user, User):
            user.display_name = form.cleaned_data["display_name"]
            user.time_zone = form.cleaned_data["time_zone"]
        return super().save_user(request, user, form, commit)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Leave a mail for a worker: the answer waits for no mail server, and tells nothing of who has the address."""
        words = {name: context[name] for name in ("from_email", "to_email", "deleted_email") if name in context}
        mails.ask(template_prefix.rpartition("/")[2], email, user=context.get("user"), **words)

    def send_notification_mail(
        self,
        template_prefix: str,
        user: AbstractBaseUser,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        """Tell a user what happened to the account."""
        super().send_notification_mail(template_prefix, user, {"user": user, **(context or {})}, email)

    def send_confirmation_mail(
        self,
        request: HttpRequest,
        emailconfirmation: EmailConfirmationHMAC,
        signup: bool,  # noqa: FBT001 - allauth's signature
    ) -> None:
        """Ask for the mail with the link; the worker finds out whether the address is somebody else's by then.

        At a sign-up it brings a code for this session too; where an address is changed the old one is asked as well.
        """
        address, now = emailconfirmation.email_address, timezone.now()
        words: dict[str, Any] = {"pk": address.pk, "signup": signup}
        if signup:
            code = codes.ask(request, Purpose.SIGN_UP, address.email, asker=address.user, now=now)
            words |= {"code": code.pk, "known": attempts.is_known(request, address.email)}
        elif address_change.is_change(address):
            address_change.begin(address, now=now, again=True)
        mails.ask(mails.CONFIRMATION, address.email, **words)

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Make an address that was proved the one of its account, whose row is locked: it may expire at this moment."""
        try:
            with transaction.atomic():
                if self._confirm(request, email_address):
                    return True
        except IntegrityError:  # another account has just confirmed it
            pass
        words = {"email": email_address.email}
        self.add_message(request, messages.ERROR, "account/messages/email_confirmation_failed.txt", words)
        return False

    def _confirm(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        guest = guests.lock_kept(email_address.user_id)
        user = User.objects.select_for_update().filter(pk=email_address.user_id).first()
        others = User.objects.filter(email=email_address.email).exclude(pk=email_address.user_id)
        stored = EmailAddress.objects.select_related("user").filter(pk=email_address.pk).first()
        if stored is not None and stored.verified:  # by the same link, pressed twice: a guest is the account already
            email_address.user = stored.user
            words = {"email": stored.email}
            self.add_message(request, messages.SUCCESS, "account/messages/email_confirmed.txt", words)
            sessions.keep_session(request, stored.user)
            return True
        if user is None or others.exists() or stored is None:
            return False
        if guest is not None:
            guests.keep(guest, user, email_address)
            user = guest
        email_address.user, before = user, user.get_session_auth_hash()
        if address_change.is_change(email_address):
            return self._confirm_new(request, email_address)
        if not super().confirm_email(request, email_address):
            return False
        user.confirmed_address = user.email
        user.save(update_fields=["confirmed_address"])
        sessions.keep_session(request, user)
        if request.user == user:  # a guest, who is an account now without having signed in
            households.note_traces(request, user, attempts.browser_of(request), timezone.now())
        if user.get_session_auth_hash() != before:
            sessions.end_other_sessions(user, current=request.session.session_key)
        return True

    def _confirm_new(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Note that the new mailbox has said yes to a change of address, which is done if the old one has too."""
        user, now = email_address.user, timezone.now()
        change = address_change.begin(email_address, now=now)
        if address_change.agree_at_new(change, now=now):
            user.refresh_from_db()
            words = {"email": user.email}
            self.add_message(request, messages.SUCCESS, "account/messages/email_confirmed.txt", words)
            sessions.follow_new_address(request, user)
        else:
            text = gettext("%(new)s is confirmed. Now answer the e-mail that we sent to %(old)s.")
            messages.success(request, text % {"new": email_address.email, "old": user.email})
        return True

    def get_email_verification_redirect_url(self, email_address: EmailAddress) -> str:
        """Lead on to where the person wanted to go when they signed up in this browser, if that is known."""
        if address_change.is_change(email_address):
            return reverse("account_email")
        came_for = str(self.request.session.pop(CAME_FOR, ""))
        if came_for and not self.request.user.is_authenticated:
            return f"{reverse('account_login')}?{urlencode({'next': came_for})}"
        return came_for or str(super().get_email_verification_redirect_url(email_address))

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count a guess before the password is looked at; refuse one too many."""
        self._login_failed_rl_usage = attempts.consume(request, credentials.get("email", ""))
        if self._login_failed_rl_usage is None:
            raise self.validation_error("too_many_login_attempts")

    def post_login(self, request: HttpRequest, user: AbstractBaseUser, **how: Any) -> HttpResponse:
        """Let the browser be known for the account from now on."""
        response: HttpResponse = super().post_login(request, user, **how)
        if isinstance(user, User):
            browser = attempts.remember(request, response, user.email)
            households.note_traces(request, user, browser, timezone.now())
        return response

    def get_reauthentication_methods(self, user: AbstractBaseUser | AnonymousUser) -> list[dict[str, Any]]:
        """Return how a person may say that it is they, the password first, in the words of the site.

        A code by e-mail is for who has nothing else: a mailbox that somebody else has got into shall not do for more.
        """
        words = {
            "reauthenticate": gettext("Use your password"),
            "reauthenticate_by_code": gettext("Use a code sent by e-mail"),
            "mfa_reauthenticate": gettext("Use a code"),
            "mfa_reauthenticate:webauthn": gettext("Use a passkey"),
        }
        ways = super().get_reauthentication_methods(user)
        better = [way for way in ways if way["id"] != "reauthenticate_by_code"]
        return [{**way, "description": words[way["id"]]} for way in better or ways]

    def _delete_login_attempts_cached_email(self, request: HttpRequest, **credentials: Any) -> None:
        """After a new password was chosen through a mail: this session may sign in, whoever guesses elsewhere."""
        attempts.trust_session(request, credentials.get("email", ""))

    def can_delete_email(self, email_address: EmailAddress) -> bool:
        """Keep the address that its user signs in with."""
        return email_address.email != email_address.user.email and super().can_delete_email(email_address)
