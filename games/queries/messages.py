"""What the players of a game wrote to each other."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from games.errors import GameCode, GameError
from games.log.table import Reader, Table
from games.log.unseen import shown_to
from games.queries.by_key import game_by_key
from games.queries.game_page import GamePage

MESSAGES_SIZE: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageLine:
    """A message that a player wrote."""

    number: int
    """By which it is reported."""
    seat: int
    name: str
    own: bool
    """Whether the reader wrote it."""
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class MessagesPage:
    """Some of what the players of a game wrote to each other, oldest first."""

    lines: tuple[MessageLine, ...]
    before: int | None
    """What `messages_page` takes to return the lines before these; None if there are none."""


def messages_page(table: Table, *, before: int | None = None) -> MessagesPage:
    """Return at most `MESSAGES_SIZE` messages for a player of a started game, the newest or those before one.

    One query. What people wrote whom the player has blocked is left out.
    """
    reader = table.viewer.user_id if table.viewer is not None else None
    messages = shown_to(table.game.messages.order_by("-pk"), reader or 0)
    if before is not None:
        messages = messages.filter(pk__lt=before)
    rows = list(messages[: MESSAGES_SIZE + 1])
    shown = rows[:MESSAGES_SIZE][::-1]
    names, own = table.names, table.viewer_number
    return MessagesPage(
        lines=tuple(
            MessageLine(
                number=row.pk, seat=row.seat, name=names[row.seat - 1], own=row.seat == own, text=row.text, at=row.at
            )
            for row in shown
        ),
        before=shown[0].pk if len(rows) > len(shown) else None,
    )


def messages_for(page: GamePage, *, written: bool = True) -> MessagesPage | None:
    """Return the newest messages for a game's page; None for guests, and where only computer players could read.

    No query where nothing was ``written``.
    """
    viewer = page.viewer
    if viewer is None or all(seat.bot or seat == viewer for seat in page.seats):
        return None
    return messages_page(page.table) if written else MessagesPage((), None)


def game_messages(key: str, reader: Reader, *, before: int | None) -> tuple[Table, MessagesPage]:
    """Return the table of a started game with what its players wrote, for one of them: three queries.

    Raises `GameError`: ``no-such-game``, ``not-yours``, ``not-running`` before the start.
    """
    game = game_by_key(key, reader)
    table = Table.of(game, reader)
    if table.viewer is None:
        raise GameError(GameCode.NOT_YOURS)
    if not game.was_set_up:
        raise GameError(GameCode.NOT_RUNNING)
    return table, messages_page(table, before=before)
