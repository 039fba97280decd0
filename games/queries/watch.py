"""Public games to watch: those that are played, and those that have just ended. Their cost is that of one page."""

from enum import StrEnum
from typing import Final

from games.models import Game
from games.models.choices import Status
from games.queries.lists import Moment, listed, page_of_games, with_last_move

LIST_SIZE: Final = 24


class Watched(StrEnum):
    """The lists of games to watch."""

    RUNNING = "running"
    """The one in which somebody moved last first; with the last move, as in `MyList`."""
    FINISHED = "finished"
    """Newest first."""


def games_to_watch(which: Watched, after: Moment | None = None) -> tuple[list[Game], Moment | None]:
    """Return a page of public games, with where the next one begins, None on the last: two queries."""
    column, status = ("turn_began_at", Status.ACTIVE) if which == Watched.RUNNING else ("finished_at", Status.FINISHED)
    games = listed().filter(status=status, public=True, players_only=False, **{f"{column}__isnull": False})
    if which == Watched.RUNNING:
        games = with_last_move(games)
    return page_of_games(games, column, LIST_SIZE, after)
