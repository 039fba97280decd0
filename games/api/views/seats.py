"""Taking seats and giving them up, cancelling, playing again."""

from functools import partial
from http import HTTPStatus

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from games import commands
from games.api.answered import GameAnswer
from games.api.answers import answer_with_game
from games.api.asked import Nothing, Seen
from games.api.base import CREATE, ApiView, CreateThrottle
from games.api.described import KEY, described

_described = partial(
    described,
    group="games",
    answer=GameAnswer,
    parameters=[KEY],
    problems=[HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY],
)


def _check_empty(request: Request) -> None:
    """Refuse a body that says something. Raises `ValidationError`."""
    Nothing(data=request.data).is_valid(raise_exception=True)


class JoinView(ApiView):
    """Taking a seat."""

    scopes = {"POST": CREATE}

    @_described("join_game", "Take a seat", asks=Nothing, example={})
    def post(self, request: Request, key: str) -> Response:
        """Take a seat in an open game; the last one starts it. Whoever has a seat already keeps it.

        A bot takes one only in a game that takes bots: others refuse it with `bot-joins`.
        """
        _check_empty(request)
        commands.join_game(game_key=key, user=self.person, now=timezone.now())
        return answer_with_game(key, self.person)


class LeaveView(ApiView):
    """Giving up a seat."""

    scopes = {"POST": CREATE}

    @_described("leave_game", "Give up a seat", asks=Nothing, example={})
    def post(self, request: Request, key: str) -> Response:
        """Give up a seat before the start. Once more is refused with `not-joined`, and changes nothing."""
        _check_empty(request)
        commands.leave_game(game_key=key, user=self.person)
        return answer_with_game(key, self.person)


class ResignView(ApiView):
    """Leaving a running game for good."""

    @_described("resign", "Leave a running game", asks=Seen, example={"seq": 12})
    def post(self, request: Request, key: str) -> Response:
        """Leave a running game for good, whoever is to move. Once more is no error, and changes nothing."""
        asked = Seen(data=request.data)
        asked.is_valid(raise_exception=True)
        commands.resign(game_key=key, user=self.person, seq=asked.validated_data["seq"], now=timezone.now())
        return answer_with_game(key, self.person)


class CancelView(ApiView):
    """Withdrawing a game."""

    scopes = {"POST": CREATE}

    @_described("cancel_game", "Withdraw a game", asks=Nothing, example={})
    def post(self, request: Request, key: str) -> Response:
        """Withdraw an open game that one has created. Once more is no error, and changes nothing."""
        _check_empty(request)
        commands.cancel_game(game_key=key, user=self.person, now=timezone.now())
        return answer_with_game(key, self.person)


class RematchView(ApiView):
    """Playing a finished game again."""

    scopes = {"POST": CREATE}
    throttles = {"POST": CreateThrottle}

    @_described("rematch", "Play a finished game again", asks=Nothing, example={})
    def post(self, request: Request, key: str) -> Response:
        """Offer a rematch of a finished game, or take a seat in the one that is there. The answer is the new game."""
        _check_empty(request)
        game = commands.rematch(game_key=key, user=self.person, now=timezone.now())
        return answer_with_game(game.key, self.person)
