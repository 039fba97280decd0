"""Planning a turn ahead, and thinking better of it.

None of this raises the version of the game: nobody else can see that anything has changed.
"""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction

from accounts.models import User
from engine.contract import END, split_turn
from games.commands._lock import lock_game
from games.errors import GameCode, GameError, Stale
from games.log.positions import position_at, rules_of
from games.log.table import seat_of
from games.models import MOST_PLANS, TURN_LENGTH, Game, Plan, Seat
from games.models.choices import Status


@transaction.atomic(durable=True)
def add_plan(
    *, game_key: str, user: User, seq: int, turn: str, conditions: Collection[str] | None = None, now: datetime
) -> Plan:
    """Plan ``turn`` for the next turn of ``user``, who saw the game after entry ``seq``; return the plan.

    Of the conditions that the turn relies on it keeps those that are chosen, or all, and the necessary ones anyhow. It
    is looked at after the plans that are there. The very same plan again is no error. Raises `GameError`:
    ``no-such-game``, ``not-yours``, ``not-running``, ``stale``, ``your-turn``, ``too-many-plans``,
    ``unknown-condition``; `RulesError` if the seat has left, or if the turn would not be legal.
    """
    turn = " ".join(turn.split())
    game = lock_game(key=game_key)
    seat = _seat_in(game, user)
    number = seat.number or 0
    if seq != game.seq:
        raise Stale
    if game.to_move == number:
        raise GameError(GameCode.YOUR_TURN)
    kept = _conditions(game, number, turn, conditions)
    plans = list(Plan.objects.filter(seat=seat).order_by("place"))
    for plan in plans:
        if (plan.turn, plan.conditions) == (turn, kept):
            return plan
    if len(plans) >= MOST_PLANS:
        raise GameError(GameCode.TOO_MANY_PLANS, most=MOST_PLANS)
    place = _place_after(plans)
    return Plan.objects.create(seat=seat, place=place, turn=turn, conditions=kept, made_at=now, seq=seq)


@transaction.atomic(durable=True)
def withdraw_plan(*, game_key: str, user: User, place: int) -> Game:
    """Delete one plan of ``user``.

    Raises `GameError`: ``no-such-game``, ``not-yours``, ``not-running``, ``no-such-plan``.
    """
    game = lock_game(key=game_key)
    if not Plan.objects.filter(seat=_seat_in(game, user), place=place).delete()[0]:
        raise GameError(GameCode.NO_SUCH_PLAN)
    return game


@transaction.atomic(durable=True)
def withdraw_plans(*, game_key: str, user: User) -> Game:
    """Delete all plans of ``user`` in a game; none is no error.

    Raises `GameError`: ``no-such-game``, ``not-yours``, ``not-running``.
    """
    game = lock_game(key=game_key)
    Plan.objects.filter(seat=_seat_in(game, user)).delete()
    return game


def _seat_in(game: Game, user: User) -> Seat:
    """Return the seat of a person in a running game. Raises `GameError`."""
    seat = seat_of(game, user)
    if seat is None:
        raise GameError(GameCode.NOT_YOURS)
    if game.status != Status.ACTIVE:
        raise GameError(GameCode.NOT_RUNNING)
    return seat


def _conditions(game: Game, seat: int, turn: str, chosen: Collection[str] | None) -> list[str]:
    """Return the conditions that a plan keeps. Raises `GameError` and `RulesError`."""
    rules, state, steps = rules_of(game), position_at(game, game.seq).state, split_turn(turn[: TURN_LENGTH + 1])
    found = rules.conditions(state, seat, steps)
    if refusal := rules.why_not(rules.as_if_to_move(state, seat), END, steps):
        raise refusal
    if chosen is not None and not {*chosen} <= {condition.text for condition in found}:
        raise GameError(GameCode.UNKNOWN_CONDITION)
    return [each.text for each in found if chosen is None or each.is_necessary or each.text in chosen]


def _place_after(plans: list[Plan]) -> int:
    """Return the place after those of the plans; where it is past the last one, they move up."""
    if not plans or plans[-1].place < MOST_PLANS:
        return plans[-1].place + 1 if plans else 1
    for place, plan in enumerate(plans, start=1):
        plan.place = place
        plan.save(update_fields=["place"])
    return len(plans) + 1
