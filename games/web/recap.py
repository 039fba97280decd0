"""What happened to the reader of a game's page since their last turn."""

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _

from games.log.positions import position_at, rules_of
from games.models import Game
from games.models.choices import Actor, Status
from games.presenters.protocol import PastTurn, RecapLine
from games.presenters.registry import PRESENTERS
from games.queries.game_page import GamePage
from games.queries.log import log_page

MOST: Final = 18
"""So many entries are looked back on: three rounds of six."""


def recap_of(page: GamePage) -> list[RecapLine]:
    """Return what others did since the reader's last turn, the gravest first; empty for whom it does not concern.

    One query; one more where this process has not replayed the game. Nothing of it goes beyond what the log says.
    """
    game, viewer = page.game, page.viewer
    if viewer is None or viewer.number is None or viewer.retired or game.status != Status.ACTIVE or not page.is_latest:
        return []
    lines = log_page(game, viewer.number, size=MOST)
    own = next((line.seq for line in lines if line.seat == viewer.number and line.by == Actor.PLAYER), 0)
    since = [line for line in reversed(lines) if line.seq > own]
    points = {seq: _points(game, seq) for line in since for seq in (line.seq - 1, line.seq)}
    turns = [
        PastTurn(
            seq=line.seq,
            seat=line.seat,
            turn=line.turn,
            events=line.events,
            before=points[line.seq - 1],
            after=points[line.seq],
        )
        for line in since
    ]
    words = _("Your time ran out: a computer player played this turn for you.")
    missed = [
        RecapLine(seq=line.seq, seat=line.seat, words=words, grave=True) for line in since if line.seat == viewer.number
    ]
    told = PRESENTERS[game.ruleset].recap(turns, viewer.number, page.table.names)
    return [*(line for line in told if line.grave), *missed, *(line for line in told if not line.grave)]


def _points(game: Game, seq: int) -> Sequence[int]:
    return rules_of(game).summary(position_at(game, seq).state).points
