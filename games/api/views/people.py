"""Players, and whose requests these are."""

from http import HTTPStatus
from typing import Any

from django.urls import reverse
from rest_framework.exceptions import NotFound
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from games import queries
from games.api.answered import GamesAnswer, MeAnswer, PlayerAnswer
from games.api.answers import answer_with_games, list_games, place_of
from games.api.asked import PlaceQuery
from games.api.base import READ, ApiView
from games.api.described import NUMBER, described
from games.api.documents import me_document, player_document
from games.log.table import Reader
from games.queries import Person, Sought
from games.queries.ratings import ratings_of


class PlayerView(ApiView):
    """A player."""

    scopes = {"GET": READ}

    @described(
        "get_player",
        "Look at a player",
        group="people",
        answer=PlayerAnswer,
        parameters=[NUMBER],
        problems=[HTTPStatus.NOT_FOUND],
    )
    def get(self, _request: Request, number: int) -> Response:
        """Return a player with ratings and results, unless they hide these."""
        person = _person(number, self.reader)
        if _hides(person, self.reader):
            return Response(player_document(person, (), None))
        career = queries.career_of(person.user, unlisted=person.user == self.reader)
        return Response(player_document(person, ratings_of(person.user), career))


class PlayerGamesView(ApiView):
    """The finished games of a player."""

    scopes = {"GET": READ}

    @described(
        "list_player_games",
        "List a player's finished games",
        group="people",
        answer=GamesAnswer,
        parameters=[NUMBER, PlaceQuery],
        problems=[HTTPStatus.BAD_REQUEST, HTTPStatus.NOT_FOUND],
    )
    def get(self, request: Request, number: int) -> Response:
        """List finished games, newest first, a page at a time: listed ones alone, but to oneself. None of who hides."""
        asked = PlaceQuery(data=request.query_params)
        asked.is_valid(raise_exception=True)
        place = place_of(asked.validated_data["after"], queries.Moment.read)
        person, address = _person(number, self.reader), reverse("api_player_games", args=[number])
        if _hides(person, self.reader):
            return answer_with_games([], self.reader, None, address)
        sought = Sought(people=(number,), unlisted=person.user == self.reader)
        games, following = queries.finished_games(sought, place)
        return answer_with_games(games, self.reader, following, address)


class MeView(ApiView):
    """Whose requests these are."""

    permission_classes: Any = (IsAuthenticated,)
    scopes = {"GET": READ}

    @described("get_me", "Who am I", group="people", answer=MeAnswer)
    def get(self, _request: Request) -> Response:
        """Return whose requests these are, and how many games wait for them."""
        return Response(me_document(self.person, queries.count_my_games(self.person)))


class WaitingView(ApiView):
    """The games that wait for one."""

    permission_classes: Any = (IsAuthenticated,)
    scopes = {"GET": READ}

    @described(
        "list_waiting",
        "List the games that wait for me",
        group="people",
        answer=GamesAnswer,
        parameters=[PlaceQuery],
        problems=[HTTPStatus.BAD_REQUEST],
    )
    def get(self, request: Request) -> Response:
        """List the running games in which one is to move, the most urgent first: what a program asks in a loop."""
        asked = PlaceQuery(data=request.query_params)
        asked.is_valid(raise_exception=True)
        return list_games(self.person, status="active", waiting=True, **asked.validated_data)


def _person(number: int, reader: Reader) -> Person:
    """Return the person of a number. Raises `NotFound`."""
    person = queries.person_for(number, reader)
    if person is None:
        raise NotFound
    return person


def _hides(person: Person, reader: Reader) -> bool:
    return not person.user.ratings_shown and person.user != reader
