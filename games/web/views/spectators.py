"""The spectators' room of a game: apart from the players' messages, and closed to players while the game runs."""

from http import HTTPStatus

from django.contrib.auth.views import redirect_to_login
from django.http import HttpResponse, HttpResponseNotModified, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from games import commands, queries
from games.errors import GameCode, GameError
from games.queries import Room
from games.web.answers import Request, query_number, with_a_board
from games.web.forms.messages import MessageForm
from games.words.refusals import explain


@require_safe
@with_a_board
def room(request: Request, key: str) -> HttpResponse:
    """Show the newest messages of the spectators, or those before the message ``?before=``.

    An open page that asks for news (htmx) gets the list, or 304 while nothing is new.
    """
    before = query_number(request, "before")
    try:
        shown = queries.spectators_room(key, request.user, before=before)
    except GameError as error:
        return _refuse(request, key, error)
    tag = _tag(request, shown)
    if request.htmx and request.headers.get("HX-PTag") == tag:
        return HttpResponseNotModified(headers={"HX-PTag": tag})
    return _show(request, shown, MessageForm(), past=before is not None)


@require_POST
@with_a_board
def write(request: Request, key: str) -> HttpResponse:
    """Write to the other spectators; what was typed stays on the page if something is wrong with it."""
    if not isinstance(request.user, User):
        return redirect_to_login(reverse("spectators", args=[key]))
    form = MessageForm(request.POST)
    if form.is_valid():
        text = form.cleaned_data["text"]
        try:
            commands.write_to_spectators(game_key=key, user=request.user, text=text, now=timezone.now())
        except GameError as error:
            if error.code not in {GameCode.TOO_MANY_MESSAGES, GameCode.TOO_MANY_AS_SPECTATOR}:
                return _refuse(request, key, error)
            form.add_error("text", explain(error))
        else:
            return HttpResponseRedirect(f"{reverse('spectators', args=[key])}#talk", status=HTTPStatus.SEE_OTHER)
    try:
        shown = queries.spectators_room(key, request.user)
    except GameError as error:
        return _refuse(request, key, error)
    if shown.why_not_write is not None:
        return _refuse(request, key, GameError(shown.why_not_write))
    return _show(request, shown, form, status=HTTPStatus.UNPROCESSABLE_ENTITY)


def _show(
    request: Request, shown: Room, form: MessageForm, *, past: bool = False, status: HTTPStatus = HTTPStatus.OK
) -> HttpResponse:
    tag = _tag(request, shown)
    context = {
        "room": shown,
        "game": shown.table.game,
        "players": shown.table.names,
        "message_form": form,
        "past": past,
        "tag": tag,
    }
    template = "games/_spectators_list.html" if request.htmx else "games/spectators.html"
    response = render(request, template, context, status=status)
    response["HX-PTag"] = tag
    return response


def _refuse(request: Request, key: str, error: GameError) -> HttpResponse:
    """Lead on who only has to sign in, to add an address, or to wait for the start; to others say why not."""
    if error.code == GameCode.NO_SUCH_GAME:
        raise error
    if error.code == GameCode.NOT_RUNNING:
        return redirect("invitation", key)
    if not isinstance(request.user, User):
        return redirect_to_login(reverse("spectators", args=[key]))
    if request.user.is_guest:
        return redirect("keep_games")
    context = {"game": {"key": key}, "refusal": explain(error)}
    return render(request, "games/spectators.html", context, status=error.http_status)


def _tag(request: Request, shown: Room) -> str:
    """Return the tag of what this reader sees of the room: the same tag, the same list."""
    signs = sum(tally.count for line in shown.lines for tally in line.tallies)
    newest = shown.lines[-1].number if shown.lines else 0
    return f'"s{newest}-{signs}-{request.user.pk or 0}-{get_language()}"'
