"""The game in which the people of a finished one play again."""

from games.log.seats import with_seats
from games.models import Game
from games.models.choices import Status


def rematch_of(game: Game) -> Game | None:
    """Return the rematch of a finished game, with its seats and who asked for it, unless it was withdrawn: two queries.

    One where there is none.
    """
    rematches = Game.objects.select_related("creator").filter(rematch_of=game).exclude(status=Status.CANCELLED)
    return with_seats(rematches).first()
