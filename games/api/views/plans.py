"""Turns that are planned ahead: what may be planned, what was, and taking plans back."""

from http import HTTPStatus
from typing import Any, Final

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from engine.errors import RulesError
from games import commands, queries
from games.api.answered import PlanAnswer, PlannableAnswer, PlansAnswer
from games.api.answers import composed, illegal_problem
from games.api.asked import NewPlan, Steps
from games.api.base import PLAY, READ, ApiView, AskThrottle, PlayThrottle
from games.api.described import KEY, described
from games.api.documents import plan_document
from games.errors import GameCode, GameError
from games.log.positions import position_at, rules_of
from games.models import MOST_PLANS, Plan
from games.presenters.registry import PRESENTERS
from games.queries.game_page import GamePage
from games.queries.plans import plans_of, why_not_plan

PLACE: Final = OpenApiParameter(
    "place",
    {"type": "integer", "minimum": 1, "maximum": MOST_PLANS},
    OpenApiParameter.PATH,
    description="The plan's place.",
)
_PROBLEMS: Final = (HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY)


class PlansView(ApiView):
    """One's plans in a game."""

    permission_classes: Any = (IsAuthenticated,)
    scopes = {"GET": READ, "POST": PLAY, "DELETE": PLAY}
    throttles = {"POST": PlayThrottle, "DELETE": PlayThrottle}

    @described(
        "list_plans", "List one's plans", group="play", answer=PlansAnswer, parameters=[KEY], problems=_PROBLEMS[:2]
    )
    def get(self, request: Request, key: str) -> Response:  # noqa: ARG002 - the framework's
        """Return the turns that one has planned in a game, in the order in which they are tried.

        Nobody else can see them, or tell that there are any. To plan raises no `ETag`.
        """
        return _answer(queries.game_page(key, self.reader, lines=0))

    @described(
        "plan_turn",
        "Plan a turn",
        group="play",
        asks=NewPlan,
        answer=PlanAnswer,
        status=HTTPStatus.CREATED,
        parameters=[KEY],
        problems=_PROBLEMS,
        example={"seq": 12, "turn": "H<", "conditions": ["star(4,3)"]},
    )
    def post(self, request: Request, key: str) -> Response:
        """Plan the next turn of one's own while others are to move, and return the plan.

        It is played as soon as it is one's turn, if all of its `conditions` hold then and the turn is legal. These are
        some of those that `plannable` lists for the turn; the necessary ones are kept anyhow, and all where none are
        named. There are three plans at most. All are gone when one's turn is over, or once one does anything else in
        the game, such as a proposal. The very same plan again is the one that is there.
        """
        asked = NewPlan(data=request.data)
        asked.is_valid(raise_exception=True)
        terms = asked.validated_data
        try:
            plan = commands.add_plan(game_key=key, user=self.person, now=timezone.now(), **terms)
        except RulesError as error:
            return illegal_problem(queries.game_page(key, self.reader, lines=0), error, terms["turn"].split())
        return Response(plan_document(plan), status=HTTPStatus.CREATED)

    @described(
        "withdraw_plans",
        "Withdraw all plans",
        group="play",
        answer=PlansAnswer,
        parameters=[KEY],
        problems=_PROBLEMS[:2],
    )
    def delete(self, request: Request, key: str) -> Response:  # noqa: ARG002 - the framework's
        """Take back all of one's plans in a game. Once more is no error."""
        commands.withdraw_plans(game_key=key, user=self.person)
        return _answer(queries.game_page(key, self.reader, lines=0))


class PlanView(ApiView):
    """One plan."""

    scopes = {"DELETE": PLAY}
    throttles = {"DELETE": PlayThrottle}

    @described(
        "withdraw_plan",
        "Withdraw a plan",
        group="play",
        answer=PlansAnswer,
        parameters=[KEY, PLACE],
        problems=_PROBLEMS[:2],
    )
    def delete(self, request: Request, key: str, place: int) -> Response:  # noqa: ARG002 - the framework's
        """Take back one plan, and return those that are left, which keep their places."""
        commands.withdraw_plan(game_key=key, user=self.person, place=place)
        return _answer(queries.game_page(key, self.reader, lines=0))


class PlannableView(ApiView):
    """What may be planned."""

    scopes = {"POST": READ}
    throttles = {"POST": AskThrottle}

    @described(
        "plannable",
        "Ask what could be planned",
        group="play",
        asks=Steps,
        answer=PlannableAnswer,
        parameters=[KEY],
        problems=_PROBLEMS,
        example={"seq": 12, "steps": ["H<", "x2b"]},
    )
    def post(self, request: Request, key: str) -> Response:
        """Return what `legal` does, as if it were one's turn now, and what the steps so far rely on.

        Only who waits for their turn may ask, as steps may hold a hidden card: so it is a POST, and changes nothing.
        """
        asked = Steps(data=request.data)
        asked.is_valid(raise_exception=True)
        page, steps = queries.game_page(key, self.reader, lines=0), asked.validated_data["steps"]
        if code := why_not_plan(page, asked.validated_data["seq"]):
            raise GameError(code)
        rules, number = rules_of(page.game), page.viewer_number or 0
        state = position_at(page.game, page.seq).state
        now = rules.as_if_to_move(state, number)
        try:
            document = composed(page, now, steps)
        except RulesError as error:
            return illegal_problem(page, error, steps)
        presenter = PRESENTERS[page.game.ruleset]
        conditions = [
            {
                "text": condition.text,
                "necessary": condition.is_necessary,
                "unlikely": condition.is_unlikely,
                "words": presenter.describe_condition(condition.text, page.view or {}, page.table.names),
            }
            for condition in rules.conditions(state, number, steps)
        ]
        return Response({**document, "conditions": conditions})


def _answer(page: GamePage) -> Response:
    """Return the plans of the reader of a page. Raises `GameError` for who has no seat, and before the start."""
    if page.viewer is None:
        raise GameError(GameCode.NOT_YOURS)
    if page.view is None:
        raise GameError(GameCode.NOT_RUNNING)
    plans: list[Plan] = plans_of(page)
    return Response({"seq": page.seq, "plans": [plan_document(plan) for plan in plans]})
