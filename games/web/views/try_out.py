"""Trying out: a position of a game is played on for all seats, with what its reader knows, and the game left alone."""

from collections.abc import Callable
from functools import wraps
from random import Random

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.log.positions import position_at, rules_of
from games.queries.game_page import GamePage, game_page
from games.queries.practice import Start, new_seats
from games.web import practice
from games.web.addresses import addresses_named
from games.web.answers import Request, query_number, with_a_board
from games.web.practice import Board
from games.words.lists import list_words

type BoardView = Callable[[Request, Board], HttpResponse]


def with_a_position(view: BoardView) -> Callable[..., HttpResponse]:
    """Make a view of a practice board begin it where a game stands after the entry ``?at=``, or now."""

    @wraps(view)
    def answer(request: Request, key: str) -> HttpResponse:
        page = game_page(key, request.user, at=query_number(request, "at"), lines=0)
        if page.view is None:
            return redirect("invitation", key=key)
        return view(request, _board(page))

    return with_a_board(answer)


@require_safe
@with_a_position
def try_out(request: Request, board: Board) -> HttpResponse:
    """Show the position from which the reader may play on."""
    return practice.show_board(request, board)


@require_POST
@with_a_position
def preview(request: Request, board: Board) -> HttpResponse:
    """Show what the steps so far would do, or take the last turn back."""
    return practice.answer_preview(request, board)


@require_POST
@with_a_position
def choices(request: Request, board: Board) -> HttpResponse:
    """Hand out what each choice would do, as drawings."""
    return practice.answer_choices(request, board)


@require_POST
@with_a_position
def turn(request: Request, board: Board) -> HttpResponse:
    """Play a turn for the seat to move. The game knows nothing of it."""
    return practice.answer_turn(request, board)


@require_POST
@with_a_position
def moves(request: Request, board: Board) -> HttpResponse:
    """Hand out turns that were played here for the script that plays them on the board."""
    return practice.answer_moves(request, board)


def _board(page: GamePage) -> Board:
    """Return the board on which the reader of a game's page plays on from its position, as far as they know it."""
    game, rules, reader = page.game, rules_of(page.game), page.viewer_number
    state = position_at(game, page.seq).state
    if not page.table.is_open_to_all:
        # Chance that is the same for each request, and tells nothing: what was played on such cards stays legal.
        state = rules.imagine(state, reader, Random(page.seq))  # noqa: S311 - it keeps no secret
    query = f"?at={page.seq}"
    seats = new_seats(page.table.names)
    for seat, stored in zip(seats, page.seats, strict=True):
        seat.bot = stored.bot
    return Board(
        start=Start(
            ruleset=game.ruleset,
            options=game.options,
            state=state,
            names=page.table.names,
            seats=seats,
        ),
        page=f"{reverse('try_out', args=[game.key])}{query}",
        addresses=addresses_named("try", game.key, query),
        title=_("Try it out: %(players)s") % {"players": list_words(page.table.names)},
        head="games/_try_head.html",
        foot="games/_try_foot.html",
        context={
            "from_seq": page.seq,
            "back": f"{reverse('game', args=[game.key])}{'' if page.is_latest else query}",
            "imagined": page.view != rules.view(state, None, ended=True),
        },
    )
