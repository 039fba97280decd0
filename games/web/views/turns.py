"""Playing: what the steps so far would do, the turn itself, and leaving for good."""

from http import HTTPStatus

from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from accounts.models import User
from engine.errors import RulesError
from games import commands
from games.errors import GameCode, GameError
from games.log.positions import position_at
from games.models.choices import Status
from games.presenters.composition import Composition
from games.presenters.registry import PRESENTERS
from games.queries.game_page import game_page
from games.web.answers import Request, with_a_board
from games.web.forms.turn import BoardViewForm, ComposeForm, TurnForm
from games.web.game_answers import (
    ask_to_sign_in,
    render_done,
    render_game,
    render_illegal,
    render_preview,
    render_refusal,
    render_unreadable,
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
    if code := page.why_not_compose(form.cleaned_data["seq"]):
        return render_refusal(request, page, GameError(code), composition)
    return render_preview(request, page, composition)


@require_POST
@with_a_board
def choices(request: Request, key: str) -> HttpResponse:
    """Hand out what each choice of a turn would do, as drawings for the script that shows them on the board."""
    form = ComposeForm(request.POST)
    page = game_page(key, request.user, lines=0)
    if not form.is_valid():
        return JsonResponse({"choices": {}}, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    if code := page.why_not_compose(form.cleaned_data["seq"]):
        return JsonResponse({"choices": {}}, status=GameError(code).http_status)
    presenter = PRESENTERS[page.game.ruleset]
    try:
        drawn = presenter.choices(page, position_at(page.game, page.seq), form.composition())
    except RulesError:
        return JsonResponse({"choices": {}}, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    return JsonResponse({"choices": drawn}, json_dumps_params={"ensure_ascii": False})


@require_POST
@with_a_board
def board_view(request: Request, key: str) -> HttpResponse:
    """Turn the board for its reader, now and from now on; a turn in progress stays as it is."""
    user = request.user
    form = BoardViewForm(request.POST)
    page = game_page(key, user, lines=0)
    if page.view is None:
        return redirect("invitation", key=key)
    if page.viewer is None or not isinstance(user, User):
        return render_refusal(request, page, GameError(GameCode.NOT_YOURS))
    if not form.is_valid():
        return render_unreadable(request, page)
    user.set_board_view(form.cleaned_data["view"])
    page = game_page(key, user, lines=0)
    composition = form.composition()
    if composition.steps and not page.why_not_compose(form.cleaned_data["seq"] or 0):
        return render_preview(request, page, composition)
    return render_game(request, page) if request.htmx else redirect("game", key=key)


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
    # Of a game that has ended the first thing said is how.
    ended = entry.game.status == Status.FINISHED
    return render_done(request, entry.game, "" if ended else gettext("Your turn has been played."))


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
