"""What a person's calendar shows: until when they have time to move, and, for a while, which turns are done."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from django.db.models import Exists, F, OuterRef, Q

from games.log.seats import with_seats
from games.log.table import Table
from games.models import Entry, Seat, defer_hidden
from games.queries.lists import games_to_move

if TYPE_CHECKING:
    from accounts.models import User

MOST: Final = 200
"""How many turns of each sort a calendar has at most."""
LATEST: Final = 60
"""Among how many of the last entries of a game those that are done are looked for."""
WITHDRAWN_FOR: Final = timedelta(days=3)
"""For how long a turn that is done stands in the calendar as cancelled: programs look every hour, or once a day."""


@dataclass(frozen=True, slots=True)
class Due:
    """A turn of a person, in a calendar."""

    key: str
    seq: int
    """The number of its entry: that it has, or will have."""
    version: int
    """The version of its game, which only grows."""
    at: datetime
    """Until when there is time; of one that is done, when that was."""
    since: datetime
    """When this became so."""
    rivals: tuple[str, ...]
    done: bool


def turns_due(user: "User", now: datetime) -> Iterator[Due]:
    """Yield the turns that wait for a person, the most urgent first, then those done of late: four queries."""
    waiting = games_to_move(user).filter(deadline__isnull=False).order_by("deadline", "pk")[:MOST]
    for game in with_seats(waiting):
        assert game.deadline is not None
        since = game.turn_began_at or game.created_at
        rivals = Table.of(game, user).rivals
        yield Due(game.key, game.seq + 1, game.version, game.deadline, since, rivals, done=False)
    lately = now - WITHDRAWN_FOR
    seats = Seat.objects.filter(Q(ended_at=None) | Q(ended_at__gt=lately), user=user)
    own = Entry.objects.filter(game__in=seats.values("game"), at__gt=lately, seq__gt=F("game__seq") - LATEST)
    own = own.filter(Exists(seats.filter(game=OuterRef("game"), number=OuterRef("seat")))).order_by("-at", "-pk")
    for entry in with_seats(defer_hidden(own), "game")[:MOST]:
        rivals = Table.of(entry.game, user).rivals
        yield Due(entry.game.key, entry.seq, entry.game.version, entry.at, entry.at, rivals, done=True)
