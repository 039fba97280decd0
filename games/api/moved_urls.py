"""The addresses that the API had before there were versions."""

from django.urls import path

from games.api.views.elsewhere import MovedTurnView, MovedView

urlpatterns = [
    path("games/<str:key>", MovedView.as_view(), {"name": "api_game"}, name="api_moved_game"),
    path("games/<str:key>/record", MovedView.as_view(), {"name": "api_record"}, name="api_moved_record"),
    path("games/<str:key>/turn", MovedTurnView.as_view(), {"name": "api_turns"}, name="api_moved_turn"),
]
