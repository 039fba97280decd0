"""Who signs in: by the one address of an account, and never as a bot."""

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend as BaseAuthenticationBackend
from django.contrib.auth.base_user import AbstractBaseUser

from accounts.models import User


class AuthenticationBackend(BaseAuthenticationBackend):
    """allauth's, but nobody is found by an address that an account had before, or may get: by its present one alone."""

    def _authenticate_by_email(self, email: str, password: str) -> AbstractBaseUser | None:
        return self._check_password(User.objects.filter(email=email.strip().lower()).first(), password)

    def user_can_authenticate(self, user: Any) -> bool:
        """Return whether somebody can be signed in on pages: nobody as a bot, whatever session there is."""
        return super().user_can_authenticate(user) and not user.is_bot
