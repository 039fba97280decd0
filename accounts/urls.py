"""Addresses of account pages beside those of django-allauth, before which they come."""

from allauth.account import views as allauth_views
from django.urls import path, re_path

from accounts import session_views, views

urlpatterns = [
    path("profile/", views.profile, name="profile"),
    path("keep/", views.keep, name="keep_games"),
    path("end-hints", views.end_hints, name="end_hints"),
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
    path("sessions/", views.not_for_guests(session_views.list_sessions), name="usersessions_list"),
    path("sessions/others/end", views.not_for_guests(session_views.end_other_sessions), name="end_other_sessions"),
    path("sessions/<int:number>/end", views.not_for_guests(session_views.end_session), name="end_session"),
    path("password/set/", views.not_for_guests(allauth_views.password_set), name="account_set_password"),
]
