"""Ratings as they are shown: of people, at the end of games, on leaderboards. Who wants theirs hidden is left out."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Final

from django.db.models import Q, QuerySet

from games.errors import GameError
from games.log.gates import Applicant, has_gates, refusal
from games.log.table import Reader
from games.models import Game, Invitation, Rating, RatingChange, RatingMonth
from games.models.choices import Pool, Status

if TYPE_CHECKING:
    from accounts.models import User

LIST_SIZE: Final = 100
"""How many people a leaderboard has."""
MOST_COUNTED: Final = 1_000
"""So far down a person is told their place."""
LEAST_GAMES: Final = 3
"""With so many rated games in a month one is on its leaderboard."""
CURVE: Final = 200
"""How many changes of a rating its curve shows, the last ones."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A line of a leaderboard."""

    place: int
    """Shared by whoever is as good."""
    rating: Rating
    """With its person."""
    month: RatingMonth | None = None


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """The best of all time, or of a month."""

    rows: tuple[Ranked, ...]
    own: Rating | None
    """The reader's rating, None where they have none."""
    own_place: int | None
    """The place of a reader who is not among the rows, None where that is unknown or beyond `MOST_COUNTED`."""


def leaderboard(pool: Pool, reader: "User | None") -> Leaderboard:
    """Return who is best, going by what each is good for at least: three queries at most, all by indexes."""
    listed = Rating.objects.filter(_is_shown("user"), pool=pool, listed=True)
    best = list(listed.select_related("user").order_by("-least", "pk")[:LIST_SIZE])
    rows = tuple(Ranked(place, rating) for place, rating in _placed(best, [rating.least for rating in best]))
    own = None if reader is None else Rating.objects.filter(user=reader, pool=pool, games__gt=0).first()
    if own is None or not own.listed or own in best or reader is None or not reader.ratings_shown:
        return Leaderboard(rows, own, None)
    return Leaderboard(rows, own, _count(listed.filter(least__gt=own.least)))


def monthly_leaderboard(pool: Pool, month: date, reader: "User | None") -> Leaderboard:
    """Return whose rating gained most within a month: three queries at most, all by indexes."""
    rows_of_month = RatingMonth.objects.filter(pool=pool, month=month, games__gte=LEAST_GAMES, gain__gt=0)
    enough = rows_of_month.filter(_is_shown("rating__user"))
    best = list(enough.select_related("rating__user").order_by("-gain", "pk")[:LIST_SIZE])
    rows = tuple(Ranked(place, row.rating, row) for place, row in _placed(best, [row.gain for row in best]))
    if reader is None:
        return Leaderboard(rows, None, None)
    own = enough.filter(rating__user=reader).select_related("rating").first()
    if own is None or own in best:
        return Leaderboard(rows, None if own is None else own.rating, None)
    return Leaderboard(rows, own.rating, _count(enough.filter(gain__gt=own.gain)))


def ratings_of(person: "User") -> list[Rating]:
    """Return the ratings of a person who has played rated games, those for two first: one query."""
    return list(Rating.objects.filter(user=person, games__gt=0).order_by("pool"))


def curve_of(rating: Rating) -> list[RatingChange]:
    """Return the last changes of a rating, the earliest first: one query, bounded."""
    return list(rating.changes.order_by("-number")[:CURVE])[::-1]


def creators_ratings(games: Iterable[Game]) -> Mapping[int, Rating]:
    """Return the ratings of who created games, in games of that size, by the numbers of the games: one query."""
    listed = list(games)
    creators = {game.creator_id for game in listed if game.creator_id is not None}
    rows = Rating.objects.filter(_is_shown("user"), user__in=creators, games__gt=0) if creators else ()
    found = {(row.user_id, row.pool): row for row in rows}
    keys = {game.pk: (game.creator_id, str(Pool.of(game.size))) for game in listed}
    return {pk: found[key] for pk, key in keys.items() if key in found}


def refusals_for(user: "User", games: Iterable[Game]) -> Mapping[int, GameError]:
    """Return why open games do not take a person, by the numbers of the games: three queries, if any has gates."""
    gated = [game for game in games if has_gates(game) and game.creator_id != user.pk and game.status == Status.OPEN]
    if not gated:
        return {}
    applicant = Applicant.of(user)
    invited = {*Invitation.objects.filter(game__in=gated, user=user).values_list("game", flat=True)}
    found = {game.pk: refusal(game, applicant) for game in gated if game.pk not in invited}
    return {pk: why for pk, why in found.items() if why is not None}


def rating_changes(game: Game, reader: Reader) -> list[RatingChange]:
    """Return what a game did to ratings, by seat: one query, none for a game that is not rated.

    Whoever does not want theirs shown reads it themselves; of who is gone nobody knows whose it was.
    """
    if game.rating_number is None:
        return []
    visible = Q(rating__user__ratings_shown=True) | Q(rating__user=None)
    if reader is not None and reader.is_authenticated:
        visible |= Q(rating__user=reader.pk)
    rows = RatingChange.objects.filter(visible, seat__game=game).select_related("seat")
    return list(rows.order_by("place", "seat__number"))


def _is_shown(person: str) -> Q:
    return Q(**{f"{person}__ratings_shown": True, f"{person}__is_active": True})


def _placed[Row](rows: list[Row], values: Sequence[float]) -> list[tuple[int, Row]]:
    return [(values.index(value) + 1, row) for row, value in zip(rows, values, strict=True)]


def _count(better: "QuerySet[Rating] | QuerySet[RatingMonth]") -> int | None:
    ahead = len(better.order_by().values_list("pk", flat=True)[:MOST_COUNTED])
    return ahead + 1 if ahead < MOST_COUNTED else None
