"""What the answers to requests have in common, whatever page they belong to."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Final, cast

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.vary import vary_on_headers
from django_htmx.middleware import HtmxDetails

from accounts.models import User
from games.errors import GameCode, GameError
from games.presenters.protocol import Presenter

LONGEST_NUMBER: Final = 18
"""Digits that a number in a request can have: as many as an id in the database, and no more."""
NOT_FOUND: Final = (GameCode.NO_SUCH_GAME, GameCode.NO_SUCH_POSITION)

type ViewFunction = Callable[..., HttpResponse]


class Request(HttpRequest):
    """A request as the middleware leaves it."""

    htmx: HtmxDetails


def about_a_game(view: ViewFunction) -> ViewFunction:
    """Make a view of the game with a ``key`` answer 404 where there is no such game or position."""

    @wraps(view)
    def answer(request: HttpRequest, key: str, **more: object) -> HttpResponse:
        try:
            return view(request, key, **more)
        except GameError as error:
            if error.code in NOT_FOUND:
                raise Http404 from error
            raise

    return answer


def with_a_board(view: ViewFunction) -> ViewFunction:
    """Make a view `about_a_game` never be cached: its answer may hold its reader's hidden cards. htmx gets a part."""
    return never_cache(vary_on_headers("HX-Request")(about_a_game(view)))


def reader_of(request: HttpRequest) -> User:
    """Return who is signed in, in a view that guests can't reach."""
    return cast("User", request.user)


def style_sheets(presenter: Presenter, *, table: bool = True) -> dict[str, Sequence[str]]:
    """Return what ``games/_sheets.html`` links for a page with a game's board, and with its table around it."""
    return {
        "sheets": [*presenter.board_sheets, *(presenter.table_sheets if table else ())],
        "contrast_sheets": presenter.contrast_sheets,
    }


def parse_number(text: str) -> int | None:
    """Return a number that was sent as plain digits, None for anything else."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER else None


def query_number(request: HttpRequest, name: str) -> int | None:
    """Return a number of the address's query, None where it is not given. Raises `Http404` for what is no number."""
    text = request.GET.get(name)
    if text is None:
        return None
    number = parse_number(text)
    if number is None:
        raise Http404
    return number


def run_command(
    request: HttpRequest,
    command: Callable[[User], str],
    *,
    address: str,
    refuse: Callable[[GameError], HttpResponse],
    then: str = "",
) -> HttpResponse:
    """Run a command for the reader, show the words that it returns, and go to ``then``, or else to ``address``.

    Guests are asked to sign in and come back to ``address``. A refusal is answered by ``refuse``.
    """
    if not request.user.is_authenticated:
        return redirect_to_login(address)
    try:
        words = command(request.user)
    except GameError as error:
        return refuse(error)
    messages.success(request, words)
    return redirect(then or address)
