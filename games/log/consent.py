"""What is proposed in a running game, and what can still be."""

from typing import Final

from games.models import Game, Proposal
from games.models.choices import Status
from statements import Parameter, Select

OPEN: Final = Select(Proposal.objects.filter(game=Parameter("game"), closed_at=None))
FIRST_ROUND_TO_STAY: Final = 2
"""From this round on a game can't be cancelled any more."""


def open_proposal(game: Game) -> Proposal | None:
    """Return what is proposed in a game and waits for answers, or None."""
    return OPEN.first(game=game.pk)


def may_be_cancelled(game: Game) -> bool:
    """Return whether consent can still cancel a game."""
    return game.status == Status.ACTIVE and game.round < FIRST_ROUND_TO_STAY
