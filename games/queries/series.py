"""Games of the same people that follow one another."""

from dataclasses import dataclass

from django.db.models import Q

from games.log.seats import with_seats
from games.models import Game
from games.models.choices import Status


@dataclass(frozen=True, slots=True)
class Series:
    """The games of a series that have begun, in order, with their seats loaded."""

    games: tuple[Game, ...]
    length: int
    """How many games were planned."""

    @property
    def goes_on(self) -> bool:
        """Whether another game will begin, or the last one is still played."""
        last = self.games[-1]
        return last.status == Status.ACTIVE or last.is_followed

    def seat_numbers(self, game: Game) -> list[int]:
        """Return in which seat of a game each seat of the first one sits: everyone moves on by one a game."""
        return [(number - game.series_number + 1) % game.size + 1 for number in range(game.size)]


def series_with(game: Game) -> Series | None:
    """Return the series that a started game belongs to, None where it stands alone: two queries, or none."""
    if game.series_length == 1:
        return None
    first = game.series_of_id or game.pk
    games = Game.objects.filter(Q(pk=first) | Q(series_of=first)).order_by("series_number")
    return Series(tuple(with_seats(games)), game.series_length)
