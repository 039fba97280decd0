"""Who is asked to take a seat in a game."""

from dataclasses import dataclass

from accounts.models import Block
from games.log.table import Reader
from games.models import Invitation
from games.queries.game_page import GamePage


@dataclass(frozen=True, slots=True)
class Invitations:
    """Who is asked to take a seat in a game and has not taken one, in the order in which they were asked."""

    asked: tuple[Invitation, ...]
    """``user`` and ``by`` are loaded."""
    own: Invitation | None
    """The reader's own, None once it is declined."""


def invitations_to(page: GamePage, reader: Reader) -> Invitations:
    """Return who is asked to take a seat in the game of a page: one query."""
    seated = {seat.user_id for seat in page.seats}
    invitations = Invitation.objects.filter(game=page.game).select_related("user", "by").order_by("pk")
    asked = tuple(invitation for invitation in invitations if invitation.user_id not in seated)
    own = (one for one in asked if reader is not None and one.user_id == reader.pk and one.declined_at is None)
    return Invitations(asked, next(own, None))


def blocked_in(page: GamePage, reader: Reader) -> tuple[str, ...]:
    """Return the names of the people in a game whom its reader has blocked: one query, none for guests."""
    if reader is None or not reader.is_authenticated or not page.seats:
        return ()
    numbers = [seat.user_id for seat in page.seats if seat.user_id is not None]
    blocked = set(Block.objects.filter(blocker=reader.pk, blocked__in=numbers).values_list("blocked", flat=True))
    return tuple(name for seat, name in page.table.seated if seat.user_id in blocked)
