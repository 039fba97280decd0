"""What the players of a game wrote to each other."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from games.errors import Code, GameError
from games.log.table import Reader, seat_of
from games.models import Game, Seat
from games.queries.by_key import game_by_key
from games.queries.game_page import GamePage

TALK_SIZE: Final = 50


@dataclass(frozen=True, slots=True)
class TalkLine:
    """A message that a player wrote."""

    seat: int
    name: str
    own: bool
    """Whether the reader wrote it."""
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Talk:
    """Some of what the players of a game wrote to each other, oldest first."""

    lines: tuple[TalkLine, ...]
    before: int | None
    """What `talk` takes to return the lines before these; None if there are none."""


def talk(game: Game, viewer: Seat, *, before: int | None = None) -> Talk:
    """Return at most `TALK_SIZE` messages for a player of the started game, the newest or those before one: one query.

    Uses the game's loaded seats.
    """
    messages = game.messages.order_by("-pk")
    if before is not None:
        messages = messages.filter(pk__lt=before)
    rows = list(messages[: TALK_SIZE + 1])
    shown = rows[:TALK_SIZE][::-1]
    names = {seat.number: seat.name for seat in game.seats.all()}
    return Talk(
        lines=tuple(TalkLine(row.seat, names[row.seat], row.seat == viewer.number, row.text, row.at) for row in shown),
        before=shown[0].pk if len(rows) > len(shown) else None,
    )


def talk_beside(page: GamePage, *, written: bool = True) -> Talk | None:
    """Return the newest messages for a game's page; None for guests, and where only computer players could read.

    No query where nothing was ``written``.
    """
    viewer = page.viewer
    if viewer is None or all(seat.bot or seat == viewer for seat in page.seats):
        return None
    return talk(page.game, viewer) if written else Talk((), None)


def talk_page(key: str, reader: Reader, *, before: int | None) -> tuple[Game, Talk]:
    """Return a started game with what its players wrote, for one of them: three queries.

    Raises `GameError`: ``no-such-game``, ``not-yours``, ``not-running`` before the start.
    """
    game = game_by_key(key)
    viewer = seat_of(game, reader)
    if viewer is None:
        raise GameError(Code.NOT_YOURS)
    if game.setup is None:
        raise GameError(Code.NOT_RUNNING)
    return game, talk(game, viewer, before=before)
