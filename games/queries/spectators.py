"""What spectators of a game wrote to each other."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from accounts.models import User
from games.errors import GameCode, GameError
from games.log.table import Reader, Table
from games.log.talk import Thing, why_not_read_room, why_not_write_room
from games.log.unseen import heard_by
from games.models import Muted, SpectatorMessage, TalkMute
from games.queries.by_key import game_by_key
from games.queries.reactions import Tally, reactions_to

ROOM_SIZE: Final = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomLine:
    """A message that a spectator wrote."""

    pk: int
    number: int
    """By which it is reported, and reacted to."""
    name: str
    """Empty where the account is gone."""
    author: int | None
    """By whose number they have a page; None likewise."""
    own: bool
    text: str
    at: datetime
    tallies: tuple[Tally, ...] = ()


@dataclass(frozen=True, slots=True)
class Room:
    """Some of what the spectators of a game wrote, oldest first."""

    table: Table
    lines: tuple[RoomLine, ...]
    before: int | None
    """What `spectators_room` takes to return the lines before these; None if there are none."""
    muted: bool
    """Whether the reader wants to see none of it: then there are no lines."""
    why_not_write: GameCode | None


def spectators_room(key: str, reader: Reader, *, before: int | None = None) -> Room:
    """Return at most `ROOM_SIZE` messages of spectators, the newest or those before one: five queries.

    Raises `GameError`: ``no-such-game``, also where spectators have no room, ``not-running`` before the start,
    ``player-watches``, ``not-confirmed``.
    """
    game = game_by_key(key, reader)
    if (code := why_not_read_room(game, reader)) is not None:
        raise GameError(code)
    table, me = Table.of(game, reader), (reader.pk if reader is not None else None) or 0
    barred = why_not_write_room(game, reader)
    if me and TalkMute.objects.filter(user=me, game=game, what=Muted.SPECTATORS).exists():
        return Room(table, (), None, muted=True, why_not_write=barred)
    messages = heard_by(game, me).order_by("-number")
    if before is not None:
        messages = messages.filter(number__lt=before)
    rows = list(messages[: ROOM_SIZE + 1])
    shown = rows[:ROOM_SIZE][::-1]
    tallies = reactions_to(game, reader, {Thing.SPECTATOR_MESSAGE: [row.pk for row in shown]}) if shown else {}
    lines = tuple(replace(_line(row, me), tallies=tallies.get((Thing.SPECTATOR_MESSAGE, row.pk), ())) for row in shown)
    return Room(table, lines, shown[0].number if len(rows) > len(shown) else None, muted=False, why_not_write=barred)


def spectator_message_to_report(key: str, number: int, reader: User) -> RoomLine | None:
    """Return what another spectator wrote who is still here, if the reader can read it: three queries.

    Raises `GameError` (``no-such-game``).
    """
    game = game_by_key(key, reader)
    if why_not_read_room(game, reader) is not None:
        return None
    message = heard_by(game, reader.pk).filter(number=number).first()
    if message is None or message.spectator.user_id in {None, reader.pk}:
        return None
    return _line(message, reader.pk)


def _line(row: SpectatorMessage, me: int) -> RoomLine:
    author = row.spectator.user
    return RoomLine(
        pk=row.pk,
        number=row.number,
        name="" if author is None else author.shown_name,
        author=None if author is None else author.pk,
        own=author is not None and author.pk == me,
        text=row.text,
        at=row.at,
    )
