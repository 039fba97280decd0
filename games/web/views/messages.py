"""What the players of a game write to each other: for them alone, and no part of the game's record."""

from http import HTTPStatus

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from games import commands, queries
from games.errors import GameCode, GameError
from games.queries.game_page import GamePage, game_page
from games.web.answers import Request, query_number, with_a_board
from games.web.forms.messages import MessageForm
from games.web.game_answers import ask_to_sign_in, render_game, render_refusal
from games.words.refusals import explain


@require_safe
@with_a_board
def messages(request: Request, key: str) -> HttpResponse:
    """Show a player the newest messages, or those before the message ``?before=``."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    before = query_number(request, "before")
    try:
        table, shown = queries.game_messages(key, request.user, before=before)
    except GameError as error:
        if error.code == GameCode.NOT_YOURS:
            raise PermissionDenied from error
        if error.code == GameCode.NOT_RUNNING:
            return redirect("invitation", key)
        raise
    context = {"game": table.game, "players": table.names, "messages_page": shown, "past": before is not None}
    return render(request, "games/messages.html", context)


@require_POST
@with_a_board
def write_message(request: Request, key: str) -> HttpResponse:
    """Write to the others in the game; what was typed stays on the page if something is wrong with it."""
    user = request.user
    if not isinstance(user, User):
        return ask_to_sign_in(request, key)
    form = MessageForm(request.POST)
    now = timezone.now()
    if not form.is_valid():
        return show_errors(request, game_page(key, user, lines=0), form)
    try:
        game = commands.write_message(game_key=key, user=user, text=form.cleaned_data["text"], now=now)
    except GameError as error:
        page = game_page(key, user, lines=0)
        if error.code != GameCode.TOO_MANY_MESSAGES:
            return render_refusal(request, page, error)
        form.add_error("text", explain(error))
        return show_errors(request, page, form)
    commands.note_presence(reader=user, game_id=game.pk, now=now)
    if request.htmx:
        return show_messages(request, game_page(key, user, lines=0), MessageForm())
    return HttpResponseRedirect(f"{reverse('game', args=[key])}#talk", status=HTTPStatus.SEE_OTHER)


def show_errors(request: Request, page: GamePage, form: MessageForm) -> HttpResponse:
    """Return the page, or for htmx its messages, and what is wrong with the new one; to others why they can't write."""
    if page.viewer is None or page.view is None:
        return render_refusal(request, page, GameError(GameCode.NOT_RUNNING if page.viewer else GameCode.NOT_YOURS))
    if request.htmx:
        return show_messages(request, page, form, HTTPStatus.UNPROCESSABLE_ENTITY)
    return render_game(request, page, message_form=form, status=HTTPStatus.UNPROCESSABLE_ENTITY)


def show_messages(
    request: Request, page: GamePage, form: MessageForm, status: HTTPStatus = HTTPStatus.OK
) -> HttpResponse:
    """Return the messages of a game to one of its players, with the form."""
    shown, extras = queries.messages_page(page.table), queries.page_extras(page)
    return render(
        request,
        "games/_messages_body.html",
        {"game": page.game, "messages_page": shown, "message_form": form, "spared": extras.spared},
        status=status,
    )
