"""What all views of the API share: who asks, how often, how long a body is, how refusals and answers look."""

import json
from collections.abc import Mapping
from io import BytesIO
from typing import Any, ClassVar, Final

from django.core.exceptions import RequestDataTooBig
from django.http import Http404
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import APIException, NotFound, ParseError
from rest_framework.parsers import JSONParser
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.models import Scope, User
from engine.errors import Refusal
from games.api.access import Scoped, TokenAuthentication, TokenThrottle
from games.api.problems import api_problem, refusal_problem
from games.errors import GameError
from games.log.table import Reader
from games.queries.game_page import game_version

LONGEST_BODY: Final = 10_000
"""Bytes that a request can have."""
READ: Final = Scope.READ
PLAY: Final = Scope.PLAY
CREATE: Final = Scope.CREATE
NOT_KEPT: Final = "private, no-store"
"""What is made for one person: nothing on the way may keep it."""
ASK_AGAIN: Final = "no-cache"
"""What everyone gets alike: it may be kept, and is asked for again by its tag."""
VARY: Final = ("Authorization", "Cookie", "Accept-Language")


class ReadThrottle(TokenThrottle):
    """The limit of reading."""

    scope = "api-read"
    rate = "120/min"


class AskThrottle(TokenThrottle):
    """The limit of asking the rules what is legal."""

    scope = "api-ask"
    rate = "240/min"


class PlayThrottle(TokenThrottle):
    """The limit of playing."""

    scope = "api-play"
    rate = "60/min"


class CreateThrottle(TokenThrottle):
    """The limit of beginning games."""

    scope = "api-create"
    rate = "20/min"


class SandboxThrottle(TokenThrottle):
    """The limit of playing records through."""

    scope = "api-sandbox"
    rate = "20/min"


class Parser(JSONParser):
    """Reads JSON that is no longer and no deeper than anything that the API asks for."""

    longest: ClassVar[int] = LONGEST_BODY

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        """Return what was sent. Raises `ParseError`."""
        content = stream.read(self.longest + 1)
        if len(content) > self.longest:
            raise ParseError
        try:
            parsed = super().parse(BytesIO(content), media_type, parser_context)
            # Half a character, which JSON can write and no answer could repeat.
            json.dumps(parsed, ensure_ascii=False).encode()
        except (RecursionError, UnicodeEncodeError) as error:
            raise ParseError from error
        return parsed


class ApiView(APIView):
    """What all API views share."""

    authentication_classes = (TokenAuthentication, SessionAuthentication)
    permission_classes: Any = (IsAuthenticatedOrReadOnly,)
    parser_classes: Any = (Parser,)
    renderer_classes: Any = (JSONRenderer,)
    metadata_class = None
    scopes: ClassVar[Mapping[str, str]] = {"GET": READ, "POST": PLAY}
    """What a program must have been let do, by method."""
    throttles: ClassVar[Mapping[str, type[TokenThrottle]]] = {"POST": PlayThrottle}
    """The limit of each method, where it is another one than that of reading."""

    @property
    def reader(self) -> Reader:
        """Who asks."""
        user: Reader = self.request.user
        return user

    @property
    def person(self) -> User:
        """Who asks, where guests are refused before."""
        assert isinstance(self.request.user, User)
        return self.request.user

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Look at the request before it is answered: first of all whether there is anything for its method."""
        if not hasattr(self, (request.method or "").lower()):
            self.http_method_not_allowed(request, *args, **kwargs)
        super().initial(request, *args, **kwargs)

    def get_permissions(self) -> Any:
        """Return what a view asks of everybody, and that a token has the scope of the request's method."""
        return [*super().get_permissions(), Scoped()]

    def get_throttles(self) -> Any:
        """Return the limit of the request's method."""
        return [self.throttles.get(self.request.method or "", ReadThrottle)()]

    def handle_exception(self, exc: Exception) -> Response:
        """Answer a refusal with a problem object; anything else is a fault."""
        if isinstance(exc, Refusal):
            return refusal_problem(self._as_seen(exc))
        if isinstance(exc, Http404):  # the format that ``?format=`` asks for
            exc = NotFound()
        if isinstance(exc, RequestDataTooBig):  # so long that nobody reads it
            exc = ParseError()
        response = super().handle_exception(exc)
        headers = {name: response[name] for name in ("Retry-After", "WWW-Authenticate", "Allow") if name in response}
        return api_problem(exc, headers) if isinstance(exc, APIException) else response

    def _as_seen(self, refusal: Refusal) -> Refusal:
        """Return a refusal as who asks may read it: of a game that is not there for them, that there is none."""
        key = self.kwargs.get("key")
        if isinstance(refusal, GameError) and key is not None:
            try:
                game_version(key, self.reader)
            except GameError as hidden:
                return hidden
        return refusal

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Say who may keep the answer, and by what it differs."""
        answer: HttpResponseBase = super().finalize_response(request, response, *args, **kwargs)
        if "Cache-Control" not in answer.headers:
            is_own = getattr(request, "user", None) is not None and request.user.is_authenticated
            answer.headers["Cache-Control"] = NOT_KEPT if is_own else ASK_AGAIN
        patch_vary_headers(answer, VARY)
        return answer
