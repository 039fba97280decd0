"""Letting the seats of ended games say so, where a process of an older version ended the game during an upgrade."""

from django.db import transaction
from django.db.models import OuterRef, Subquery

from games.log.table import ENDED
from games.models import Game, Seat


@transaction.atomic(durable=True)
def end_seats(*, size: int) -> int:
    """Copy the end of their games to at most ``size`` seats that lack it; return how many. 0 means none is left.

    Seats that anyone else is at are left to a later run, so nothing waits for anything.
    """
    lacking = Seat.objects.filter(ended_at=None, game__status__in=ENDED, game__finished_at__isnull=False)
    locked = lacking.select_for_update(skip_locked=True, of=("self",)).order_by("pk")
    found = list(locked.values_list("pk", flat=True)[:size])
    end = Game.objects.filter(pk=OuterRef("game")).values("finished_at")
    return Seat.objects.filter(pk__in=found).update(ended_at=Subquery(end)) if found else 0
