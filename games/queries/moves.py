"""Some entries of a game's log with the positions between which they happened, to be played on a board."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from engine.contract import JsonObject
from games.errors import GameCode, GameError
from games.log.positions import position_at, replayed, rules_of
from games.log.table import Reader, Table
from games.models import Game
from games.queries.by_key import game_by_key
from games.queries.game_page import GamePage
from games.queries.log import LogLine, log_page

ROUNDS: Final = 3
"""So many rounds are looked back on: whoever misses three turns in a row has left the game."""
MOST_MOVES: Final = 12
"""So many entries are handed out at once."""


@dataclass(frozen=True, slots=True)
class Move:
    """An entry of the log, and the views before and after it, all as one reader may see them."""

    line: LogLine
    before: JsonObject
    after: JsonObject


@dataclass(frozen=True, slots=True)
class Moves:
    """Entries that follow each other, oldest first, of a game that was set up."""

    game: Game
    table: Table
    moves: tuple[Move, ...]


def recent_lines(page: GamePage) -> tuple[LogLine, ...]:
    """Return the entries that led to the shown position, newest first: those of the last rounds where it is the latest.

    One query; one more where this process has not replayed the game that far.
    """
    size = ROUNDS * page.game.size if page.is_latest else 1
    return log_page(page.game, page.viewer_number, before=page.seq + 1, size=size)


def last_moves(page: GamePage, recent: Sequence[LogLine]) -> tuple[Move, ...]:
    """Return the last moves of others than the seat to move, oldest first; of an older position the one that led to it.

    ``recent`` are the `recent_lines` of the page. No query.
    """
    game, viewer = page.game, page.viewer_number
    rules, ended = rules_of(game), page.table.is_open_to_all
    lines = recent[: game.size - 1] if page.is_latest else recent
    before = range(page.seq - len(lines), page.seq)
    views = [rules.view(position_at(game, seq).state, viewer, ended=ended) for seq in before]
    return moves_of(lines, [*views, page.view or {}])


def moves_between(key: str, reader: Reader, first: int, last: int) -> Moves:
    """Return the entries from ``first`` to ``last`` as ``reader`` may see them.

    Four queries at most, three where this process has replayed the game that far. Raises `GameError`: ``no-such-game``;
    ``no-such-position`` for entries that there are not, or for more than `MOST_MOVES`.
    """
    game = game_by_key(key, reader)
    if not game.was_set_up or not 1 <= first <= last <= game.seq or last - first >= MOST_MOVES:
        raise GameError(GameCode.NO_SUCH_POSITION, seq=last)
    table, rules = Table.of(game, reader), rules_of(game)
    viewer, ended = table.viewer_number, table.is_open_to_all
    views = [rules.view(reached.state, viewer, ended=ended) for reached in replayed(game, last)[first - 1 : last + 1]]
    lines = log_page(game, viewer, before=last + 1, size=last - first + 1)
    return Moves(game, table, moves_of(lines, views))


def moves_of(lines: Sequence[LogLine], views: Sequence[JsonObject]) -> tuple[Move, ...]:
    """Return entries, given newest first, with the views between which they happened, oldest first."""
    return tuple(Move(line, *between) for line, between in zip(reversed(lines), pairwise(views), strict=True))
