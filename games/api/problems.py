"""Refusals as JSON problem objects (RFC 9457), with the codes that the pages use, and the list of all codes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus
from typing import Final

from django.utils import translation
from rest_framework.exceptions import APIException
from rest_framework.response import Response

from engine.contract import JsonObject
from engine.errors import Refusal, RulesCode, RulesError
from games.clock import ClockCode
from games.errors import HTTP_STATUS, GameCode, GameError
from games.presenters.registry import PRESENTERS
from games.words.refusals import REFUSALS, explain

CONTENT_TYPE: Final = "application/problem+json"


class ApiCode(StrEnum):
    """Refusals by the API itself."""

    PARSE_ERROR = "parse-error"
    INVALID = "invalid"
    UNKNOWN_PARAMETER = "unknown-parameter"
    NOT_AUTHENTICATED = "not-authenticated"
    AUTHENTICATION_FAILED = "authentication-failed"
    INVALID_TOKEN = "invalid-token"  # noqa: S105 - it is no secret
    SCOPE = "scope"
    PERMISSION_DENIED = "permission-denied"
    NOT_FOUND = "not-found"
    METHOD_NOT_ALLOWED = "method-not-allowed"
    NOT_ACCEPTABLE = "not-acceptable"
    UNSUPPORTED_MEDIA_TYPE = "unsupported-media-type"
    BAD_RECORD = "bad-record"
    RECORD_TOO_LONG = "record-too-long"
    THROTTLED = "throttled"
    ERROR = "error"
    UNAVAILABLE = "unavailable"


API_REFUSALS: Final[Mapping[ApiCode, tuple[HTTPStatus, str]]] = {
    ApiCode.PARSE_ERROR: (HTTPStatus.BAD_REQUEST, "The body is no JSON, or longer or deeper than anything asked for."),
    ApiCode.INVALID: (
        HTTPStatus.BAD_REQUEST,
        "Some fields are lacking, wrong or unknown: `fields` says which and why.",
    ),
    ApiCode.UNKNOWN_PARAMETER: (HTTPStatus.BAD_REQUEST, "The address knows no parameter {name}."),
    ApiCode.NOT_AUTHENTICATED: (HTTPStatus.UNAUTHORIZED, "The request says of nobody that it is theirs."),
    ApiCode.AUTHENTICATION_FAILED: (HTTPStatus.UNAUTHORIZED, "What the request says of whose it is does not hold."),
    ApiCode.INVALID_TOKEN: (HTTPStatus.UNAUTHORIZED, "The access token is wrong, was revoked or has expired."),
    ApiCode.SCOPE: (HTTPStatus.FORBIDDEN, "The access token lacks the scope {scope}."),
    ApiCode.PERMISSION_DENIED: (HTTPStatus.FORBIDDEN, "Whose request it is may not do this."),
    ApiCode.NOT_FOUND: (
        HTTPStatus.NOT_FOUND,
        "There is nothing at this address. All addresses end in a slash or a suffix.",
    ),
    ApiCode.METHOD_NOT_ALLOWED: (HTTPStatus.METHOD_NOT_ALLOWED, "`Allow` has the methods that this address takes."),
    ApiCode.NOT_ACCEPTABLE: (HTTPStatus.NOT_ACCEPTABLE, "`Accept` leaves out what this address answers with."),
    ApiCode.UNSUPPORTED_MEDIA_TYPE: (HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "Bodies are `application/json`."),
    ApiCode.BAD_RECORD: (HTTPStatus.UNPROCESSABLE_ENTITY, "The record can't be read or replayed: `detail` says where."),
    ApiCode.RECORD_TOO_LONG: (
        HTTPStatus.UNPROCESSABLE_ENTITY,
        "The record has more entries, or takes longer, than fits.",
    ),
    ApiCode.THROTTLED: (HTTPStatus.TOO_MANY_REQUESTS, "Too many requests: `Retry-After` says when to come back."),
    ApiCode.ERROR: (HTTPStatus.INTERNAL_SERVER_ERROR, "A fault of the site, which the staff finds in its log."),
    ApiCode.UNAVAILABLE: (
        HTTPStatus.SERVICE_UNAVAILABLE,
        "The site is away for a moment: `Retry-After` says how long.",
    ),
}
"""The status of each, and what it says in English."""


@dataclass(frozen=True, slots=True)
class ProblemKind:
    """A line of the list of codes."""

    code: str
    status: int
    words: str


def problem_kinds() -> Iterator[ProblemKind]:
    """Yield all codes that a problem can have, in English, with parameters in braces.

    A code that several games have is there once, in the words of the first.
    """
    for code, (status, words) in API_REFUSALS.items():
        yield ProblemKind(code.value, status.value, words)
    with translation.override("en"):
        for each in (*GameCode, *RulesCode, *ClockCode):
            status = HTTP_STATUS[each] if isinstance(each, GameCode) else HTTPStatus.UNPROCESSABLE_ENTITY
            yield ProblemKind(each.value, status.value, _in_braces(str(REFUSALS[each])))
        of_games: dict[str, str] = {}
        for presenter in PRESENTERS.values():
            for name, sentence in presenter.refusals.items():
                of_games.setdefault(str(name), str(sentence))
        for name, sentence in of_games.items():
            yield ProblemKind(name, HTTPStatus.UNPROCESSABLE_ENTITY.value, _in_braces(sentence))


def refusal_problem(error: Refusal, words: str | None = None, **more: object) -> Response:
    """Return a refusal by the site or by the rules; ``words`` are those of the board game, if it has some."""
    status = error.http_status if isinstance(error, GameError) else HTTPStatus.UNPROCESSABLE_ENTITY
    extra: JsonObject = {"code": error.code.value, "params": dict(error.params)}
    if isinstance(error, RulesError) and error.step is not None:
        extra["step"] = error.step
    return _problem(status, words or explain(error), {**extra, **more})


def record_problem(code: ApiCode, words: str = "") -> Response:
    """Return why a record can't be played."""
    status, usual = API_REFUSALS[code]
    return _problem(status, words or usual, {"code": code.value})


def api_problem(error: APIException, headers: Mapping[str, str]) -> Response:
    """Return a refusal by the API itself: not signed in, too fast, not understood."""
    code = ApiCode(error.default_code.replace("_", "-"))
    extra: dict[str, object] = {"code": code.value}
    if isinstance(error.detail, dict):
        extra["fields"] = error.detail
    if (params := getattr(error, "params", None)) is not None:
        extra["params"] = params
    detail = str(error.detail) if isinstance(error.detail, str) else str(error.default_detail)
    response = _problem(HTTPStatus(error.status_code), detail, extra)
    for name, value in headers.items():
        response[name] = value
    return response


def _problem(status: HTTPStatus, detail: str, extra: Mapping[str, object]) -> Response:
    kind = f"/api/#{extra['code']}"
    body = {"type": kind, "title": status.phrase, "status": status.value, "detail": detail, **extra}
    return Response(body, status=status.value, content_type=CONTENT_TYPE)


def _in_braces(words: str) -> str:
    """Return a sentence with its placeholders in braces."""
    return words.replace("%(", "{").replace(")s", "}").replace("%%", "%")
