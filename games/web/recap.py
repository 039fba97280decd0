"""What happened to the reader of a game's page since their last turn."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

from django.utils.translation import gettext as _

from games.log.positions import position_at, rules_of
from games.models import Game
from games.models.choices import Status
from games.presenters.protocol import PastTurn, RecapLine
from games.presenters.registry import PRESENTERS
from games.queries.game_page import GamePage
from games.queries.log import LogLine


@dataclass(frozen=True, slots=True)
class Recap:
    """What happened, the gravest first."""

    lines: list[RecapLine]
    since_start: bool
    """Whether the reader has not had a turn yet."""


def lines_since(page: GamePage, recent: Sequence[LogLine]) -> tuple[LogLine, ...]:
    """Return those of the `recent_lines` of a page that came after the reader's last turn, newest first.

    A turn that a computer player or a plan played for the reader is one of them.
    """
    number = page.viewer_number
    return tuple(takewhile(lambda line: not line.is_by_hand_of(number), recent))


def recap_of(page: GamePage, since: Sequence[LogLine]) -> Recap | None:
    """Return what happened since the reader's last turn; None where there is nothing, or nothing that concerns them.

    ``since`` are the `lines_since` then. Nothing of it goes beyond what the log says.
    """
    game, viewer = page.game, page.viewer
    if viewer is None or viewer.number is None or viewer.retired or game.status != Status.ACTIVE or not page.is_latest:
        return None
    points = pairwise(_points(game, seq) for seq in range(game.seq - len(since), game.seq + 1))
    turns = [
        PastTurn(seq=line.seq, seat=line.seat, turn=line.turn, events=line.events, before=before, after=after)
        for line, (before, after) in zip(reversed(since), points, strict=True)
    ]
    own = [_own_line(line) for line in reversed(since) if line.seat == viewer.number]
    told = PRESENTERS[game.ruleset].recap(turns, viewer.number, page.table.names)
    happened = sorted([*told, *own], key=lambda line: not line.grave)
    return Recap(happened, since_start=len(since) == game.seq) if happened else None


def _own_line(line: LogLine) -> RecapLine:
    """Return what a turn of the reader's own was that they did not play themselves."""
    if line.planned:
        return RecapLine(seq=line.seq, seat=line.seat, words=_("This turn was played by your plan."))
    words = _("Your time ran out: a computer player played this turn for you.")
    return RecapLine(seq=line.seq, seat=line.seat, words=words, grave=True)


def _points(game: Game, seq: int) -> Sequence[int]:
    return rules_of(game).summary(position_at(game, seq).state).points
