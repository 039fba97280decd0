"""The turns that the reader of a game's page has planned, in words."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.contract import Condition, split_turn
from games.log.positions import position_at, rules_of
from games.models import MOST_PLANS, PlanState
from games.models.choices import Status
from games.presenters.registry import PRESENTERS
from games.queries.game_page import GamePage
from games.queries.plans import plans_of, why_not_plan


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPlan:
    """A plan as its owner reads it."""

    place: int
    turn: str
    words: str
    conditions: Sequence[str]
    unmet: str
    """What did not hold when it was looked at; empty if nothing is known to."""
    state: str


@dataclass(frozen=True, slots=True)
class Plans:
    """What a game's page shows of plans to one of its players."""

    shown: Sequence[ShownPlan]
    may_add: bool

    @property
    def are_over(self) -> bool:
        """Whether all have been looked at, in vain."""
        return bool(self.shown) and all(plan.state in {PlanState.UNMET, PlanState.ILLEGAL} for plan in self.shown)

    @property
    def are_due(self) -> bool:
        """Whether a worker is about to look at them."""
        return any(plan.state == PlanState.DUE for plan in self.shown)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownCondition:
    """Something that a turn relies on, as a box to tick."""

    text: str
    words: str
    is_necessary: bool
    is_unlikely: bool


def plans_on(page: GamePage, *, are_there: bool) -> Plans | None:
    """Return the plans of the reader of a game's latest page, None for who has none to make or to see.

    One query if there are any.
    """
    if page.viewer is None or page.game.status != Status.ACTIVE or page.viewer.retired:
        return None
    shown = shown_plans(page) if are_there else ()
    may_add = len(shown) < MOST_PLANS and why_not_plan(page, page.game.seq) is None
    return Plans(shown, may_add) if shown or may_add else None


def shown_plans(page: GamePage) -> list[ShownPlan]:
    """Return the plans of the reader of a page in words: one query."""
    presenter, names = PRESENTERS[page.game.ruleset], page.table.names
    view = page.view or {}
    return [
        ShownPlan(
            place=plan.place,
            turn=plan.turn,
            words=presenter.describe_turn(plan.turn, names),
            conditions=[presenter.describe_condition(condition, view, names) for condition in plan.conditions],
            unmet=presenter.describe_condition(plan.unmet, view, names) if plan.unmet else "",
            state=plan.state,
        )
        for plan in plans_of(page)
    ]


def conditions_of(page: GamePage, turn: str) -> list[ShownCondition]:
    """Return what a turn of the reader of a game's page would rely on. Raises `RulesError` if it is not legal."""
    state = position_at(page.game, page.seq).state
    found: Sequence[Condition] = rules_of(page.game).conditions(state, page.viewer_number or 0, split_turn(turn))
    presenter, names = PRESENTERS[page.game.ruleset], page.table.names
    return [
        ShownCondition(
            text=condition.text,
            words=presenter.describe_condition(condition.text, page.view or {}, names),
            is_necessary=condition.is_necessary,
            is_unlikely=condition.is_unlikely,
        )
        for condition in found
    ]
