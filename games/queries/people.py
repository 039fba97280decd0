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


def public_results(number: int) -> PublicResults | None:
    """Return the results of the confirmed person, or the guest, of that number, None if there is none: two queries."""
    person = User.objects.shown().filter(pk=number).first()
    if person is None:
        return None
    games = finished_public_games(person)
    return PublicResults(person, games, won=games.aggregate(count=Count("pk", filter=Q(own_place=1)))["count"])


def player_number(name: str) -> int | None:
    """Return by what number the page of the confirmed person of that display name goes, whatever its case, or None."""
    person = User.objects.named(name)
    return None if person is None else person.pk
