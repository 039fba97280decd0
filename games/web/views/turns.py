"""Playing: what the steps so far would do, the turn itself, and leaving for good."""

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from accounts.models import User
from engine.errors import RulesError
from games import commands
from games.errors import GameError
from games.presenters.composition import Composition
from games.queries.game_page import game_page
from games.web.answers import Request, with_a_board
from games.web.forms.turn import ComposeForm, TurnForm
from games.web.game_answers import (
    ask_to_sign_in,
    render_done,
    render_illegal,
    render_preview,
    render_refusal,
    render_unreadable,
    why_not_compose,
)


@require_POST
@with_a_board
def preview(request: Request, key: str) -> HttpResponse:
    """Show what the steps so far would do, and what could follow. Changes nothing."""
    form = ComposeForm(request.POST)
    if not request.user.is_authenticated:
        return ask_to_sign_in(request, key, form)
    page = game_page(key, request.user, lines=0)
    if not form.is_valid():
        return render_unreadable(request, page)
    composition = form.composition()
    if code := why_not_compose(page, form.cleaned_data["seq"]):
        return render_refusal(request, page, GameError(code), composition)
    return render_preview(request, page, composition)


@require_POST
@with_a_board
def turn(request: Request, key: str) -> HttpResponse:
    """Play the composed turn: one entry of the log."""
    user = request.user
    form = TurnForm(request.POST)
    if not isinstance(user, User):
        return ask_to_sign_in(request, key, form)
    if not form.is_valid():
        return render_unreadable(request, game_page(key, user, lines=0))
    composition = Composition(form.cleaned_data["steps"])
    try:
        entry = commands.play_turn(
            game_key=key, user=user, seq=form.cleaned_data["seq"], turn=composition.text, now=timezone.now()
        )
    except GameError as error:
        return render_refusal(request, game_page(key, user, lines=0), error, composition)
    except RulesError as error:
        return render_illegal(request, game_page(key, user, lines=0), composition, error)
    return render_done(request, entry.game, gettext("Your turn has been played."))


@require_POST
@with_a_board
def resign(request: Request, key: str) -> HttpResponse:
    """Let the reader leave a running game for good."""
    user = request.user
    if not isinstance(user, User):
        return ask_to_sign_in(request, key)
    form = TurnForm(request.POST)
    if not form.is_valid():
        return render_unreadable(request, game_page(key, user, lines=0))
    try:
        game = commands.resign(game_key=key, user=user, seq=form.cleaned_data["seq"], now=timezone.now())
    except GameError as error:
        return render_refusal(request, game_page(key, user, lines=0), error)
    return render_done(request, game, gettext("You have left the game."))
