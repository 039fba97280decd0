"""What is answered when a request could not be carried out: 503 where the database is away, else 500."""

import sys
from http import HTTPStatus
from typing import Final

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.views.defaults import server_error as default_server_error

RETRY_AFTER: Final = 5
"""Seconds after which a client may try again while the database is away."""
_PASSING_STATES: Final = ("08", "40", "53", "55P03", "57")
"""SQLSTATE of connections lost, transactions that collided, exhausted resources, locks not had, a server that stops."""
_PASSING_WORDS: Final = ("locked", "busy", "unable to open")
"""How SQLite, which has no codes for it, says the same."""


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer a request that ended in an exception (``handler500``)."""
    if is_database_away(sys.exception()):
        return unavailable(request)
    if is_for_programs(request):
        return _problem("error", HTTPStatus.INTERNAL_SERVER_ERROR)
    return default_server_error(request)


def is_for_programs(request: HttpRequest) -> bool:
    """Return whether an address is the API's: what it answers is JSON, refusals too."""
    return request.path_info.startswith("/api/") and request.path_info != "/api/"


def bad_request(request: HttpRequest) -> HttpResponse:
    """Return the answer to what no page and no program can have meant."""
    if is_for_programs(request):
        return _problem("parse-error", HTTPStatus.BAD_REQUEST)
    return HttpResponse("Bad request", content_type="text/plain", status=HTTPStatus.BAD_REQUEST)


def is_database_away(error: BaseException | None) -> bool:
    """Return whether an error says that the database can't serve us at the moment, rather than that we are wrong."""
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    cause = error.__cause__
    if type(cause).__module__ == "sqlite3":
        return any(words in str(cause) for words in _PASSING_WORDS)
    state: str | None = getattr(cause, "sqlstate", None)
    return state is None or state.startswith(_PASSING_STATES)


def unavailable(request: HttpRequest) -> HttpResponse:
    """Return the 503 page in the reader's language; nothing in it needs the database, the session or the cache."""
    response: HttpResponse
    if is_for_programs(request):
        response = _problem("unavailable", HTTPStatus.SERVICE_UNAVAILABLE, retry_after=RETRY_AFTER)
    elif request.headers.get("HX-Request") == "true":
        response = HttpResponse(render_to_string("503.html#words"), status=503)
        response["HX-Retarget"] = "#messages"
        response["HX-Reswap"] = "innerHTML"
    else:
        response = HttpResponse(render_to_string("503.html"), status=503)
    response["Retry-After"] = str(RETRY_AFTER)
    response["Cache-Control"] = "no-store"
    return response


def _problem(code: str, status: HTTPStatus, **more: int) -> HttpResponse:
    """Return a problem object (RFC 9457) as the API has them, made of nothing that could be away."""
    body = {"type": f"/api/#{code}", "title": status.phrase, "status": status.value, "detail": status.description}
    return JsonResponse({**body, "code": code, **more}, status=status, content_type="application/problem+json")
