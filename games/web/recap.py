"""What happened to the reader of a game's page since their last turn."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

from django.utils.translation import gettext as _

from games.log.positions import position_at, rules_of
from games.models import Game
from games.models.choices import Actor, Status
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


def recap_of(page: GamePage, recent: Sequence[LogLine]) -> Recap | None:
    """Return what others did since the reader's last turn; None where there is nothing, or nothing that concerns them.

    ``recent`` are the `recent_lines` of the page. Nothing of it goes beyond what the log says.
    """
    game, viewer = page.game, page.viewer
    if viewer is None or viewer.number is None or viewer.retired or game.status != Status.ACTIVE or not page.is_latest:
        return None
    since = list(takewhile(lambda line: line.seat != viewer.number or line.by != Actor.PLAYER, recent))[::-1]
    points = pairwise(_points(game, seq) for seq in range(game.seq - len(since), game.seq + 1))
    turns = [
        PastTurn(seq=line.seq, seat=line.seat, turn=line.turn, events=line.events, before=before, after=after)
        for line, (before, after) in zip(since, points, strict=True)
    ]
    words = _("Your time ran out: a computer player played this turn for you.")
    missed = [
        RecapLine(seq=line.seq, seat=line.seat, words=words, grave=True) for line in since if line.seat == viewer.number
    ]
    told = PRESENTERS[game.ruleset].recap(turns, viewer.number, page.table.names)
    happened = sorted([*told, *missed], key=lambda line: not line.grave)
    return Recap(happened, since_start=len(since) == game.seq) if happened else None


def _points(game: Game, seq: int) -> Sequence[int]:
    return rules_of(game).summary(position_at(game, seq).state).points
