"""The addresses of the API, version 1."""

from django.urls import path

from games.api.views import elsewhere, games, log, people, plans, sandbox, seats, turns

urlpatterns = [
    path("openapi.json", elsewhere.DescriptionView.as_view(), name="api_description"),
    path("games/", games.GamesView.as_view(), name="api_games"),
    path("games/<str:key>/", games.GameView.as_view(), name="api_game"),
    path("games/<str:key>/join/", seats.JoinView.as_view(), name="api_join"),
    path("games/<str:key>/leave/", seats.LeaveView.as_view(), name="api_leave"),
    path("games/<str:key>/resign/", seats.ResignView.as_view(), name="api_resign"),
    path("games/<str:key>/cancel/", seats.CancelView.as_view(), name="api_cancel"),
    path("games/<str:key>/rematch/", seats.RematchView.as_view(), name="api_rematch"),
    path("games/<str:key>/position/", turns.PositionView.as_view(), name="api_position"),
    path("games/<str:key>/legal/", turns.LegalView.as_view(), name="api_legal"),
    path("games/<str:key>/why-not/", turns.WhyNotView.as_view(), name="api_why_not"),
    path("games/<str:key>/turns/", turns.TurnsView.as_view(), name="api_turns"),
    path("games/<str:key>/plans/", plans.PlansView.as_view(), name="api_plans"),
    path("games/<str:key>/plans/plannable/", plans.PlannableView.as_view(), name="api_plannable"),
    path("games/<str:key>/plans/<number:place>/", plans.PlanView.as_view(), name="api_plan"),
    path("games/<str:key>/log/", log.LogView.as_view(), name="api_log"),
    path("games/<str:key>/record/", log.RecordView.as_view(), name="api_record"),
    path("games/<str:key>/board.svg", log.PictureView.as_view(), name="api_picture"),
    path("players/<number:number>/", people.PlayerView.as_view(), name="api_player"),
    path("players/<number:number>/games/", people.PlayerGamesView.as_view(), name="api_player_games"),
    path("me/", people.MeView.as_view(), name="api_me"),
    path("me/waiting/", people.WaitingView.as_view(), name="api_waiting"),
    path("sandbox/", sandbox.SandboxView.as_view(), name="api_sandbox"),
    path("<path:rest>", elsewhere.NothingView.as_view(), name="api_nothing"),
]
