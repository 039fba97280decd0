"""What the players of a game wrote to each other."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from django.db.models import Exists, OuterRef, Q

from accounts.models import Block
from games.errors import GameCode, GameError
from games.log.table import Reader, Table
from games.log.talk import Thing
from games.log.unseen import shown_to
from games.models import Game, Message, Muted, SeenMark, TalkMute
from games.queries.by_key import game_by_key
from games.queries.game_page import GamePage
from games.queries.reactions import Tallies, Tally, reactions_to

MESSAGES_SIZE: Final = 20
MOST_COUNTED: Final = 9
"""So many unread messages are counted; more are "more than" these."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageLine:
    """A message that a player wrote."""

    number: int
    """By which it is reported, and reacted to."""
    seat: int
    name: str
    own: bool
    """Whether the reader wrote it."""
    text: str
    at: datetime
    seen_by: tuple[str, ...] = ()
    """Of one that the reader wrote: the others who have read it, and let others see that."""
    tallies: tuple[Tally, ...] = ()


@dataclass(frozen=True, slots=True)
class MessagesPage:
    """Some of what the players of a game wrote to each other, oldest first."""

    lines: tuple[MessageLine, ...]
    before: int | None
    """What `messages_page` takes to return the lines before these; None if there are none."""
    unread: tuple[MessageLine, ...] = ()
    """Those of the lines that others wrote and the reader has not read; none where they want no news of messages."""
    mark: int = 0
    """Up to which message the reader has read them."""

    @property
    def newest(self) -> int:
        """The number of the newest line; 0 if there is none."""
        return self.lines[-1].number if self.lines else 0

    @property
    def unread_count(self) -> str:
        """How many are unread, in a few characters; empty for none."""
        return count_in_short(len(self.unread))

    @property
    def unread_numbers(self) -> frozenset[int]:
        """The numbers of the unread lines."""
        return frozenset(line.number for line in self.unread)

    @property
    def latest(self) -> MessageLine | None:
        """The newest unread line."""
        return self.unread[-1] if self.unread else None

    def with_reactions(self, tallies: Tallies) -> "MessagesPage":
        """Return the page with what people reacted to its lines."""
        lines = tuple(replace(line, tallies=tallies.get((Thing.MESSAGE, line.number), ())) for line in self.lines)
        return replace(self, lines=lines)


def count_in_short(number: int) -> str:
    """Return a number in a few characters, empty for 0."""
    return f"{MOST_COUNTED}+" if number > MOST_COUNTED else str(number or "")


def messages_page(table: Table, *, before: int | None = None) -> MessagesPage:
    """Return at most `MESSAGES_SIZE` messages for a player of a started game, the newest or those before one.

    Three queries, one where nothing is written. What people wrote whom the player has blocked or muted is left out.
    """
    reader = (table.viewer.user_id if table.viewer is not None else None) or 0
    messages = shown_to(table.game.messages.order_by("-pk"), reader)
    if before is not None:
        messages = messages.filter(pk__lt=before)
    rows = list(messages[: MESSAGES_SIZE + 1])
    shown = rows[:MESSAGES_SIZE][::-1]
    marks = _marks(table) if shown else {}
    mark = marks.pop(table.viewer_number or 0, 0)
    lines = tuple(_line(row, table, marks) for row in shown)
    unread = tuple(line for line in lines if line.number > mark and not line.own) if before is None else ()
    if unread and TalkMute.objects.filter(user=reader, game=table.game, what=Muted.MESSAGES).exists():
        unread = ()
    return MessagesPage(lines, shown[0].pk if len(rows) > len(shown) else None, unread, mark)


def messages_for(page: GamePage, *, written: bool = True) -> MessagesPage | None:
    """Return the newest messages for a game's page; None for guests, and where only computer players could read.

    No query where nothing was ``written``.
    """
    viewer = page.viewer
    if viewer is None or all(seat.bot or seat == viewer for seat in page.seats):
        return None
    return messages_page(page.table) if written else MessagesPage((), None)


def reacted(shown: MessagesPage, game: Game, reader: Reader) -> MessagesPage:
    """Return a page of messages with the reactions to them: one query, none where there are no messages."""
    if not shown.lines:
        return shown
    return shown.with_reactions(reactions_to(game, reader, {Thing.MESSAGE: [line.number for line in shown.lines]}))


def game_messages(key: str, reader: Reader, *, before: int | None) -> tuple[Table, MessagesPage]:
    """Return the table of a started game with what its players wrote, for one of them: six queries.

    Raises `GameError`: ``no-such-game``, ``not-yours``, ``not-running`` before the start.
    """
    game = game_by_key(key, reader)
    table = Table.of(game, reader)
    if table.viewer is None:
        raise GameError(GameCode.NOT_YOURS)
    if not game.was_set_up:
        raise GameError(GameCode.NOT_RUNNING)
    return table, reacted(messages_page(table, before=before), game, reader)


def talk_mutes(table: Table) -> tuple[bool, frozenset[int]]:
    """Return whether a player wants no news of messages, and the numbers of the seats whose messages they muted."""
    assert table.viewer is not None
    rows = list(TalkMute.objects.filter(user=table.viewer.user_id, game=table.game).values_list("what", "seat"))
    return (Muted.MESSAGES, 0) in rows, frozenset(seat for what, seat in rows if what == Muted.PLAYER)


def _line(row: Message, table: Table, marks: Mapping[int, int]) -> MessageLine:
    own = row.seat == table.viewer_number
    seen = [number for number, up_to in sorted(marks.items()) if own and up_to >= row.pk]
    return MessageLine(
        number=row.pk,
        seat=row.seat,
        name=table.names[row.seat - 1],
        own=own,
        text=row.text,
        at=row.at,
        seen_by=tuple(table.names[number - 1] for number in seen),
    )


def _marks(table: Table) -> dict[int, int]:
    """Return up to which message seats have read: the reader's, and of the others' those that the reader may see.

    Whoever keeps theirs to themselves sees nobody's. Who has blocked or muted the reader has not read their messages.
    """
    viewer = table.viewer
    assert viewer is not None
    own = Q(user=viewer.user_id)
    spared = Block.objects.filter(blocker=OuterRef("user"), blocked=viewer.user_id)
    muted = TalkMute.objects.filter(
        user=OuterRef("user"), game=OuterRef("game"), what=Muted.PLAYER, seat=viewer.number or 0
    )
    others = Q(~Exists(spared), ~Exists(muted), user__shows_seen=True, at__isnull=False)
    shares = viewer.user is not None and viewer.user.shows_seen
    rows = SeenMark.objects.filter(own | others if shares else own, game=table.game).values_list("user", "up_to")
    seats = {seat.user_id: seat.number for seat in table.seats if seat.user_id is not None}
    return {number: up_to for user, up_to in rows if (number := seats.get(user)) is not None}
