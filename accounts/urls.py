"""Addresses of account pages beside those of django-allauth, before which they come."""

from allauth.account import views as allauth_views
from django.urls import path, re_path

from accounts import views, your_data

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
    path("confirm-email/", views.waiting, name="account_email_verification_sent"),
    path("confirm-email/<str:key>/", views.ConfirmEmailView.as_view(), name="account_confirm_email"),
    re_path(
        r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        views.PasswordResetFromKeyView.as_view(),
        name="account_reset_password_from_key",
    ),
    # What a guest has not: there the way leads to where they get it.
    path("signup/", views.not_for_guests(allauth_views.signup), name="account_signup"),
    path("email/", views.not_for_guests(allauth_views.email), name="account_email"),
    path("password/change/", views.not_for_guests(allauth_views.password_change), name="account_change_password"),
    path("password/set/", views.not_for_guests(allauth_views.password_set), name="account_set_password"),
]
