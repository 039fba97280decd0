"""Addresses of account pages beside those of django-allauth."""

from django.urls import path

from accounts import views

urlpatterns = [path("profile/", views.profile, name="profile")]
