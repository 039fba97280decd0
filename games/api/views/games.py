"""Finding games and beginning them."""

import json
from hashlib import sha256
from http import HTTPStatus
from typing import Final
from uuid import NAMESPACE_URL, uuid5

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from games import commands
from games.api.answered import GameAnswer, GamesAnswer
from games.api.answers import answer_with_game, list_games
from games.api.asked import GamesQuery, NewGame, gates_of, time_control_of
from games.api.base import CREATE, READ, ApiView, CreateThrottle
from games.api.described import KEY, described
from games.clock import DEFAULT_PRESET, PRESETS
from games.log.gates import OPEN_TO_ALL
from games.presenters.registry import new_games

IDEMPOTENCY: Final = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "maxLength": 200},
    OpenApiParameter.HEADER,
    description="What the request is called: the same again makes no second game, and another one none at all.",
)


class GamesView(ApiView):
    """Games."""

    scopes = {"GET": READ, "POST": CREATE}
    throttles = {"POST": CreateThrottle}

    @described(
        "list_games",
        "List games",
        group="games",
        answer=GamesAnswer,
        parameters=[GamesQuery],
        problems=[HTTPStatus.BAD_REQUEST],
    )
    def get(self, request: Request) -> Response:
        """List public games or one's own, a page at a time, the newest first.

        Running games are listed by their last move, finished ones by their end, open ones by when they were created.
        Cancelled games are listed to their players alone. Games that are not listed are found by their key.
        """
        asked = GamesQuery(data=request.query_params)
        asked.is_valid(raise_exception=True)
        return list_games(self.reader, **asked.validated_data)

    @described(
        "create_game",
        "Begin a game",
        group="games",
        asks=NewGame,
        answer=GameAnswer,
        status=HTTPStatus.CREATED,
        parameters=[IDEMPOTENCY],
        problems=[HTTPStatus.UNPROCESSABLE_ENTITY],
        example={"size": 2, "bots": ["nova:2"], "time_control": {"preset": "daily"}},
    )
    def post(self, request: Request) -> Response:
        """Create a game in which one has a seat; it starts as soon as all seats are taken.

        With an `Idempotency-Key` the same request again answers with the game that the first one made. Another request
        under the same key makes none, and is refused with `idempotency-mismatch`.
        """
        asked = NewGame(data=request.data)
        asked.is_valid(raise_exception=True)
        terms = dict(asked.validated_data)
        offered, family = new_games(), terms.pop("game", None)
        if family is not None and family not in offered:
            raise ValidationError({"game": ["There is no such game."]})
        ruleset, _presenter = offered[family or next(iter(offered))]
        time_control, gates = terms.pop("time_control", None), terms.pop("gates", None)
        name = request.headers.get("Idempotency-Key", "")
        game = commands.create_game(
            user=self.person,
            ruleset=ruleset,
            now=timezone.now(),
            time_control=PRESETS[DEFAULT_PRESET] if time_control is None else time_control_of(time_control),
            gates=OPEN_TO_ALL if gates is None else gates_of(gates),
            token=uuid5(NAMESPACE_URL, name) if name else None,
            asked=sha256(json.dumps(asked.validated_data, sort_keys=True).encode()).hexdigest() if name else "",
            **terms,
        )
        return answer_with_game(game.key, self.person, HTTPStatus.CREATED)


class GameView(ApiView):
    """A game."""

    @described(
        "get_game",
        "Look at a game",
        group="games",
        answer=GameAnswer,
        parameters=[KEY],
        problems=[HTTPStatus.NOT_FOUND],
    )
    def get(self, _request: Request, key: str) -> Response:
        """Return a game: its terms, who sits where, whose turn it is and until when.

        A game for its players only is not there for anybody else, once it has started.
        """
        return answer_with_game(key, self.reader)
