"""The page of one game: the board now and at past positions, news for open pages, the record."""

from http import HTTPStatus

from django.http import Http404, HttpResponse, HttpResponseNotModified, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from games.commands import note_presence
from games.errors import GameCode, GameError
from games.queries.game_page import game_page, game_version, page_extras
from games.queries.log import record_for
from games.queries.messages import messages_for, reacted
from games.web.answers import Request, query_number, with_a_board
from games.web.chart import chart_context
from games.web.game_answers import polling_tag, render_game, render_with_kept_turn
from games.web.kept_turn import forget_turn


@require_safe
@with_a_board
def game(request: Request, key: str) -> HttpResponse:
    """Show a game as it is now, or after the entry ``?at=``."""
    seq = query_number(request, "at")
    page = game_page(key, request.user, at=seq, lines=0)
    note_presence(reader=request.user, game_id=page.game.pk, now=timezone.now())
    if page.view is None:
        return redirect("invitation", key=key)
    response = render_with_kept_turn(request, page)
    if request.user.is_authenticated:
        forget_turn(request, response, key)
    return response


@require_safe
@with_a_board
def board(request: Request, key: str) -> HttpResponse:
    """Answer an open page that asks for news: 304 while nothing changed.

    Only a page whose reader has touched it since it last asked (``X-Touched``) keeps them present.

    Where a turn is being composed (``composing``) the answer is no board but a word that there is news, and messages.
    """
    game_id, version = game_version(key, request.user)
    if "X-Touched" in request.headers:
        note_presence(reader=request.user, game_id=game_id, now=timezone.now())
    tag = polling_tag(request, version)
    if request.headers.get("HX-PTag") == tag:
        return HttpResponseNotModified(headers={"HX-PTag": tag})
    page = game_page(key, request.user, lines=0)
    if page.view is None:
        return redirect("invitation", key=key)
    if "composing" not in request.GET:
        return render_game(request, page)
    moved = request.GET.get("seq") != str(page.game.seq)
    messages_page = messages_for(page)
    messages_page = messages_page and reacted(messages_page, page.game, request.user)
    if not moved and messages_page is None:
        return HttpResponse(status=HTTPStatus.NO_CONTENT, headers={"HX-PTag": tag})
    context = {"page": page, "game": page.game, "moved": moved, "messages_page": messages_page}
    context["spared"] = messages_page is not None and page_extras(page, request.user).spared
    response = render(request, "games/game.html#news", context)
    response["HX-PTag"] = tag
    return response


@require_safe
@with_a_board
def chart(request: Request, key: str) -> HttpResponse:
    """Show everyone's points over the game, on a page of their own or for a place in the game's."""
    page = game_page(key, request.user, lines=0)
    if page.view is None:
        return redirect("invitation", key=key)
    template = "games/_chart.html" if request.htmx else "games/chart.html"
    return render(request, template, {"page": page, "game": page.game, **chart_context(page)})


@require_safe
@with_a_board
def record(request: Request, key: str) -> HttpResponse:
    """Hand out the game's record as the reader may have it."""
    try:
        document = record_for(key, request.user)
    except GameError as error:
        if error.code != GameCode.NOT_RUNNING:
            raise
        raise Http404 from error
    response = JsonResponse(document, json_dumps_params={"ensure_ascii": False, "indent": 1})
    response["Content-Disposition"] = f'attachment; filename="game-{key}.json"'
    return response
