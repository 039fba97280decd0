"""How sign-up and sign-in of django-allauth meet our user."""

import logging
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from django.contrib import messages
from django.contrib.auth.base_user import AbstractBaseUser
from django.forms import BaseForm
from django.http import HttpRequest
from django.utils import translation
from django.utils.translation import gettext as _

from accounts.models import User

logger = logging.getLogger(__name__)


def user_display(user: User) -> str:
    """Return what a user is called on pages and in mails."""
    return user.display_name


class AccountAdapter(DefaultAccountAdapter):
    """Fills in what a new user can't be asked for."""

    def new_user(self, request: HttpRequest) -> User:  # noqa: ARG002 - allauth's signature
        """Return an unsaved user who reads the language that the sign-up page was shown in."""
        return User(language=(translation.get_language() or "en").split("-")[0])

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
        return super().save_user(request, user, form, commit)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail while its reader waits; where the mail server fails say so, and go on.

        What the page did is stored, and each of these mails can be asked for again (a confirmation by signing in).
        """
        try:
            super().send_mail(template_prefix, email, context)
        except OSError:  # what smtplib raises is one
            logger.exception("account mail not sent", extra={"mail": template_prefix})
            messages.error(self.request, _("The e-mail could not be sent just now. Try again in a few minutes."))

    def can_delete_email(self, email_address: EmailAddress) -> bool:
        """Keep the address that its user signs in with."""
        return email_address.email != email_address.user.email and super().can_delete_email(email_address)
