"""All positions of a game, as everyone may see them: what its end is told from, and its chart is drawn from."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from engine.contract import Event, JsonObject
from games.log.positions import Snapshot, position_at, replayed, rules_of
from games.log.record import visible_events
from games.log.table import is_open_to_all
from games.models import Game


@dataclass(frozen=True, slots=True, kw_only=True)
class PastPosition:
    """The game after an entry (0: after set-up) as a guest may see it, and what led there."""

    seq: int
    seat: int | None
    """Whose entry led there, None after set-up."""
    round: int
    points: tuple[int, ...]
    events: tuple[Event, ...]
    view: JsonObject


def history(game: Game, first: int = 0) -> Iterator[PastPosition]:
    """Yield the positions of a started game from entry ``first`` to the last one.

    No query where this process has replayed the game but for its last entry; else one, or two.
    """
    rules, ended = rules_of(game), is_open_to_all(game)
    reached = _snapshots(game, max(0, first - 1))
    summaries = [rules.summary(snapshot.state) for snapshot in reached]
    seats: list[int | None] = [None] if first == 0 else []
    for before, after in pairwise(summaries):
        left = after.retired[len(before.retired) :]
        seats.append(left[0] if left else before.seat)
    skipped = len(reached) - len(seats)
    for snapshot, summary, seat in zip(reached[skipped:], summaries[skipped:], seats, strict=True):
        yield PastPosition(
            seq=snapshot.seq,
            seat=seat,
            round=summary.round,
            points=summary.points,
            events=visible_events(game, snapshot.events, None),
            view=rules.view(snapshot.state, None, ended=ended),
        )


def _snapshots(game: Game, first: int) -> list[Snapshot]:
    """Return the positions from that one on; the last is not replayed where it is at hand."""
    if game.seq == 0:
        return [position_at(game, 0)]
    return [*replayed(game, game.seq - 1)[first : game.seq], position_at(game, game.seq)]
