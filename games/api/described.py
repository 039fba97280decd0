"""How operations describe themselves: group, question, answers, problems, an example. All of it in English."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final, Protocol

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema

from games.api.answered import ProblemAnswer
from games.api.problems import CONTENT_TYPE
from games.models.game import KEY_ALPHABET, KEY_LENGTH

GROUPS: Final[Mapping[str, str]] = {
    "games": "Find games, begin them, take seats and give them up.",
    "play": "Where a game stands, what is legal, and playing a turn.",
    "log": "What happened in a game, its record, a picture of its board.",
    "people": "Players, and whose requests these are.",
    "sandbox": "Records played through, without a game.",
}
"""The groups of operations, in order."""
KEY: Final = OpenApiParameter(
    "key",
    {"type": "string", "pattern": f"^[{KEY_ALPHABET}]{{{KEY_LENGTH}}}$"},
    OpenApiParameter.PATH,
    description="The game's key, as in the address of its page.",
)
NUMBER: Final = OpenApiParameter(
    "number",
    {"type": "integer", "minimum": 1, "maximum": 10**18 - 1},
    OpenApiParameter.PATH,
    description="The person's number, as in the address of their page.",
)
_ALWAYS: Final = (
    HTTPStatus.UNAUTHORIZED,
    HTTPStatus.FORBIDDEN,
    HTTPStatus.NOT_ACCEPTABLE,
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.SERVICE_UNAVAILABLE,
)
"""What any operation may be refused with."""
_OF_BODIES: Final = (HTTPStatus.BAD_REQUEST, HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
"""What any operation with a body may be refused with."""


class Described(Protocol):
    """Decorates a method of a view, which stays as it is."""

    def __call__[Method](self, method: Method) -> Method:
        """Return the method, which knows now what it is."""
        ...


def described(
    operation: str,
    summary: str,
    *,
    group: str,
    answer: Any,
    asks: Any = None,
    status: HTTPStatus = HTTPStatus.OK,
    problems: Sequence[HTTPStatus] = (),
    parameters: Sequence[Any] = (),
    example: Mapping[str, Any] | None = None,
    more: Mapping[Any, Any] | None = None,
    media: str = "application/json",
) -> Described:
    """Describe an operation that ``asks`` for a body, or for none, and gives one ``answer``, or a problem."""
    refusals = {*_ALWAYS, *problems, *(_OF_BODIES if asks is not None else ())}
    told = [(refused, OpenApiResponse(ProblemAnswer, description=refused.phrase)) for refused in sorted(refusals)]
    examples = [] if example is None else [OpenApiExample("Example", value=example, request_only=True)]
    describe: Any = extend_schema(
        operation_id=operation,
        summary=summary,
        tags=[group],
        request={"application/json": asks} if asks is not None else None,
        parameters=list(parameters),
        responses={
            (status.value, media): OpenApiResponse(answer, description=status.phrase),
            **(more or {}),
            **{(refused.value, CONTENT_TYPE): words for refused, words in told},
        },
        examples=examples,
    )
    decorated: Described = describe
    return decorated
