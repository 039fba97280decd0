"""The game in which the people of a finished one play again."""

from django.db.models import Exists, OuterRef

from accounts.blocks import apart_from
from games.log.seats import with_seats
from games.log.table import Reader
from games.models import Game, Seat
from games.models.choices import Status


def rematch_of(game: Game, reader: Reader) -> Game | None:
    """Return the rematch of a finished game, with its seats and who asked for it, unless it was withdrawn: two queries.

    One where there is none, or it waits with somebody who is kept apart from ``reader``.
    """
    rematches = Game.objects.select_related("creator").filter(rematch_of=game).exclude(status=Status.CANCELLED)
    if reader is not None and reader.is_authenticated:
        apart = Seat.objects.filter(apart_from(reader, "user"), game=OuterRef("pk"))
        rematches = rematches.exclude(Exists(apart), status=Status.OPEN)
    return with_seats(rematches).first()
