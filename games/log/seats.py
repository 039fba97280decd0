"""Reading the seats of games with the people in them: by number, or in order of joining before the start."""

from collections.abc import Collection
from datetime import date, datetime, timedelta
from typing import Final

from django.db.models import (
    DateField,
    DateTimeField,
    Exists,
    Model,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    prefetch_related_objects,
)

from games.models import Game, Holiday, Pause, Plan, Seat
from statements import Parameter, Select

OWNERS: Final = "user__owner"


def with_seats[Row: Model](rows: QuerySet[Row], game: str = "") -> QuerySet[Row]:
    """Return games such that reading them reads their seats and users too, by one query more; one for owners of bots.

    Or other rows, with the seats of what is their ``game``.
    """
    return rows.prefetch_related(_seats(f"{game}__seats" if game else "seats"))


def load_all_seats(games: Collection[Game]) -> None:
    """Load the seats, users and owners of bots of games that were read by several queries: two at most."""
    prefetch_related_objects(list(games), _seats("seats"))


def load_seats(game: Game) -> None:
    """Load a game's seats and users, afresh if they were loaded before: one query.

    It also sets ``may_stop`` and ``has_plans`` of each seat. They are put where `prefetch_related_objects` would put
    them, which takes twice the time for a single game: every turn comes through here.
    """
    loaded = game.__dict__.setdefault("_prefetched_objects_cache", {})
    loaded.pop("seats", None)
    seats = game.seats.all()
    since = game.turn_began_at or game.created_at
    seats._result_cache = list(SEATS(game=game.pk, since=since, day=first_day(since)))
    for seat in seats:
        seat.game = game
    loaded["seats"] = seats


def load_owners(game: Game) -> None:
    """Load whose the bots are that sit in a game, whose seats are loaded: one query where there are bots."""
    prefetch_related_objects([seat for seat in seats_of(game) if seat.user is not None and seat.user.is_bot], OWNERS)


def seats_of(game: Game) -> QuerySet[Seat]:
    """Return a game's seats, the loaded ones if they were: what ``game.seats.all()`` does, for what asks often."""
    loaded: QuerySet[Seat] | None = game.__dict__.get("_prefetched_objects_cache", {}).get("seats")
    return game.seats.all() if loaded is None else loaded


def first_day(since: datetime) -> date:
    """Return the first day of a calendar that can matter from an instant on: no zone is a whole day away from UTC."""
    return since.date() - timedelta(days=1)


def _seats(where: str) -> "Prefetch[str]":
    return Prefetch(where, _ordered(Seat.objects.all()).prefetch_related(OWNERS))


def _ordered(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    return seats.select_related("user").order_by("number", "pk")


_ABSENT: Final = Holiday.objects.filter(user=OuterRef("user"), last__gte=Parameter("day", DateField()))
_PAUSED: Final = Pause.objects.filter(
    Q(game=Parameter("game")) | Q(game=None), Q(end=None) | Q(end__gt=Parameter("since", DateTimeField()))
)
SEATS: Final = Select(
    _ordered(Seat.objects.filter(game=Parameter("game"))).annotate(
        may_stop=Exists(_ABSENT) | Exists(_PAUSED),  # type: ignore[no-redef] # its default is None
        has_plans=Exists(Plan.objects.filter(seat=OuterRef("pk"))),
    )
)
