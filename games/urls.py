"""The addresses of the site's own pages and of its games: pages end in a slash, verbs do not."""

from django.urls import path

from games.views import account, game, holidays, lobby, notices, pages, terms

urlpatterns = [
    path("", pages.home, name="home"),
    path("rules/", pages.rules, name="rules"),
    path("rules/notation/", pages.notation, name="notation"),
    path("about/", pages.about, name="about"),
    path("players/<path:name>/", pages.player, name="player"),
    path("lobby/", lobby.lobby, name="lobby"),
    path("my-games/", lobby.my_games, name="my_games"),
    path("games/new/", lobby.create_game, name="create_game"),
    path("games/<slug:key>/", game.game, name="game"),
    path("games/<slug:key>/board", game.board, name="game_board"),
    path("games/<slug:key>/preview", game.preview, name="game_preview"),
    path("games/<slug:key>/turn", game.turn, name="game_turn"),
    path("games/<slug:key>/resign", game.leave, name="game_resign"),
    path("games/<slug:key>/record", game.record, name="game_record"),
    path("games/<slug:key>/terms/", terms.terms, name="game_terms"),
    path("games/<slug:key>/propose-cancel", terms.propose_cancel, name="propose_cancel"),
    path("games/<slug:key>/propose-terms", terms.propose_contract, name="propose_contract"),
    path("games/<slug:key>/agree", terms.agree, name="agree"),
    path("games/<slug:key>/refuse", terms.refuse, name="refuse"),
    path("games/<slug:key>/invitation/", lobby.invitation, name="invitation"),
    path("games/<slug:key>/join", lobby.join_game, name="join_game"),
    path("games/<slug:key>/leave", lobby.leave_game, name="leave_game"),
    path("games/<slug:key>/cancel", lobby.cancel_game, name="cancel_game"),
    path("games/<slug:key>/add-bot", lobby.add_bot, name="add_bot"),
    path("games/<slug:key>/keep-open", lobby.keep_open, name="keep_open"),
    path("games/<slug:key>/mute", notices.mute, name="game_mute"),
    path("games/<slug:key>/unmute", notices.unmute, name="game_unmute"),
    path("accounts/notices/", notices.notices, name="notices"),
    path("accounts/notices/sent/", notices.deliveries, name="deliveries"),
    path("accounts/notices/test", notices.send_test, name="send_test"),
    path("accounts/notices/address", notices.trust_address, name="trust_address"),
    path("unsubscribe/<str:token>/", notices.unsubscribe, name="unsubscribe"),
    path("unsubscribe/<str:token>/undo", notices.resubscribe, name="resubscribe"),
    path("accounts/holidays/", holidays.holidays, name="holidays"),
    path("accounts/holidays/<int:number>/drop", holidays.drop_holiday, name="drop_holiday"),
    path("accounts/delete/", account.delete_account, name="delete_account"),
]
