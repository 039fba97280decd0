"""Addresses of account pages beside those of django-allauth, before which they come."""

from allauth.account import views as allauth_views
from allauth.mfa.recovery_codes import views as recovery_codes
from allauth.mfa.totp import views as totp
from django.urls import path, re_path

from accounts import (
    address_views,
    bot_views,
    code_views,
    factor_views,
    session_views,
    token_views,
    views,
    waiting_views,
    your_data,
)
from accounts.factor_views import once_confirmed
from accounts.views import not_for_guests

urlpatterns = [
    path("profile/", views.profile, name="profile"),
    path("display/", views.display, name="display"),
    path("keep/", views.keep, name="keep_games"),
    path("zone", views.set_zone, name="set_zone"),
    path("end-hints", views.end_hints, name="end_hints"),
    path("data/", your_data.your_data, name="your_data"),
    path("data/make", your_data.make_archive, name="make_archive"),
    path("data/archive", your_data.download_archive, name="download_archive"),
    # In place of allauth's pages at the same addresses.
    path("confirm-email/", waiting_views.waiting, name="account_email_verification_sent"),
    path("confirm-email/code", waiting_views.confirm_by_code, name="account_confirm_by_code"),
    path("confirm-email/again", waiting_views.send_again, name="account_send_again"),
    path("confirm-email/<str:key>/", views.ConfirmEmailView.as_view(), name="account_confirm_email"),
    re_path(
        r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        views.PasswordResetFromKeyView.as_view(),
        name="account_reset_password_from_key",
    ),
    path("login/code/", code_views.request_code, name="account_request_login_code"),
    path("login/code/confirm/", code_views.sign_in_by_code, name="account_confirm_login_code"),
    path(
        "reauthenticate/code/",
        not_for_guests(code_views.RequestReauthenticationCodeView.as_view()),
        name="account_request_reauthentication_code",
    ),
    path(
        "reauthenticate/code/confirm/",
        not_for_guests(code_views.ConfirmReauthenticationCodeView.as_view()),
        name="account_confirm_reauthentication_code",
    ),
    path("email/change/<str:key>/", address_views.answer_address_change, name="account_answer_change"),
    # What a guest has not: there the way leads to where they get it.
    path("signup/", not_for_guests(allauth_views.signup), name="account_signup"),
    path("email/", not_for_guests(address_views.EmailView.as_view()), name="account_email"),
    path("password/change/", not_for_guests(allauth_views.password_change), name="account_change_password"),
    path("sessions/", not_for_guests(session_views.list_sessions), name="usersessions_list"),
    path("sessions/others/end", not_for_guests(session_views.end_other_sessions), name="end_other_sessions"),
    path("sessions/<number:number>/end", not_for_guests(session_views.end_session), name="end_session"),
    path("tokens/", not_for_guests(token_views.access_tokens), name="access_tokens"),
    path("tokens/<number:number>/revoke/", not_for_guests(token_views.revoke_token), name="revoke_token"),
    path("bots/", not_for_guests(bot_views.bot_list), name="bots"),
    path("password/set/", not_for_guests(allauth_views.password_set), name="account_set_password"),
    # Of allauth's pages of second factors those that we want.
    path("factors/", not_for_guests(factor_views.IndexView.as_view()), name="mfa_index"),
    path("factors/sign-in/", factor_views.AuthenticateView.as_view(), name="mfa_authenticate"),
    path("factors/confirm/", not_for_guests(factor_views.ReauthenticateView.as_view()), name="mfa_reauthenticate"),
    path(
        "factors/app/add/",
        not_for_guests(once_confirmed(factor_views.ActivateTOTPView.as_view())),
        name="mfa_activate_totp",
    ),
    path("factors/app/remove/", not_for_guests(totp.deactivate_totp), name="mfa_deactivate_totp"),
    path("factors/codes/", not_for_guests(recovery_codes.view_recovery_codes), name="mfa_view_recovery_codes"),
    path(
        "factors/codes/renew/",
        not_for_guests(recovery_codes.generate_recovery_codes),
        name="mfa_generate_recovery_codes",
    ),
    path(
        "factors/codes/download/",
        not_for_guests(recovery_codes.download_recovery_codes),
        name="mfa_download_recovery_codes",
    ),
    path("factors/passkeys/sign-in/", factor_views.LoginWebAuthnView.as_view(), name="mfa_login_webauthn"),
    path(
        "factors/passkeys/confirm/",
        not_for_guests(factor_views.ReauthenticateWebAuthnView.as_view()),
        name="mfa_reauthenticate_webauthn",
    ),
    path(
        "factors/passkeys/add/",
        not_for_guests(once_confirmed(factor_views.AddWebAuthnView.as_view())),
        name="mfa_add_webauthn",
    ),
    path(
        "factors/passkeys/<number:pk>/rename/",
        not_for_guests(factor_views.EditWebAuthnView.as_view()),
        name="mfa_edit_webauthn",
    ),
    path(
        "factors/passkeys/<number:pk>/remove/",
        not_for_guests(factor_views.RemoveWebAuthnView.as_view()),
        name="mfa_remove_webauthn",
    ),
]
