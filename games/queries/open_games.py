"""Open games that wait for players: the lobby, in pages, and those that fit what a person looks for."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Window, prefetch_related_objects
from django.db.models.functions import RowNumber

from accounts.blocks import apart_from
from accounts.bots import same_people
from engine.contract import Json
from games.log.gates import Applicant, taking
from games.log.table import Reader
from games.models import Game, Rating, Seat
from games.models.choices import DUELLISTS, Pool, Status
from games.queries.lists import listed
from games.skill import mean_of

if TYPE_CHECKING:
    from accounts.models import User

LIST_SIZE: Final = 50
MOST_OF_ONE: Final = 3
"""So many open games of one creator are shown in a page of the lobby."""
MOST_TRIED: Final = 5
"""So many games are tried for who looks for one: others may take their last seats at the same time."""
DAY: Final = 86_400


class Pace(StrEnum):
    """How long a turn may take."""

    HOURS = "hours"
    DAY = "day"
    DAYS = "days"


_ALLOWANCES: Final[Mapping[Pace, Q]] = {
    Pace.HOURS: Q(time_control__allowance__lt=DAY),
    Pace.DAY: Q(time_control__allowance__gte=DAY, time_control__allowance__lt=3 * DAY),
    Pace.DAYS: Q(time_control__allowance__gte=3 * DAY),
}


_RATED: Final = Q(~Exists(Seat.objects.filter(~Q(bot="") | Q(user__is_guest=True), game=OuterRef("pk"))), rated=True)
"""Open games that will be rated if no computer player and no guest comes to them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What somebody looks for among open games; what is not said fits anything."""

    size: int | None = None
    pace: Pace | None = None
    last_seat: bool = False
    """Only games that start with one more player."""
    rated: bool | None = None
    takes_bots: bool | None = None
    creator_from: int | None = None
    """Only games of people with such a rating, which they let others see."""
    creator_to: int | None = None
    takes: "User | None" = None
    """Only games whose gates let this person in."""
    options: Mapping[str, tuple[Json, bool]] = field(default_factory=dict)
    """By the name of an option: what it is in the plain game, and whether it has to be so."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page of the lobby begins: after this game, among those of this helping of each creator."""

    helping: int = 0
    free: int = 0
    created_at: datetime | None = None
    pk: int = 0


@dataclass(frozen=True, slots=True)
class Lobby:
    """A page of the lobby, and where the next one begins, None on the last."""

    games: tuple[Game, ...]
    next: Place | None


def lobby(place: Place | None = None, wanted: Wanted | None = None, reader: Reader = None) -> Lobby:
    """Return a page of the open public games, those that start soonest first: four queries at most.

    Fewest free seats come first, then the newest, with their seats loaded. Each creator has `MOST_OF_ONE` games in a
    helping, and a page is of one helping, so that nobody hides the others: their further games come after everybody's
    first ones. A ``reader`` is spared games with people whom they have blocked, or who have blocked them.
    """
    place = place or Place()
    soonest = (F("free").asc(), F("created_at").desc(), F("pk").desc())
    number = Window(RowNumber(), partition_by=F("creator"), order_by=soonest)
    # Who created them is read of a page alone: joined to all open games, it would be most of the work.
    fitting = spared(_fitting(wanted or Wanted()), reader).select_related(None)
    ranked = fitting.annotate(number=number).order_by(*soonest)
    least = place.helping * MOST_OF_ONE
    rest = ranked.filter(number__gt=least, number__lte=least + MOST_OF_ONE)
    if place.created_at is not None:
        later = Q(created_at__lt=place.created_at) | Q(created_at=place.created_at, pk__lt=place.pk)
        rest = rest.filter(Q(free__gt=place.free) | Q(later, free=place.free))
    games = list(rest[: LIST_SIZE + 1])
    prefetch_related_objects(games, "creator")
    if len(games) > LIST_SIZE:
        last = games[LIST_SIZE - 1]
        return Lobby(tuple(games[:LIST_SIZE]), Place(place.helping, last.free, last.created_at, last.pk))
    may_be_more = place.created_at is not None or any(game.number == least + MOST_OF_ONE for game in games)
    more = may_be_more and ranked.filter(number__gt=least + MOST_OF_ONE).exists()
    return Lobby(tuple(games), Place(place.helping + 1) if more else None)


def game_waited_in(user: "User", wanted: Wanted) -> Game | None:
    """Return an open game in which a person has a seat already, and which is as they want it.

    One that takes bots only where they want such a game.
    """
    game: Game | None = _fitting(_for_people(wanted)).filter(seats__user=user).order_by("created_at", "pk").first()
    return game


def games_for(user: "User", wanted: Wanted) -> list[Game]:
    """Return a few open games that a person may take a seat in, the first to start first and then the oldest.

    Some that take bots only where they want such a game.
    """
    others = (
        spared(_fitting(replace(_for_people(wanted), takes=user)), user).exclude(creator=user).exclude(seats__user=user)
    )
    others = others.exclude(same_people(user, "removals__user"))
    return list(others.order_by("free", "created_at", "pk")[:MOST_TRIED])


def spared(games: "QuerySet[Any]", reader: Reader) -> "QuerySet[Any]":
    """Return the games without those in which somebody sits who is to be kept apart from the reader."""
    if reader is None or not reader.is_authenticated:
        return games
    return games.filter(~Exists(Seat.objects.filter(apart_from(reader, "user"), game=OuterRef("pk"))))


def _for_people(wanted: Wanted) -> Wanted:
    """Return what is looked for by who wants to play with people, unless they ask for bots."""
    return replace(wanted, takes_bots=bool(wanted.takes_bots))


def _fitting(wanted: Wanted) -> "QuerySet[Any]":
    taken = Seat.objects.filter(game=OuterRef("pk")).order_by().values("game").annotate(number=Count("pk"))
    games = listed().filter(status=Status.OPEN, public=True).annotate(free=F("size") - Subquery(taken.values("number")))
    if wanted.size is not None:
        games = games.filter(size=wanted.size)
    if wanted.pace is not None:
        games = games.filter(_ALLOWANCES[wanted.pace])
    if wanted.last_seat:
        games = games.filter(free=1)
    if wanted.rated is not None:
        games = games.filter(_RATED if wanted.rated else ~_RATED)
    if wanted.takes_bots is not None:
        games = games.filter(takes_bots=wanted.takes_bots)
    if wanted.creator_from is not None or wanted.creator_to is not None:
        games = games.filter(_of_creators(wanted.creator_from, wanted.creator_to))
    if wanted.takes is not None:
        games = games.filter(taking(Applicant.of(wanted.takes)))
    for name, (plain, is_plain) in wanted.options.items():
        same = Q(**{f"options__{name}": plain})
        games = games.filter(same if is_plain else ~same)
    return games


def _of_creators(least: int | None, most: int | None) -> Q:
    """Return the condition of games whose creator has a rating within bounds, in games of that size."""
    ratings = Rating.objects.filter(user=OuterRef("creator"), user__ratings_shown=True, games__gt=0)
    if least is not None:
        ratings = ratings.filter(mu__gte=mean_of(least))
    if most is not None:
        ratings = ratings.filter(mu__lt=mean_of(most + 1))
    duel, table = Q(size=DUELLISTS), ~Q(size=DUELLISTS)
    return (duel & Exists(ratings.filter(pool=Pool.DUEL))) | (table & Exists(ratings.filter(pool=Pool.TABLE)))
