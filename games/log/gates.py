"""Whom an open game takes: who created it may ask for a rating, and for turns played in time."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.db.models import Exists, OuterRef, Q

from games.errors import GameCode, GameError
from games.models import Game, Invitation, Punctuality, Rating
from games.models.choices import DUELLISTS, Pool
from games.skill import ESTABLISHED

if TYPE_CHECKING:
    from accounts.models import User

RATINGS: Final = range(3001)
"""The ratings that can be asked for."""
PUNCTUAL: Final = (80, 90, 95, 99)
"""The shares of turns in time that can be asked for, in per cent."""
TELLING: Final = 10
"""With fewer turns counted a person is taken to be as punctual as anybody."""


@dataclass(frozen=True, slots=True)
class Gates:
    """What an open game asks of who joins it uninvited; None asks for nothing."""

    rating_from: int | None = None
    rating_to: int | None = None
    punctual_from: int | None = None

    @property
    def are_valid(self) -> bool:
        """Whether somebody could pass."""
        bounds = [bound for bound in (self.rating_from, self.rating_to) if bound is not None]
        known = self.punctual_from is None or self.punctual_from in PUNCTUAL
        return known and bounds == sorted(bounds) and all(bound in RATINGS for bound in bounds)


OPEN_TO_ALL: Final = Gates()


@dataclass(frozen=True, slots=True)
class Applicant:
    """A person as gates see them."""

    user_id: int
    ratings: Mapping[str, Rating]
    """By pool; of a pool in which they have not played there is none."""
    punctuality: Punctuality

    @classmethod
    def of(cls, user: "User") -> "Applicant":
        """Return a person as gates see them: two queries."""
        ratings = {rating.pool: rating for rating in Rating.objects.filter(user=user)}
        counted = Punctuality.objects.filter(user=user).first()
        return cls(user.pk, ratings, counted or Punctuality(user_id=user.pk))

    def rating(self, pool: Pool) -> Rating:
        """Return their rating in games of a size."""
        return self.ratings.get(pool) or Rating(user_id=self.user_id, pool=pool)

    @property
    def share(self) -> int:
        """How many turns of a hundred they play in time, as far as is known."""
        return self.punctuality.share if self.punctuality.turns >= TELLING else 100


def has_gates(game: Game) -> bool:
    """Return whether a game does not take everybody."""
    return (game.rating_from, game.rating_to, game.punctual_from) != (None, None, None)


def refusal(game: Game, applicant: Applicant) -> GameError | None:
    """Return why a game does not take a person who is not invited, or None: no query."""
    rating = applicant.rating(Pool.of(game.size))
    if game.rating_from is not None and rating.provisional:
        return GameError(GameCode.RATING_PROVISIONAL, least=game.rating_from, games=ESTABLISHED)
    if game.rating_from is not None and rating.number < game.rating_from:
        return GameError(GameCode.RATING_TOO_LOW, least=game.rating_from, rating=rating.number)
    if game.rating_to is not None and rating.number > game.rating_to:
        return GameError(GameCode.RATING_TOO_HIGH, most=game.rating_to, rating=rating.number)
    if game.punctual_from is not None and applicant.share < game.punctual_from:
        return GameError(GameCode.NOT_PUNCTUAL, least=game.punctual_from, share=applicant.share)
    return None


def why_refused(game: Game, user: "User") -> GameError | None:
    """Return why a game does not take a person, or None; who is invited passes. Three queries where it has gates."""
    if not has_gates(game) or game.creator_id == user.pk:
        return None
    why = refusal(game, Applicant.of(user))
    return None if why is None or Invitation.objects.filter(game=game, user=user).exists() else why


def taking(applicant: Applicant) -> Q:
    """Return the condition of the games that take a person, as `why_refused` has it."""
    invited = Exists(Invitation.objects.filter(game=OuterRef("pk"), user=applicant.user_id))
    duel, table = (_within(applicant.rating(pool)) for pool in (Pool.DUEL, Pool.TABLE))
    rating = (Q(size=DUELLISTS) & duel) | (~Q(size=DUELLISTS) & table)
    punctual = Q(punctual_from=None) | Q(punctual_from__lte=applicant.share)
    return Q(invited) | Q(creator=applicant.user_id) | (rating & punctual)


def _within(rating: Rating) -> Q:
    from_here = Q(rating_from=None)
    if not rating.provisional:
        from_here |= Q(rating_from__lte=rating.number)
    return from_here & (Q(rating_to=None) | Q(rating_to__gte=rating.number))
