"""Reacting without a word: to a message, to a move, to what a spectator wrote."""

from http import HTTPStatus
from typing import Any, Final

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from games import commands, queries
from games.errors import GameCode, GameError
from games.log.talk import Thing
from games.models import ReactionKind
from games.queries import Reactable
from games.web.answers import LONGEST_NUMBER, Request, reader_of, with_a_board
from games.words.refusals import explain

UNSEEN: Final = frozenset({GameCode.NOTHING_TO_REACT_TO, GameCode.NOT_YOURS, GameCode.NOT_RUNNING})
METHODS: Final = ["GET", "HEAD", "POST"]
LETTERS: Final = {Thing.MESSAGE: "m", Thing.MOVE: "e", Thing.SPECTATOR_MESSAGE: "s"}
"""With which what stands under each thing is numbered within a page."""


@login_required
@require_http_methods(METHODS)
@with_a_board
def react_to_message(request: Request, key: str, number: int) -> HttpResponse:
    """Offer all reactions to what another player wrote, or add or take back one."""
    return _answer(request, key, Thing.MESSAGE, number, back=f"{reverse('game', args=[key])}#talk")


@login_required
@require_http_methods(METHODS)
@with_a_board
def react_to_move(request: Request, key: str, number: int) -> HttpResponse:
    """Offer all reactions to what another player played, or add or take back one."""
    return _answer(request, key, Thing.MOVE, number, back=f"{reverse('game', args=[key])}#log-heading")


@login_required
@require_http_methods(METHODS)
@with_a_board
def react_to_spectator(request: Request, key: str, number: int) -> HttpResponse:
    """Offer all reactions to what another spectator wrote, or add or take back one."""
    return _answer(request, key, Thing.SPECTATOR_MESSAGE, number, back=reverse("spectators", args=[key]))


def _answer(request: Request, key: str, thing: Thing, number: int, *, back: str) -> HttpResponse:
    """Without htmx a reaction leads ``back``; with it the answer is what stands under the thing."""
    user = reader_of(request)
    if len(str(number)) > LONGEST_NUMBER:
        raise Http404
    found = queries.thing_to_react_to(key, user, thing, number)
    if found is None or user.is_guest:
        raise Http404
    context = {"found": found, "back": back, "reacts": True, "where": request.path}
    context |= {"letter": LETTERS[thing], "number": number}
    if request.method != "POST":
        return _show(request, {**context, **_choices(found)})
    kind = request.POST.get("kind", "")
    if kind not in ReactionKind:
        return _show(request, {**context, **_choices(found)}, HTTPStatus.UNPROCESSABLE_ENTITY)
    try:
        commands.react(game_key=key, user=user, thing=thing, number=number, kind=ReactionKind(kind), now=timezone.now())
    except GameError as error:
        if error.code in UNSEEN:
            raise Http404 from error
        return _show(request, {**context, **_choices(found), "refusal": explain(error)}, error.http_status)
    if not request.htmx:
        return HttpResponseRedirect(back, status=HTTPStatus.SEE_OTHER)
    found = queries.thing_to_react_to(key, user, thing, number)
    return _show(request, {**context, "tallies": found.tallies if found is not None else ()})


def _choices(found: Reactable) -> dict[str, Any]:
    """Return what stands there already, and all else that can be chosen."""
    given = {tally.kind for tally in found.tallies}
    return {"tallies": found.tallies, "open": [kind for kind in ReactionKind.values if kind not in given]}


def _show(request: Request, context: dict[str, Any], status: int = HTTPStatus.OK) -> HttpResponse:
    template = "games/_reactions.html" if request.htmx else "games/react.html"
    return render(request, template, context, status=status)
