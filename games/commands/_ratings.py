"""What games do to ratings: parts of commands. One game at a time, in an order that is kept: decision 13."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Final

from django.db import connection

from accounts.households import share_household
from games.log.seats import seats_of
from games.models import Game, Rating, RatingChange, RatingCounter, RatingMonth, Seat
from games.models.choices import Pool, Unrated
from games.skill import ESTABLISHED, Skill, rate, shown

SKILL_COLUMNS: Final = ("mu", "sigma", "games", "played_at", "least")
"""What of a rating follows from its last change."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A rating between two games."""

    skill: Skill = field(default_factory=Skill)
    games: int = 0


def begin_rated(game: Game, now: datetime) -> None:
    """Find out whether a game that starts may be rated, and give its seats the ratings that its result will change.

    These belong to the seats from now on, also where a person leaves with their account. What keeps it from being rated
    is written down; that two live together is said to nobody before the end. The caller saves
    ``unrated`` and the seats.
    """
    if not game.rated:
        return
    seats = seats_of(game)
    people = sorted(seat.user_id for seat in seats if seat.user_id is not None)
    if any(seat.bot for seat in seats):
        game.unrated = Unrated.BOTS
    elif any(seat.user is not None and seat.user.is_guest for seat in seats):
        game.unrated = Unrated.GUESTS
    elif share_household(people, now):
        game.unrated = Unrated.HOUSEHOLD
    if game.unrated:
        return
    pool = Pool.of(game.size)
    # In the order of their numbers: two games that start at once with the same newcomers wait for each other in a line.
    Rating.objects.bulk_create([Rating(user_id=pk, pool=pool) for pk in people], ignore_conflicts=True)
    ratings = dict(Rating.objects.filter(user__in=people, pool=pool).values_list("user", "pk"))
    for seat in seats:
        seat.rating_id = ratings[seat.user_id]  # type: ignore[index] # there are people alone


def why_not_rated(game: Game, now: datetime) -> Unrated | None:
    """Return why a game that has ended, and was to be rated, is not."""
    if game.unrated:
        return Unrated(game.unrated)
    if game.turns < game.size:
        return Unrated.UNPLAYED
    people = [seat.user_id for seat in seats_of(game) if seat.user_id is not None]
    return Unrated.HOUSEHOLD if share_household(people, now) else None


def lock_counter() -> RatingCounter:
    """Return the counter of rated games, locked until the transaction ends: nobody else rates a game meanwhile."""
    return RatingCounter.objects.select_for_update().get_or_create(pk=1)[0]


def try_counter() -> RatingCounter | None:
    """Return the same where nobody else holds it, else None: workers that end turns wait for no rebuild."""
    RatingCounter.objects.get_or_create(pk=1)
    # SQLite knows neither lock nor skipping.
    skips = connection.features.has_select_for_update_skip_locked
    return RatingCounter.objects.select_for_update(skip_locked=skips).filter(pk=1).first()


def rate_game(game: Game, counter: RatingCounter) -> None:
    """Rate a locked game that has ended, as the next one of the locked counter. The caller saves its number."""
    counter.last += 1
    counter.save(update_fields=["last"])
    game.rating_number = counter.last
    seats = [seat for seat in seats_of(game) if seat.rating_id is not None]
    ratings = Rating.objects.in_bulk([seat.rating_id for seat in seats])
    before = {rating.pk: Standing(rating.skill, rating.games) for rating in ratings.values()}
    changes = changes_of(game, seats, before)
    RatingChange.objects.bulk_create(changes)
    for change in changes:
        rating = ratings[change.rating_id]
        follow(rating, change)
        rating.listed = rating.games >= ESTABLISHED
        _follow_month(rating, change)
    Rating.objects.bulk_update(ratings.values(), (*SKILL_COLUMNS, "listed"))


def changes_of(game: Game, seats: Sequence[Seat], before: dict[int, Standing]) -> list[RatingChange]:
    """Return the unsaved changes that the result of a game makes, and move the standings on.

    The seats come in the order of their numbers: sums of floating point numbers depend on it.
    """
    assert game.rating_number is not None
    assert game.finished_at is not None
    places = [seat.place or game.size for seat in seats]
    standings = [before[_rating_of(seat)] for seat in seats]
    after = rate([standing.skill for standing in standings], places)
    changes = []
    for seat, place, old, skill in zip(seats, places, standings, after, strict=True):
        before[_rating_of(seat)] = Standing(skill, old.games + 1)
        changes.append(
            RatingChange(
                rating_id=_rating_of(seat),
                seat=seat,
                number=game.rating_number,
                place=place,
                mu_before=old.skill.mu,
                sigma_before=old.skill.sigma,
                mu_after=skill.mu,
                sigma_after=skill.sigma,
                games=old.games + 1,
                at=game.finished_at,
            )
        )
    return changes


def follow(rating: Rating, last: RatingChange | None) -> None:
    """Set what follows from the last change of a rating; None stands for none."""
    skill = Skill() if last is None else Skill(last.mu_after, last.sigma_after)
    rating.mu, rating.sigma, rating.least = skill.mu, skill.sigma, skill.least
    rating.games = 0 if last is None else last.games
    rating.played_at = None if last is None else last.at


def month_of(at: datetime) -> date:
    """Return the month of an instant by its first day, in UTC: a month on leaderboards is the same for everybody."""
    return at.date().replace(day=1)


def months_of(changes: Iterable[RatingChange], pool: str) -> dict[date, RatingMonth]:
    """Return the unsaved months of one rating, whose changes come in order."""
    months: dict[date, RatingMonth] = {}
    for change in changes:
        _add(months, change, pool)
    return months


def _add(months: dict[date, RatingMonth], change: RatingChange, pool: str) -> None:
    if change.games <= ESTABLISHED:
        return
    month = month_of(change.at)
    row = months.setdefault(month, RatingMonth(rating_id=change.rating_id, pool=pool, month=month, games=0, gain=0))
    row.games += 1
    row.gain += shown(change.mu_after) - shown(change.mu_before)


def _follow_month(rating: Rating, change: RatingChange) -> None:
    present = RatingMonth.objects.filter(rating=rating, month=month_of(change.at)).first()
    months = {} if present is None else {present.month: present}
    _add(months, change, rating.pool)
    for row in months.values():
        row.save()


def _rating_of(seat: Seat) -> int:
    assert seat.rating_id is not None, "seats of rated games have ratings from the start"
    return seat.rating_id
