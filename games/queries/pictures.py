"""What is drawn of a position for anybody: in lists, mails and previews of links."""

from dataclasses import dataclass

from engine.contract import JsonObject
from games.errors import GameCode, GameError
from games.log.positions import position_at, rules_of
from games.log.table import Reader
from games.queries.by_key import load_game, watchable
from games.queries.log import log_page
from games.queries.moves import Move, moves_of


@dataclass(frozen=True, slots=True)
class Pictured:
    """Which position of a game is to be drawn: ``seq`` is None for one that was not set up."""

    key: str
    ruleset: str
    seq: int | None
    is_for_all: bool = True
    """Whether anybody may have it; else it is its players' alone, and nobody on the way may keep it."""


def pictured(key: str, at: int | None, reader: Reader) -> Pictured:
    """Return the position after entry ``at``, or the last one, of a game that ``reader`` may watch: one query.

    Raises `GameError`: ``no-such-game``, ``no-such-position``.
    """
    row = watchable(reader).filter(key=key).values_list("ruleset", "seq", "started_at", "players_only").first()
    if row is None:
        raise GameError(GameCode.NO_SUCH_GAME)
    ruleset, last, started_at, players_only = row
    if started_at is None and at is None:
        return Pictured(key, ruleset, None, not players_only)
    if started_at is None or (at is not None and at > last):
        raise GameError(GameCode.NO_SUCH_POSITION, seq=at or 0)
    return Pictured(key, ruleset, last if at is None else at, not players_only)


def public_position(key: str, seq: int) -> tuple[JsonObject, tuple[Move, ...]]:
    """Return a position as a guest sees it while the game runs, and the entry that led to it, if there is one.

    Five queries at most, three where this process has replayed the game that far. Raises `GameError`.
    """
    game = load_game(key)
    rules = rules_of(game)
    views = [rules.view(position_at(game, number).state, None) for number in range(max(seq - 1, 0), seq + 1)]
    lines = log_page(game, None, before=seq + 1, size=1)
    return views[-1], moves_of(lines, views)
