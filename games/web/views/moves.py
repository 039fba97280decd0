"""Entries of the log for the script that plays them on the board of an open page."""

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from games.presenters.registry import PRESENTERS
from games.queries.moves import moves_between
from games.web.answers import Request, query_number, with_a_board
from games.web.played import document_of


@require_safe
@with_a_board
def moves(request: Request, key: str) -> HttpResponse:
    """Hand out the entries ``?first=`` to ``?last=`` as the reader may see them: a dozen at most."""
    first, last = query_number(request, "first"), query_number(request, "last")
    if first is None or last is None:
        raise Http404
    found = moves_between(key, request.user, first, last)
    return document_of(PRESENTERS[found.game.ruleset], found.moves, found.table.names)
