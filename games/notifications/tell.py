"""Where commands tell what happened, within the transaction that made it so."""

from datetime import datetime

import structlog

from games.models import Game
from games.notifications.facts import Fact

logger = structlog.get_logger(__name__)


def tell(game: Game, *facts: Fact, now: datetime) -> None:
    """Take note of what happened in a locked game. Its seats and their users must be loaded."""
    for fact in facts:
        logger.info("fact", game=game.key, kind=type(fact).__name__, seq=game.seq, at=now)
