"""What turns that are planned ahead come to as the game goes on: parts of commands, on a locked game."""

from collections.abc import Collection
from functools import partial

from django.db import transaction

from games.commands._nudge import nudge_plans
from games.log.seats import seats_of
from games.models import Game, Plan, PlanState, Seat


def drop_plans(game: Game, numbers: Collection[int] | None = None) -> None:
    """Delete the plans of the seats with these numbers, or of all: no query where they have none.

    Whatever the owner of a seat does in the game ends its plans (decision 18), and so does what is done for it.
    """
    for seat in seats_of(game):
        if seat.has_plans and (numbers is None or seat.number in numbers):
            Plan.objects.filter(seat=seat).delete()
            seat.has_plans = False


def make_due(game: Game, seat: Seat) -> bool:
    """Let a worker look at the plans of a seat whose turn begins; return whether it has any."""
    if seat.has_plans:
        Plan.objects.filter(seat=seat).update(state=PlanState.DUE)
        transaction.on_commit(partial(nudge_plans, game.pk), robust=True)
    return seat.has_plans
