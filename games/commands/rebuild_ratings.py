"""Computing all ratings anew from the results of games, by the same steps as game by game: decision 13.

Where a batch of games begins, what each rating is has been made by the batches before: so it takes the memory of one
batch, however many games there are.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from itertools import groupby
from typing import Final

from django.db import transaction
from django.db.models import Count, Exists, F, Model, OuterRef, Q, Subquery

from games.commands._ratings import SKILL_COLUMNS, Standing, changes_of, follow, lock_counter, months_of
from games.models import Game, Punctuality, Rating, RatingChange, RatingMonth, Seat
from games.models.choices import Actor, Reason
from games.skill import ESTABLISHED, Skill

BATCH: Final = 500
LISTED_FOR: Final = timedelta(days=183)
"""How long after their last rated game a person stands on leaderboards."""
CHANGE_COLUMNS: Final = (
    "rating_id",
    "number",
    "place",
    "mu_before",
    "sigma_before",
    "mu_after",
    "sigma_after",
    "games",
    "at",
)


@transaction.atomic(durable=True)
def rebuild_ratings(*, now: datetime) -> int:
    """Write anew all that follows from results; return how many rows were others. Nobody rates a game meanwhile."""
    lock_counter()
    return sum(_put_right(stored, computed) for stored, computed in _all(now))


@transaction.atomic(durable=True)
def check_ratings(*, now: datetime) -> str:
    """Return a line on the first row that is not what follows from results, to the last digit; else the empty text."""
    lock_counter()
    return next((line for stored, computed in _all(now) if (line := _difference(stored, computed))), "")


def unlist_idle(*, size: int, now: datetime) -> int:
    """Take at most ``size`` people off the leaderboards who have not played for long; return how many."""
    idle = Rating.objects.filter(listed=True, played_at__lt=now - LISTED_FOR).order_by("played_at")
    return Rating.objects.filter(pk__in=list(idle.values_list("pk", flat=True)[:size])).update(listed=False)


type _Pair = tuple[Model | None, Model | None]
"""A row as it is stored, and as it follows from results; None where there is or should be none."""


def _all(now: datetime) -> Iterator[_Pair]:
    yield from _changes()
    yield from _ratings(now)
    yield from _turns()


def _changes() -> Iterator[_Pair]:
    """Yield the changes of all rated games, in the order in which these were rated."""
    reached = 0
    rated = Game.objects.filter(rating_number__isnull=False).order_by("rating_number")
    while games := list(rated.filter(rating_number__gt=reached)[:BATCH]):
        reached = games[-1].rating_number or 0
        yield from _changes_of_batch(games)
    for stray in RatingChange.objects.filter(seat__game__rating_number=None).iterator():
        yield stray, None


def _changes_of_batch(games: Sequence[Game]) -> Iterator[_Pair]:
    seats = defaultdict[int, list[Seat]](list)
    for seat in Seat.objects.filter(game__in=games, rating__isnull=False).order_by("number"):
        seats[seat.game_id].append(seat)
    ratings = {seat.rating_id for row in seats.values() for seat in row if seat.rating_id is not None}
    before = _standings(ratings, games[0].rating_number)
    stored = defaultdict[int, dict[int, RatingChange]](dict)
    for change in RatingChange.objects.filter(seat__game__in=games).select_related("seat"):
        stored[change.seat.game_id][change.seat_id] = change
    for game in games:
        present = stored[game.pk]
        for change in changes_of(game, seats[game.pk], before):
            yield present.pop(change.seat_id, None), change
        for stray in present.values():
            yield stray, None


def _standings(ratings: Iterable[int], number: int | None) -> dict[int, Standing]:
    """Return what ratings were before the game of that number."""
    earlier = RatingChange.objects.filter(rating=OuterRef("pk"), number__lt=number).order_by("-number")
    rows = Rating.objects.filter(pk__in=ratings).annotate(last=Subquery(earlier.values("pk")[:1]))
    last = dict(rows.values_list("pk", "last"))
    changes = RatingChange.objects.in_bulk([pk for pk in last.values() if pk is not None])
    return {
        rating: Standing()
        if pk is None
        else Standing(Skill(changes[pk].mu_after, changes[pk].sigma_after), changes[pk].games)
        for rating, pk in last.items()
    }


def _ratings(now: datetime) -> Iterator[_Pair]:
    """Yield ratings and their months, which follow from the changes."""
    reached = 0
    while ratings := list(Rating.objects.filter(pk__gt=reached).order_by("pk")[:BATCH]):
        reached = ratings[-1].pk
        last: dict[int, RatingChange] = {}
        computed = defaultdict[int, dict[date, RatingMonth]](dict)
        pools = {rating.pk: rating.pool for rating in ratings}
        changes = RatingChange.objects.filter(rating__in=ratings).order_by("rating", "number")
        for pk, group in groupby(changes.iterator(BATCH), lambda change: change.rating_id):
            computed[pk] = months_of(_noting_last(group, last), pools[pk])
        for month in RatingMonth.objects.filter(rating__in=ratings).order_by("pk"):
            yield month, computed[month.rating_id].pop(month.month, None)
        for months in computed.values():
            for month in months.values():
                yield None, month
        for rating in ratings:
            yield rating, _computed(rating, last.get(rating.pk), now)


def _noting_last(changes: Iterable[RatingChange], last: dict[int, RatingChange]) -> Iterator[RatingChange]:
    for change in changes:
        last[change.rating_id] = change
        yield change


def _computed(stored: Rating, last: RatingChange | None, now: datetime) -> Rating:
    rating = Rating(pk=stored.pk, user_id=stored.user_id, pool=stored.pool)
    follow(rating, last)
    played_lately = rating.played_at is not None and rating.played_at >= now - LISTED_FOR
    rating.listed = rating.games >= ESTABLISHED and played_lately
    return rating


def _turns() -> Iterator[_Pair]:
    """Yield who has played how many turns in time, which follows from the logs of settled games between people."""
    bots = Seat.objects.filter(game=OuterRef("game")).exclude(bot="")
    seats = Seat.objects.filter(~Exists(bots), game__settled=True, user__isnull=False).order_by()
    reached = 0
    while users := sorted({*seats.filter(user__gt=reached).order_by("user").values_list("user", flat=True)[:BATCH]}):
        reached = users[-1]
        stored = {row.user_id: row for row in Punctuality.objects.filter(user__in=users)}
        theirs = seats.filter(user__in=users).values("user")
        counted = theirs.annotate(
            played=Count("game__entries", filter=_by_seat(by=Actor.PLAYER, reason="")),
            missed=Count("game__entries", filter=_by_seat(by=Actor.AUTOPILOT) | _by_seat(reason=Reason.TIMEOUT)),
        )
        for row in counted:
            computed = Punctuality(user_id=row["user"], played=row["played"], missed=row["missed"])
            yield stored.get(row["user"]), computed
    for stray in Punctuality.objects.filter(~Exists(seats.filter(user=OuterRef("user")))).iterator():
        yield stray, None


def _by_seat(**what: str) -> Q:
    return Q(game__entries__seat=F("number"), **{f"game__entries__{name}": value for name, value in what.items()})


# --- What differs --------------------------------------------------------------------------------------------------


COLUMNS: Final[Mapping[type[Model], tuple[str, ...]]] = {
    RatingChange: CHANGE_COLUMNS,
    Rating: SKILL_COLUMNS,
    RatingMonth: ("pool", "games", "gain"),
    Punctuality: ("played", "missed"),
}


def _difference(stored: Model | None, computed: Model | None) -> str:
    """Return a line on two rows that are not the same to the last digit, else the empty text."""
    row = stored or computed
    assert row is not None
    if stored is None or computed is None:
        return f"{_name_of(row)}: {'lacking' if stored is None else 'follows from no result'}"
    for column in COLUMNS[type(row)]:
        was, should = getattr(stored, column), getattr(computed, column)
        if was != should:
            return f"{_name_of(row)}: {column} is {was!r}, and follows as {should!r}"
    return ""


def _name_of(row: Model) -> str:
    match row:
        case RatingChange():
            return f"game {row.seat.game.key}, seat {row.seat.number}"
        case RatingMonth():
            return f"rating {row.rating_id}, {row.month:%Y-%m}"
        case Punctuality():
            return f"turns of person {row.user_id}"
        case _:
            return f"rating {row.pk}"


def _put_right(stored: Model | None, computed: Model | None) -> int:
    """Store what was computed; return whether it was not stored so."""
    if isinstance(stored, Rating) and isinstance(computed, Rating) and stored.listed != computed.listed:
        Rating.objects.filter(pk=stored.pk).update(listed=computed.listed)
    if not _difference(stored, computed):
        return 0
    if computed is None:
        assert stored is not None
        stored.delete()
    else:
        computed.pk = None if stored is None else stored.pk
        computed.save(force_insert=stored is None, force_update=stored is not None)
    return 1
