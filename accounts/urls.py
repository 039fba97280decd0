"""Addresses of account pages beside those of django-allauth, before which they come."""

from django.urls import path

from accounts import views

urlpatterns = [
    path("profile/", views.profile, name="profile"),
    # In place of allauth's page at the same address.
    path("confirm-email/", views.waiting, name="account_email_verification_sent"),
]
