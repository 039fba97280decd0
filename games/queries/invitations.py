"""Who is asked to take a seat in a game."""

from dataclasses import dataclass

from accounts.models import Block
from games.log.table import Reader
from games.models import Invitation, MailInvitation
from games.queries.game_page import GamePage


@dataclass(frozen=True, slots=True)
class Invitations:
    """Who is asked to take a seat in a game and has not taken one, in the order in which they were asked."""

    asked: tuple[Invitation, ...]
    """``user`` and ``by`` are loaded. Nobody who was asked by their address."""
    own: Invitation | None
    """The reader's own, None once it is declined."""
    mailed: tuple[str, ...]
    """The addresses to which the reader has sent one."""


def invitations_to(page: GamePage, reader: Reader) -> Invitations:
    """Return who is asked to take a seat in the game of a page: one query, two for who has a seat there."""
    seated = {seat.user_id for seat in page.seats}
    rows = Invitation.objects.filter(game=page.game).select_related("user", "by").order_by("pk")
    invitations = [invitation for invitation in rows if invitation.user_id not in seated]
    asked = tuple(invitation for invitation in invitations if not invitation.by_address)
    own = (one for one in invitations if reader is not None and one.user_id == reader.pk and one.declined_at is None)
    return Invitations(asked, next(own, None), _mailed(page, reader))


def _mailed(page: GamePage, reader: Reader) -> tuple[str, ...]:
    if page.viewer is None or reader is None:
        return ()
    rows = MailInvitation.objects.filter(game=page.game, by=reader.pk).order_by("pk")
    return tuple(rows.values_list("address", flat=True))


def blocked_in(page: GamePage, reader: Reader) -> tuple[str, ...]:
    """Return the names of the people in a game whom its reader has blocked: one query, none for guests."""
    if reader is None or not reader.is_authenticated or not page.seats:
        return ()
    numbers = [seat.user_id for seat in page.seats if seat.user_id is not None]
    blocked = set(Block.objects.filter(blocker=reader.pk, blocked__in=numbers).values_list("blocked", flat=True))
    return tuple(name for seat, name in page.table.seated if seat.user_id in blocked)
