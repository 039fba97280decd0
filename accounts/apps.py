"""Django's entry for the accounts app."""

from django.apps import AppConfig
from django.urls import register_converter
from django.utils.translation import gettext_lazy as _

from accounts.numbers import NumberConverter


class AccountsConfig(AppConfig):
    """The accounts app."""

    name = "accounts"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = _("accounts")

    def ready(self) -> None:
        """Know numbers in addresses; follow sign-ins, sign-outs, new passwords and second factors."""
        from allauth.account import signals as of_accounts  # noqa: PLC0415 - models are there from now on
        from allauth.mfa import signals as of_factors  # noqa: PLC0415
        from allauth.usersessions import signals as of_sessions  # noqa: PLC0415
        from django.contrib.auth.signals import user_logged_out  # noqa: PLC0415

        from accounts import address_change, factors, sessions  # noqa: PLC0415

        register_converter(NumberConverter, "number")
        of_accounts.user_logged_in.disconnect(of_sessions.on_user_logged_in)
        of_accounts.user_logged_in.connect(sessions.follow_sign_in)
        for changed in (of_accounts.password_changed, of_accounts.password_set, of_accounts.password_reset):
            changed.disconnect(of_sessions.on_password_changed)
            changed.connect(sessions.follow_new_password)
        of_accounts.password_reset.connect(address_change.follow_reset)
        user_logged_out.connect(sessions.follow_sign_out)
        of_factors.authenticator_added.connect(factors.follow_added)
        of_factors.authenticator_reset.connect(factors.follow_added)
        of_factors.authenticator_removed.connect(factors.follow_removed)
        of_factors.authenticator_used.connect(factors.follow_used)
        of_factors.authentication_failed.connect(factors.follow_refused)
