"""Public games to watch: those that are played, and those that have just ended. Their cost is that of one page."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from django.db.models import Q

from games.models import Game
from games.models.choices import Status
from games.queries.lists import listed, with_last_move

LIST_SIZE: Final = 24


class Watched(StrEnum):
    """The lists of games to watch."""

    RUNNING = "running"
    """The one in which somebody moved last first; with the last move, as in `MyList`."""
    FINISHED = "finished"
    """Newest first."""


@dataclass(frozen=True, slots=True)
class Moment:
    """Where a page begins: after the game of this number that moved, or ended, at this instant."""

    at: datetime
    pk: int


def games_to_watch(which: Watched, after: Moment | None = None) -> tuple[list[Game], Moment | None]:
    """Return a page of public games, with where the next one begins, None on the last: two queries."""
    column, status = ("turn_began_at", Status.ACTIVE) if which == Watched.RUNNING else ("finished_at", Status.FINISHED)
    games = listed().filter(status=status, public=True, players_only=False, **{f"{column}__isnull": False})
    if which == Watched.RUNNING:
        games = with_last_move(games)
    if after is not None:
        same = Q(**{column: after.at}, pk__lt=after.pk)
        games = games.filter(Q(**{f"{column}__lt": after.at}) | same)
    page = list(games.order_by(f"-{column}", "-pk")[: LIST_SIZE + 1])
    if len(page) <= LIST_SIZE:
        return page, None
    last = page[LIST_SIZE - 1]
    return page[:LIST_SIZE], Moment(getattr(last, column), last.pk)
