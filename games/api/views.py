"""Thin API views: parse, one command or query, answer. Sessions of the site sign them in."""

from io import BytesIO
from typing import Any, Final

from allauth.core.internal.ratelimit import get_ip
from django.http import Http404
from django.utils import timezone
from redis.exceptions import RedisError
from rest_framework import serializers
from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import APIException, NotFound, ParseError
from rest_framework.parsers import JSONParser
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import UserRateThrottle
from rest_framework.views import APIView

from accounts.models import User
from engine.errors import RulesError
from games import commands, queries
from games.api.documents import entry_document, game_document
from games.api.problems import api_problem, refusal_problem
from games.errors import GameError
from games.models import TURN_LENGTH
from games.presenters.registry import PRESENTERS
from games.queries.ratings import rating_changes

LONGEST_BODY: Final = 10_000
"""Bytes that a request can have."""


class Throttle(UserRateThrottle):
    """A limit a person (or the network of one who is not signed in) that lets all pass without the cache."""

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Return whether the request is within the limit."""
        try:
            return super().allow_request(request, view)
        except RedisError:
            return True

    def get_ident(self, request: Request) -> str:
        """Return the network that a request comes from, as it is counted everywhere on the site."""
        return get_ip(request._request)


class ReadThrottle(Throttle):
    """The limit of reading."""

    scope = "api-read"
    rate = "120/min"


class TurnThrottle(Throttle):
    """The limit of playing."""

    scope = "api-turn"
    rate = "30/min"


class Parser(JSONParser):
    """Reads JSON that is no longer and no deeper than anything that the API asks for."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        """Return what was sent. Raises `ParseError`."""
        content = stream.read(LONGEST_BODY + 1)
        if len(content) > LONGEST_BODY:
            raise ParseError
        try:
            return super().parse(BytesIO(content), media_type, parser_context)
        except RecursionError as error:
            raise ParseError from error


class ApiView(APIView):
    """What all API views share."""

    authentication_classes = (SessionAuthentication,)
    permission_classes: Any = (AllowAny,)
    parser_classes = (Parser,)
    renderer_classes = (JSONRenderer,)
    throttle_classes: Any = (ReadThrottle,)

    def handle_exception(self, exc: Exception) -> Response:
        """Answer a refusal with a problem object; anything else is a fault."""
        if isinstance(exc, GameError):
            return refusal_problem(exc)
        if isinstance(exc, Http404):  # the format that ``?format=`` asks for
            exc = NotFound()
        response = super().handle_exception(exc)
        headers = {name: response[name] for name in ("Retry-After", "WWW-Authenticate", "Allow") if name in response}
        return api_problem(exc, headers) if isinstance(exc, APIException) else response


class PageSerializer(serializers.Serializer[Any]):
    """Which page of a game's log is wanted."""

    before = serializers.IntegerField(min_value=1, max_value=10**9, required=False)


class GameView(ApiView):
    """A game as its reader may see it."""

    def get(self, request: Request, key: str) -> Response:
        """Return the game at its last position, with the end of its log, or what comes before entry ``?before=``."""
        asked = PageSerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        page = queries.game_page(key, request.user, **asked.validated_data)
        return Response(game_document(page, rating_changes(page.game, request.user), timezone.now()))


class RecordView(ApiView):
    """A game's record."""

    def get(self, request: Request, key: str) -> Response:
        """Return the record as the reader may have it."""
        return Response(queries.record_for(key, request.user))


class TurnSerializer(serializers.Serializer[Any]):
    """A turn, and the entry after which its player saw the game."""

    seq = serializers.IntegerField(min_value=0)
    turn = serializers.CharField(max_length=TURN_LENGTH)


class TurnView(ApiView):
    """Playing a turn."""

    permission_classes = (IsAuthenticated,)
    throttle_classes = (TurnThrottle,)

    def post(self, request: Request, key: str) -> Response:
        """Play a turn and return its entry; the very same request again returns the same."""
        assert isinstance(request.user, User)  # guests are refused before
        serializer = TurnSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        try:
            entry = commands.play_turn(game_key=key, user=request.user, now=timezone.now(), **serializer.validated_data)
        except RulesError as error:
            page = queries.game_page(key, request.user, lines=0)
            return refusal_problem(error, PRESENTERS[page.game.ruleset].refuse(error, page.table.names))
        return Response(entry_document(entry), status=201)
