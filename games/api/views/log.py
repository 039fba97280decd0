"""What happened in a game, its record, and a picture of its board."""

from hashlib import blake2b
from http import HTTPStatus
from typing import Final
from urllib.parse import urlencode

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.csp import CSP
from django.utils.decorators import method_decorator
from django.views.decorators.csp import csp_override
from drf_spectacular.utils import OpenApiResponse
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from games import queries
from games.api.answered import GameRecordAnswer, LogAnswer
from games.api.asked import LogQuery, PictureQuery
from games.api.base import ASK_AGAIN, NOT_KEPT, ApiView
from games.api.described import KEY, described
from games.api.documents import line_document, remark_document
from games.presenters.pictures import draw
from games.presenters.sheets import Scheme
from games.queries.log import log_after
from games.queries.pictures import pictured

SVG: Final = "image/svg+xml"
_MISSING: Final = (HTTPStatus.BAD_REQUEST, HTTPStatus.NOT_FOUND)


class LogView(ApiView):
    """The log of a game."""

    @described(
        "get_log",
        "Read the log",
        group="log",
        answer=LogAnswer,
        parameters=[KEY, LogQuery],
        problems=[*_MISSING, HTTPStatus.CONFLICT],
    )
    def get(self, request: Request, key: str) -> Response:
        """Return entries as the reader may see them, oldest first, a page at a time, with what happened beside them."""
        asked = LogQuery(data=request.query_params)
        asked.is_valid(raise_exception=True)
        after = asked.validated_data["after"]
        part = log_after(key, self.reader, after)
        shown = [line.seq for line in part.lines]
        remarks = queries.remarks_among(part.table.game, shown) if shown or not after else []
        following = f"{reverse('api_log', args=[key])}?{urlencode({'after': shown[-1]})}" if part.more else None
        return Response(
            {
                "entries": [line_document(line) for line in part.lines],
                "remarks": [remark_document(remark, part.table.names) for remark in reversed(remarks)],
                "next": following,
            }
        )


class RecordView(ApiView):
    """A game's record."""

    @described(
        "get_record",
        "Read the record",
        group="log",
        answer=GameRecordAnswer,
        parameters=[KEY],
        problems=[HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT],
    )
    def get(self, _request: Request, key: str) -> Response:
        """Return the record as the reader may have it: complete in itself once the game has ended."""
        return Response(queries.record_for(key, self.reader))


class SvgRenderer(BaseRenderer):
    """Lets programs ask for a picture; what is drawn is handed on as it is."""

    media_type = SVG
    format = "svg"

    def render(self, data: object, *_args: object, **_terms: object) -> bytes:
        """Return a refusal as JSON: pictures come here finished."""
        return JSONRenderer().render(data)


@method_decorator(csp_override({"default-src": [CSP.NONE], "style-src": [CSP.UNSAFE_INLINE]}), name="dispatch")
class PictureView(ApiView):
    """A picture of a board."""

    renderer_classes = (SvgRenderer, JSONRenderer)

    @described(
        "get_picture",
        "Look at a picture of the board",
        group="log",
        answer=str,
        media=SVG,
        parameters=[KEY, PictureQuery],
        problems=_MISSING,
        more={HTTPStatus.NOT_MODIFIED.value: OpenApiResponse(description="It is as it was.")},
    )
    def get(self, request: Request, key: str) -> HttpResponseBase:
        """Return the board as anybody may see it: now, or after the entry `at`."""
        asked = PictureQuery(data=request.query_params)
        asked.is_valid(raise_exception=True)
        found = pictured(key, asked.validated_data.get("at"), self.reader)
        drawn = draw(found, Scheme(asked.validated_data["scheme"])).encode()
        tag = f'"{blake2b(drawn, digest_size=12).hexdigest()}"'
        answer = get_conditional_response(request._request, etag=tag) or HttpResponse(drawn, content_type=SVG)
        answer.headers["ETag"] = tag
        answer.headers["Cache-Control"] = ASK_AGAIN if found.is_for_all else NOT_KEPT
        return answer
