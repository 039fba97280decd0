"""A turn that its player has planned ahead."""

from datetime import datetime
from typing import Any

from django.db import transaction

from engine.contract import END, Rules, split_turn
from games.commands._append import add_turn
from games.commands._lock import lock_game
from games.log.positions import position_at, rules_of
from games.log.table import next_actor
from games.models import Entry, Plan, PlanState, Seat
from games.models.choices import Actor
from games.notices.facts import TurnBegan
from games.notices.outbox import enqueue


@transaction.atomic(durable=True)
def play_plan(*, game_id: int, now: datetime) -> Entry | None:
    """Look at the plans of who is to move: play the first whose conditions all hold and whose turn is legal.

    Return the entry; with it the plans of the seat are gone. If none can be played they are kept with the reason, their
    owner is notified of their turn, and nobody looks at them again: return None. Safe to repeat and to run twice at
    once, as all happens under the game's lock. Raises `GameError` (``no-such-game``).
    """
    game = lock_game(pk=game_id)
    seat = next_actor(game)
    if seat is None or seat.number is None:
        return None
    plans = list(Plan.objects.filter(seat=seat, state=PlanState.DUE).order_by("place"))
    if not plans:
        return None
    rules, state = rules_of(game), position_at(game, game.seq).state
    for plan in plans:
        if _may_be_played(rules, state, seat.number, plan):
            return add_turn(game, seat=seat.number, turn=plan.turn, by=Actor.PLAYER, now=now, planned=True)
    Plan.objects.bulk_update(plans, ("state", "unmet"))
    enqueue(game, TurnBegan(seat.number, game.seq), now=now)
    return None


@transaction.atomic(durable=True)
def give_up_plans(*, game_id: int, now: datetime) -> None:
    """Delete the plans of who is to move, at which nobody could look for an error of the site; notify their owner."""
    game = lock_game(pk=game_id)
    seat = next_actor(game)
    if seat is not None and seat.number is not None and _delete_due(seat):
        enqueue(game, TurnBegan(seat.number, game.seq), now=now)


def _may_be_played(rules: Rules[Any], state: Any, seat: int, plan: Plan) -> bool:
    """Whether all conditions of a plan hold and its turn is legal; if not, the plan says why, and is not saved."""
    for condition in plan.conditions:
        if not rules.holds(state, seat, condition):
            plan.state, plan.unmet = PlanState.UNMET, condition
            return False
    if rules.why_not(state, END, split_turn(plan.turn)) is not None:
        plan.state = PlanState.ILLEGAL
        return False
    return True


def _delete_due(seat: Seat) -> int:
    return Plan.objects.filter(seat=seat, state=PlanState.DUE).delete()[0]
