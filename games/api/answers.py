"""Answers that several views give: a game, a page of games, why the rules refuse."""

from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Any, Protocol
from urllib.parse import urlencode

from django.urls import reverse
from django.utils import timezone
from rest_framework.exceptions import NotAuthenticated, ValidationError
from rest_framework.response import Response

from accounts.models import User
from engine.contract import Json, JsonObject, Rules
from engine.errors import RulesError
from games import queries
from games.api.documents import bare_position, event_documents, game_document, games_document
from games.api.problems import refusal_problem
from games.log.positions import position_at, rules_of
from games.log.table import Reader
from games.models import Game
from games.models.choices import Status
from games.presenters.registry import PRESENTERS
from games.queries.game_page import GamePage
from games.queries.listing import Urgent, games_for_bots, games_invited_to, games_waiting, own_games, public_games
from games.queries.ratings import rating_changes


class Place(Protocol):
    """Where a page of a list begins."""

    @property
    def text(self) -> str:
        """The same as text for an address."""
        ...


def place_of[Begin](text: str, read: Callable[[str], Begin | None]) -> Begin | None:
    """Return where a page begins, None for the first one. Raises `ValidationError` for what no `next` says."""
    if not text:
        return None
    place = read(text)
    if place is None:
        raise ValidationError({"after": ["This is no beginning of a page."]})
    return place


def person_who_asks(reader: Reader) -> User:
    """Return who asks. Raises `NotAuthenticated` for guests."""
    if not isinstance(reader, User):
        raise NotAuthenticated
    return reader


def answer_with_game(key: str, reader: Reader, status: HTTPStatus = HTTPStatus.OK) -> Response:
    """Return a game as its reader may see it, with its address where it is new."""
    page = queries.game_page(key, reader, lines=0)
    document = game_document(page, rating_changes(page.game, reader), timezone.now())
    headers = {"Location": reverse("api_game", args=[key])} if status == HTTPStatus.CREATED else {}
    return Response(document, status=status.value, headers=headers)


def answer_with_games(
    games: Sequence[Game], reader: Reader, following: Place | None, address: str, **asked: str
) -> Response:
    """Return a page of games; ``next`` asks the same ``address`` for the page that follows."""
    begin = None if following is None else f"{address}?{urlencode({**asked, 'after': following.text})}"
    return Response(games_document(games, reader, begin))


def list_games(
    reader: Reader,
    *,
    status: str,
    after: str,
    mine: bool = False,
    waiting: bool = False,
    invited: bool = False,
    takes_bots: bool = False,
) -> Response:
    """Return a page of public games, of one's own, or of those that wait for one."""
    address = reverse("api_games")
    if waiting:
        urgent, later = games_waiting(person_who_asks(reader), place_of(after, Urgent.read))
        return answer_with_games(urgent, reader, later, address, waiting="true")
    place = place_of(after, queries.Moment.read)
    if invited:
        games, following = games_invited_to(person_who_asks(reader), place)
        return answer_with_games(games, reader, following, address, invited="true")
    if mine:
        games, following = own_games(Status(status), person_who_asks(reader), place)
        return answer_with_games(games, reader, following, address, status=status, mine="true")
    if takes_bots:
        games, following = games_for_bots(reader, place)
        return answer_with_games(games, reader, following, address, takes_bots="true")
    games, following = public_games(Status(status), reader, place)
    return answer_with_games(games, reader, following, address, status=status)


def illegal_problem(page: GamePage, error: RulesError, steps: Sequence[str]) -> Response:
    """Return why the rules refuse one of ``steps`` at the position of a page, and what was legal in its place.

    Of that nothing is told where the reader was not to move.
    """
    words = PRESENTERS[page.game.ruleset].refuse(error, page.table.names)
    if not page.may_move:
        return refusal_problem(error, words, legal=[])
    state = position_at(page.game, page.seq).state
    return refusal_problem(error, words, legal=legal_instead(rules_of(page.game), state, error, steps))


def composed(page: GamePage, state: Any, steps: Sequence[str]) -> JsonObject:
    """Return what may follow the beginning of a turn of the reader of a page in a state, and where that leads.

    Raises `RulesError` where it is not legal.
    """
    rules = rules_of(page.game)
    legal, reached = rules.legal_steps(state, steps), rules.play_steps(state, steps)
    seen = rules.view(reached.state, page.viewer_number)
    preview: JsonObject = {
        "position": bare_position(seen, rules.drawing),
        "events": event_documents(reached.events),
    }
    return {"seq": page.seq, "steps": list(steps), "legal": list(legal), "preview": preview}


def legal_instead(rules: Rules[Any], state: Any, error: RulesError, steps: Sequence[str]) -> list[Json]:
    """Return what was legal in place of a refused step."""
    return list(rules.legal_steps(state, steps[: len(steps) if error.step is None else error.step]))
