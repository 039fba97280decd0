"""Refusals as JSON problem objects (RFC 9457), with the codes that the pages use."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from rest_framework.exceptions import APIException
from rest_framework.response import Response

from engine.errors import RulesError
from games.errors import GameError
from games.words.refusals import explain

CONTENT_TYPE: Final = "application/problem+json"


def refusal_problem(error: GameError | RulesError, words: str | None = None) -> Response:
    """Return a refusal by the site or by the rules; ``words`` are those of the board game, if it has some."""
    status = error.http_status if isinstance(error, GameError) else HTTPStatus.UNPROCESSABLE_ENTITY
    detail = words or explain(error)
    extra: dict[str, object] = {"code": error.code.value, "params": dict(error.params)}
    if isinstance(error, RulesError) and error.step is not None:
        extra["step"] = error.step
    return _problem(status, detail, extra)


def api_problem(error: APIException, headers: Mapping[str, str]) -> Response:
    """Return a refusal by the API itself: not signed in, too fast, not understood."""
    extra: dict[str, object] = {"code": error.default_code}
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
    body = {"type": "about:blank", "title": status.phrase, "status": status.value, "detail": detail, **extra}
    return Response(body, status=status.value, content_type=CONTENT_TYPE)
