"""The addresses of streams."""

from django.urls import path

from games.live import views

urlpatterns = [
    path("games/<key>/", views.game, name="live_game"),
    path("me/", views.me, name="live_me"),
]
