"""What anyone may see of a person."""

from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from accounts.models import User
from games.models import Game
from games.queries.lists import finished_public_games


@dataclass(frozen=True, slots=True)
class PublicResults:
    """A person's finished public games."""

    person: User
    games: QuerySet[Game]
    """Newest first, to be sliced into pages."""
    won: int
    """In how many of them the person came first."""


def public_results(name: str) -> PublicResults | None:
    """Return the results of the active person with a display name, whatever its case; None if there is none.

    Two queries.
    """
    person = User.objects.named(name)
    if person is None:
        return None
    games = finished_public_games(person)
    return PublicResults(person, games, won=games.aggregate(count=Count("pk", filter=Q(own_place=1)))["count"])
