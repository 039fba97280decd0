"""Asking for a good turn in a game against computer players, and looking whether it has been thought of."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from games import commands
from games.errors import GameCode, GameError
from games.queries.advice import may_ask_advice
from games.queries.game_page import GamePage, game_page
from games.web.advice import advice_on
from games.web.answers import Request, with_a_board
from games.web.forms.turn import TurnForm
from games.web.game_answers import ask_to_sign_in, render_refusal, render_unreadable


@require_safe
@with_a_board
def advice(request: Request, key: str) -> HttpResponse:
    """Show the good turn that was asked for, or that it is being thought of: a part of the game's page."""
    return _show(request, game_page(key, request.user, lines=0))


@require_POST
@with_a_board
def ask_advice(request: Request, key: str) -> HttpResponse:
    """Let a worker think of a good turn."""
    form = TurnForm(request.POST)
    if not request.user.is_authenticated:
        return ask_to_sign_in(request, key)
    page = game_page(key, request.user, lines=0)
    if not form.is_valid():
        return render_unreadable(request, page)
    if code := page.why_not_compose(form.cleaned_data["seq"]):
        return render_refusal(request, page, GameError(code))
    if not may_ask_advice(page.table):
        return render_refusal(request, page, GameError(GameCode.NO_ADVICE))
    commands.ask_advice(game_id=page.game.pk, seq=page.seq)
    return _show(request, page)


def _show(request: Request, page: GamePage) -> HttpResponse:
    if not request.htmx:
        return redirect("game", key=page.game.key)
    return render(request, "games/_advice.html", {"page": page, "game": page.game, "advice": advice_on(page)})
