"""What the players of a game write to each other: for them alone, and no part of the game's record."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from http import HTTPStatus
from typing import Final

from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from games import commands, queries
from games.errors import GameCode, GameError
from games.models import Game, Muted
from games.queries import MessagesPage
from games.queries.game_page import GamePage, game_page
from games.web.answers import Request, about_a_game, parse_number, query_number, reader_of, with_a_board
from games.web.forms.messages import MessageForm
from games.web.game_answers import ask_to_sign_in, render_game, render_refusal
from games.words.refusals import explain

MOST_SEATS: Final = 100
"""More than any game has: beyond it a number is no seat's."""


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
    if before is None:
        now = timezone.now()
        commands.note_presence(reader=request.user, game_id=table.game.pk, now=now)
        note_seen(request.user, table.game, shown, now)
    quiet, muted = queries.talk_mutes(table)
    context = {
        "game": table.game,
        "players": table.names,
        "messages_page": shown,
        "past": before is not None,
        "quiet": quiet,
        "others": [
            {"number": seat.number, "name": name, "muted": seat.number in muted}
            for seat, name in table.seated
            if seat.user_id is not None and seat != table.viewer
        ],
    }
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


@require_POST
@with_a_board
def read_messages(request: Request, key: str) -> HttpResponse:
    """Note that a player has read the messages up to the one of the form's ``up_to``."""
    user = request.user
    if not isinstance(user, User):
        return ask_to_sign_in(request, key)
    up_to = parse_number(request.POST.get("up_to", ""))
    try:
        commands.read_messages(game_key=key, user=user, up_to=up_to or 0, now=timezone.now())
    except GameError as error:
        raise PermissionDenied from error
    if request.htmx:
        return render(request, "games/_talk_read.html")
    return HttpResponseRedirect(f"{reverse('game', args=[key])}#talk", status=HTTPStatus.SEE_OTHER)


@login_required
@require_POST
@about_a_game
def mute_talk(request: HttpRequest, key: str) -> HttpResponse:
    """Spare a person the messages of one player, news of them, or the spectators’ messages, in one game."""
    return _change_mute(request, key, commands.mute_talk)


@login_required
@require_POST
@about_a_game
def unmute_talk(request: HttpRequest, key: str) -> HttpResponse:
    """Take such a mute back."""
    return _change_mute(request, key, commands.unmute_talk)


def _change_mute(request: HttpRequest, key: str, command: Callable[..., None]) -> HttpResponse:
    what, seat = request.POST.get("what", ""), parse_number(request.POST.get("seat", "0"))
    if what not in Muted or seat is None or seat > MOST_SEATS:
        raise Http404
    try:
        command(game_key=key, user=reader_of(request), what=Muted(what), seat=seat)
    except GameError as error:
        if error.code == GameCode.NOTHING_TO_MUTE:
            raise Http404 from error
        raise
    return redirect("spectators" if what == Muted.SPECTATORS else "messages", key)


def note_seen(reader: User, game: Game, shown: MessagesPage, now: datetime) -> None:
    """Note that a player is shown messages, where one of them is new."""
    if shown.newest > shown.mark:
        commands.note_seen(reader_id=reader.pk, game_id=game.pk, up_to=shown.newest, now=now)


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
    extras = queries.page_extras(page, request.user)
    shown = queries.reacted(queries.messages_page(page.table), page.game, request.user)
    note_seen(reader_of(request), page.game, shown, timezone.now())
    shown = replace(shown, unread=())
    return render(
        request,
        "games/_messages_body.html",
        {"game": page.game, "messages_page": shown, "message_form": form, "spared": extras.spared},
        status=status,
    )
