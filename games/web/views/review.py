"""The review of a finished game: asked for, while it is made, and turn by turn."""

from http import HTTPStatus
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from games import commands
from games.errors import GameError
from games.log.positions import position_at
from games.models.choices import Status
from games.presenters.registry import PRESENTERS
from games.queries.game_page import GamePage, game_page
from games.queries.review import ReviewSoFar, better_moves, review_of
from games.web.addresses import addresses_of
from games.web.answers import NOT_FOUND, Request, query_number, style_sheets, with_a_board
from games.web.game_answers import BLANKS, template_names
from games.web.played import document_of
from games.web.review import review_page
from games.words.refusals import explain


@require_safe
@with_a_board
def review(request: Request, key: str) -> HttpResponse:
    """Show the review of a game, or how far it is; at the turn ``?at=``, of the reader's mistakes with ``?own=``."""
    seq = query_number(request, "at")
    if seq == 0:
        raise Http404
    page = game_page(key, request.user, at=None if seq is None else seq - 1, lines=0)
    if page.view is None:
        return redirect("invitation", key=key)
    return _render(request, page, seq)


@require_POST
@with_a_board
def ask_for_review(request: Request, key: str) -> HttpResponse:
    """Ask for the review of a game, for anyone who may look at it and is signed in."""
    address = reverse("review", args=[key])
    if not request.user.is_authenticated:
        game_page(key, request.user, lines=0)
        return redirect_to_login(address)
    try:
        commands.ask_for_review(game_key=key, user=request.user, now=timezone.now())
    except GameError as error:
        if error.code in NOT_FOUND:
            raise
        page = game_page(key, request.user, lines=0)
        if page.view is None:
            return redirect("invitation", key=key)
        return _render(request, page, None, refusal=error)
    return redirect(address)


@require_safe
@with_a_board
def review_moves(request: Request, key: str, number: int) -> HttpResponse:
    """Hand out the better turn than entry ``number``, and the answers to it, for the script that plays them."""
    first, last = query_number(request, "first"), query_number(request, "last")
    if first is None or last is None or number < 1:
        raise Http404
    page = game_page(key, request.user, at=number - 1, lines=0)
    return document_of(PRESENTERS[page.game.ruleset], better_moves(page, first, last), page.table.names)


def _render(request: Request, page: GamePage, seq: int | None, refusal: GameError | None = None) -> HttpResponse:
    presenter, finished = PRESENTERS[page.game.ruleset], page.game.status == Status.FINISHED
    found = review_of(page.game) if finished else None
    context: dict[str, Any] = {
        "page": page,
        "game": page.game,
        "finished": finished,
        "refusal": refusal and explain(refusal),
        "waiting": found is not None and not found.is_made and not found.given_up,
        "given_up": found is not None and found.given_up,
        "done": len(found.turns) if found else 0,
        "review": None,
        "scripts": presenter.scripts[:1],
        **style_sheets(presenter),
    }
    if found is not None and found.is_made:
        context |= _made(request, page, found, seq)
    template = "games/review.html#review" if request.htmx else "games/review.html"
    response = render(request, template, context, status=refusal.http_status if refusal else HTTPStatus.OK)
    response.content = BLANKS.sub(b"> <", response.content)
    return response


def _made(request: Request, page: GamePage, found: ReviewSoFar, seq: int | None) -> dict[str, Any]:
    """Return what a whole review shows, and the board before the turn that is looked at."""
    presenter = PRESENTERS[page.game.ruleset]
    own = "own" in request.GET
    review = review_page(page, found, seq, own=own)
    return {
        "review": review,
        "asks": "&own=1" if review.own else "",
        "table": presenter.show(page, position_at(page.game, page.seq), (), None),
        "templates": template_names(presenter),
        "addresses": addresses_of(page.game),
    }
