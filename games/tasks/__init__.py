"""What workers do for games: thin tasks over one command or query each."""

from random import SystemRandom
from typing import Final

import structlog
from celery import shared_task
from django.utils import timezone

from games import commands, queries
from games.mail.deliver import send_due
from games.queries import due
from games.tasks import sweep

SWEEP_BOT_TURNS: Final = "games.sweep_bot_turns"
SWEEP_CLOCKS: Final = "games.sweep_clocks"
SEND_NOTICES: Final = "games.send_notices"
MAIL: Final = "mail"
"""The queue on which mails are sent."""
SWEEP_SIZE: Final = 200
"""The most games waiting for a computer player that one sweep looks at."""

PRUNE_SIZE: Final = 500
"""The most closed notices that one sweep deletes."""

logger = structlog.get_logger(__name__)


@shared_task(name=commands.PLAY_BOT_TURN)
def play_bot_turn(*, game_id: int, seq: int) -> None:
    """Play a computer player's turn, if it is still to be played."""
    entry = commands.play_bot_turn(game_id=game_id, seq=seq, rng=SystemRandom(), now=timezone.now())
    if entry is not None:
        logger.info("bot turn played", game=game_id, seq=entry.seq)


@shared_task(name=SWEEP_BOT_TURNS)
def sweep_bot_turns() -> None:
    """Play one turn in each game that waits for a computer player, so that a lost message costs time only."""
    commands.beat(name=due.BOTS, now=timezone.now())
    for game_id, seq in queries.games_awaiting_bots(SWEEP_SIZE):
        try:
            play_bot_turn(game_id=game_id, seq=seq)
        except Exception:
            logger.exception("bot turn failed", game=game_id, seq=seq)


@shared_task(name=SWEEP_CLOCKS)
def sweep_clocks() -> None:
    """End the turns whose time has run out, and do everything else about clocks that is due."""
    sweep.sweep_clocks(now=timezone.now(), rng=SystemRandom())


@shared_task(name=SEND_NOTICES, queue=MAIL)
def send_notices() -> None:
    """Send the notices that are due, and delete some of those that are long closed."""
    now = timezone.now()
    commands.beat(name=due.NOTICES, now=now)
    send_due(now)
    commands.prune_notices(size=PRUNE_SIZE, now=now)
