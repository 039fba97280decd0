"""The addresses of the API."""

from django.urls import path

from games.api.views import GameView, RecordView, TurnView

urlpatterns = [
    path("games/<str:key>", GameView.as_view(), name="api_game"),
    path("games/<str:key>/record", RecordView.as_view(), name="api_record"),
    path("games/<str:key>/turn", TurnView.as_view(), name="api_turn"),
]
