"""The move log and the record of a game, as one reader may see them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from engine.contract import Event, JsonObject
from games.errors import GameCode, GameError
from games.log.positions import position_at
from games.log.record import game_record, visible_events, visible_turn
from games.log.table import Reader, Table, seat_of
from games.models import Entry, Game, Remark
from games.models.choices import Actor
from games.queries.by_key import game_by_key
from statements import Parameter, Select

LOG_SIZE: Final = 30
MOST_REMARKS: Final = 100
"""So many remarks are shown at once, whatever came between two entries."""
ENTRIES: Final = Select(
    Entry.objects.filter(game=Parameter("game"), seq__gte=Parameter("first"), seq__lte=Parameter("last")).order_by(
        "-seq"
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    """One entry of the move log as its reader may see it."""

    seq: int
    seat: int
    turn: str
    event: str
    reason: str
    by: str
    at: datetime
    events: tuple[Event, ...]
    planned: bool = False
    """Whether the turn was played by a plan."""

    def is_by_hand_of(self, seat: int | None) -> bool:
        """Whether the person in a seat played it there and then: neither a plan of theirs nor anybody for them."""
        return self.seat == seat and self.by == Actor.PLAYER and not self.planned


def log_page(game: Game, viewer: int | None, *, before: int | None = None, size: int = LOG_SIZE) -> tuple[LogLine, ...]:
    """Return at most ``size`` entries, newest first, up to the one before ``before``: one query, or two."""
    last = game.seq if before is None else min(before - 1, game.seq)
    rows = list(ENTRIES(game=game.pk, first=last - size + 1, last=last)) if last > 0 else []
    events = _stored_events(game, rows)
    return tuple(_line(game, entry, events[entry.seq], viewer) for entry in rows)


def line_of(entry: Entry, viewer: int | None) -> LogLine:
    """Return one entry of a loaded game as a reader may see it: no query for the one that was just made."""
    game = entry.game
    return _line(game, entry, position_at(game, entry.seq).events, viewer)


def _line(game: Game, entry: Entry, events: tuple[Event, ...], viewer: int | None) -> LogLine:
    return LogLine(
        seq=entry.seq,
        seat=entry.seat,
        turn=visible_turn(game, entry, viewer),
        event=entry.event,
        reason=entry.reason,
        by=entry.by,
        at=entry.at,
        events=visible_events(game, events, viewer),
        planned=entry.planned,
    )


@dataclass(frozen=True, slots=True)
class LogPart:
    """Entries that follow each other, oldest first, of a game at a table, and whether more follow these."""

    table: Table
    lines: tuple[LogLine, ...]
    more: bool


def log_after(key: str, reader: Reader, after: int, size: int = LOG_SIZE) -> LogPart:
    """Return at most ``size`` entries after entry ``after``, as ``reader`` may see them: four queries at most.

    Raises `GameError`: ``no-such-game``; ``not-running`` for a game that was never set up.
    """
    game = game_by_key(key, reader)
    if not game.was_set_up:
        raise GameError(GameCode.NOT_RUNNING)
    table = Table.of(game, reader)
    last = min(after + size, game.seq)
    lines = log_page(game, table.viewer_number, before=last + 1, size=last - after) if last > after else ()
    return LogPart(table, lines[::-1], more=last < game.seq)


def remarks_among(game: Game, shown: Sequence[int]) -> list[Remark]:
    """Return a game's visible events beside the entries of these numbers, newest first: one query.

    Those before the first entry go with it. At most `MOST_REMARKS`; the others are found with fewer entries.
    """
    first, last = (min(shown), max(shown)) if shown else (0, 0)
    among = game.remarks.filter(after__gte=first if first > 1 else 0, after__lte=last)
    return list(among.order_by("-after", "-pk")[:MOST_REMARKS])


def record_for(key: str, reader: Reader) -> JsonObject:
    """Return the game's record as ``reader`` may have it: three queries.

    Raises `GameError`: ``no-such-game``; ``not-running`` for a game that was never set up.
    """
    game = game_by_key(key, reader)
    if not game.was_set_up:
        raise GameError(GameCode.NOT_RUNNING)
    viewer = seat_of(game, reader)
    return game_record(
        game,
        list(game.entries.order_by("seq")),
        None if viewer is None else viewer.number,
    )


def _stored_events(game: Game, entries: Sequence[Entry]) -> dict[int, tuple[Event, ...]]:
    """Return the events of entries, newest first: so what is stored of the last one is not replayed."""
    return {entry.seq: position_at(game, entry.seq).events for entry in entries}
