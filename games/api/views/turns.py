"""Where a game stands, what is legal, why something is not, and playing a turn."""

from http import HTTPStatus
from typing import Any, Final

from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.cache import get_conditional_response
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from engine.contract import JsonObject
from engine.errors import RulesError
from games import commands, queries
from games.api.answered import EntryAnswer, LegalAnswer, PositionAnswer, WhyNotAnswer
from games.api.answers import composed, illegal_problem
from games.api.asked import PositionQuery, Step, Steps, Turn
from games.api.base import READ, ApiView, AskThrottle
from games.api.described import KEY, described
from games.api.documents import line_document, position_document
from games.api.problems import refusal_problem
from games.errors import GameCode, GameError, Stale
from games.log.positions import position_at, rules_of
from games.presenters.registry import PRESENTERS
from games.queries.game_page import GamePage
from games.queries.log import line_of

IDEMPOTENCY: Final = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "maxLength": 200},
    OpenApiParameter.HEADER,
    description="What the request is called: no other turn of the seat is played under this key, for a day.",
)
_ETAG: Final = OpenApiParameter(
    "ETag",
    str,
    OpenApiParameter.HEADER,
    response=[HTTPStatus.OK.value, HTTPStatus.NOT_MODIFIED.value],
    description="What to send as `If-None-Match` next time.",
)
_IF_NONE_MATCH: Final = OpenApiParameter(
    "If-None-Match", str, OpenApiParameter.HEADER, description="The `ETag` of the position that one has."
)


class PositionView(ApiView):
    """A position."""

    @described(
        "get_position",
        "Look at the position",
        group="play",
        answer=PositionAnswer,
        parameters=[KEY, PositionQuery, _ETAG, _IF_NONE_MATCH],
        problems=[HTTPStatus.BAD_REQUEST, HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT],
        more={HTTPStatus.NOT_MODIFIED.value: OpenApiResponse(description="It is as it was.")},
    )
    def get(self, request: Request, key: str) -> HttpResponseBase:
        """Return the last position, or the one after the entry `at`, as its reader may see it.

        It is written as in records; what is hidden from the reader is a `?`. To wait for a turn, ask with
        `If-None-Match`: that costs next to nothing while nothing has happened.
        """
        asked = PositionQuery(data=request.query_params)
        asked.is_valid(raise_exception=True)
        at = asked.validated_data.get("at")
        _pk, version = queries.game_version(key, self.reader)
        # What is shown depends on who looks, so the tag names them.
        tag = f'"{version}-{request.user.pk or 0}-{"last" if at is None else at}"'
        unchanged = get_conditional_response(request._request, etag=tag)
        if unchanged is not None:
            unchanged.headers["ETag"] = tag
            return unchanged
        page = queries.game_page(key, self.reader, at=at, lines=0)
        if page.view is None:
            raise GameError(GameCode.NOT_RUNNING)
        return Response(position_document(page), headers={"ETag": tag})


class LegalView(ApiView):
    """What is legal."""

    scopes = {"POST": READ}
    throttles = {"POST": AskThrottle}

    @described(
        "legal_steps",
        "Ask what is legal",
        group="play",
        asks=Steps,
        answer=LegalAnswer,
        parameters=[KEY],
        problems=[HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY],
        example={"seq": 12, "steps": ["H<", "x2b"]},
    )
    def post(self, request: Request, key: str) -> Response:
        """Return the legal next steps after the beginning of one's turn, and where that beginning leads.

        Only who is to move may ask, as steps may hold a hidden card: so it is a POST, and changes nothing. `.` among
        the legal steps says that the turn may end here; it is not written in a turn.
        """
        asked = Steps(data=request.data)
        asked.is_valid(raise_exception=True)
        page, steps = _page_to_compose(self, key, asked.validated_data), asked.validated_data["steps"]
        try:
            return Response(composed(page, position_at(page.game, page.seq).state, steps))
        except RulesError as error:
            return illegal_problem(page, error, steps)


class WhyNotView(ApiView):
    """Why a step is not legal."""

    scopes = {"POST": READ}
    throttles = {"POST": AskThrottle}

    @described(
        "why_not",
        "Ask why a step is not legal",
        group="play",
        asks=Step,
        answer=WhyNotAnswer,
        parameters=[KEY],
        problems=[HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY],
        example={"seq": 12, "steps": [], "step": "D"},
    )
    def post(self, request: Request, key: str) -> Response:
        """Return why a step may not follow the beginning of one's turn, or that it may. Only who is to move may ask."""
        asked = Step(data=request.data)
        asked.is_valid(raise_exception=True)
        terms = asked.validated_data
        page, steps, step = _page_to_compose(self, key, terms), terms["steps"], terms["step"]
        rules, state = rules_of(page.game), position_at(page.game, page.seq).state
        try:
            legal = rules.legal_steps(state, steps)
        except RulesError as error:
            return illegal_problem(page, error, steps)
        why = None if step in legal else rules.why_not(state, step, steps)
        told: JsonObject = {"code": None, "params": {}, "words": None}
        if why is not None:
            words = PRESENTERS[page.game.ruleset].refuse(why, page.table.names)
            told = {"code": why.code.value, "params": dict(why.params), "words": words}
        return Response({"seq": page.seq, "steps": steps, "step": step, "is_legal": why is None, **told})


class TurnsView(ApiView):
    """Playing."""

    @described(
        "play_turn",
        "Play a turn",
        group="play",
        asks=Turn,
        answer=EntryAnswer,
        status=HTTPStatus.CREATED,
        parameters=[KEY, IDEMPOTENCY],
        problems=[HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY],
        example={"seq": 12, "turn": "H< x2b & S>(D)"},
    )
    def post(self, request: Request, key: str) -> Response:
        """Play a turn, and return its entry with what happened.

        `seq` is the number of the last entry that was seen. The very same request again returns the same entry, with
        the same status: a turn is played once, however often it is sent. An `Idempotency-Key` keeps more: under the
        same key no other turn is played, which is refused with `idempotency-mismatch`. A game that has moved on is a
        conflict (`stale`), which brings the position as it is now; what the rules refuse says at which step, and what
        was legal there.
        """
        asked = Turn(data=request.data)
        asked.is_valid(raise_exception=True)
        terms, name = asked.validated_data, request.headers.get("Idempotency-Key", "")
        try:
            entry = commands.play_turn(game_key=key, user=self.person, now=timezone.now(), name=name, **terms)
        except Stale as error:
            page = queries.game_page(key, self.reader, lines=0)
            return refusal_problem(error, position=position_document(page))
        except RulesError as error:
            return illegal_problem(queries.game_page(key, self.reader, lines=0), error, terms["turn"].split())
        return Response(line_document(line_of(entry, entry.seat)), status=HTTPStatus.CREATED)


def _page_to_compose(view: ApiView, key: str, terms: Any) -> GamePage:
    """Return the page on which the reader composes a turn. Raises `GameError` where they may not."""
    page = queries.game_page(key, view.reader, lines=0)
    code = page.why_not_compose(terms["seq"])
    if code is not None:
        raise GameError(code)
    return page
