"""What the page of a finished game says first: how it ended, and whether the same people play again."""

from dataclasses import dataclass
from typing import Final

from django.utils.translation import get_language

from accounts.names import isolate
from games.log.table import Reader, seat_of
from games.models import Game
from games.models.choices import Status
from games.presenters.protocol import Result
from games.presenters.registry import PRESENTERS
from games.queries.game_page import GamePage
from games.queries.history import history
from games.queries.rematch import rematch_of
from games.web.kept import Kept


@dataclass(frozen=True, slots=True)
class Rematch:
    """The game that follows a finished one, as somebody who sat in that may see it; or that there could be one."""

    game: Game | None = None
    wanted_by: str = ""
    """Who asked for it, empty if that person is gone."""
    joined: bool = False
    """Whether the reader has a seat there."""

    @property
    def is_open(self) -> bool:
        """Whether seats are free."""
        return self.game is not None and self.game.status == Status.OPEN


_results: Final = Kept[Result](300)


def ended_with(page: GamePage) -> Result | None:
    """Return how the game ended where the page shows that, else None.

    Nothing of a finished game changes but what its seats are called: it is made once for each way to call them.
    """
    game, names = page.game, page.table.names
    if game.status != Status.FINISHED or not page.is_latest:
        return None
    key = (game.key, game.head, names, get_language())
    return _results.get(key, lambda: PRESENTERS[game.ruleset].result(tuple(history(game)), names))


def rematch_for(page: GamePage, reader: Reader) -> Rematch | None:
    """Return what whoever sat in a finished game may know of its rematch: one query, or two; None for all others.

    Also where the next game of a series begins without being asked for.
    """
    if page.game.status != Status.FINISHED or page.viewer is None or page.game.is_followed:
        return None
    game = rematch_of(page.game, reader)
    if game is None:
        return Rematch()
    wanted_by = isolate(game.creator.display_name) if game.creator is not None else ""
    return Rematch(game, wanted_by, joined=seat_of(game, reader) is not None)
