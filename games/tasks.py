"""What workers do for games: thin tasks over one command or query each."""

from random import SystemRandom

import structlog
from celery import shared_task
from django.utils import timezone

from games import broker, commands, due, queries, sweep
from games.mails.deliver import send_due

SWEEP_SIZE = 200
logger = structlog.get_logger(__name__)


@shared_task(name=broker.PLAY_BOT_TURN)
def play_bot_turn(*, game_id: int, seq: int) -> None:
    """Play a computer player's turn, if it is still to be played."""
    entry = commands.play_bot_turn(game_id=game_id, seq=seq, rng=SystemRandom(), now=timezone.now())
    if entry is not None:
        logger.info("bot turn played", game=game_id, seq=entry.seq)


@shared_task(name=broker.SWEEP_BOT_TURNS)
def sweep_bot_turns() -> None:
    """Play one turn in each game that waits for a computer player, so that a lost message holds nothing up."""
    commands.beat(name=due.BOTS, now=timezone.now())
    for game_id, seq in queries.games_awaiting_bots(SWEEP_SIZE):
        try:
            play_bot_turn(game_id=game_id, seq=seq)
        except Exception:
            logger.exception("bot turn failed", game=game_id, seq=seq)


@shared_task(name=broker.SWEEP_CLOCKS)
def sweep_clocks() -> None:
    """End the turns whose time has run out, and do whatever else the clocks demand."""
    sweep.sweep_clocks(now=timezone.now(), rng=SystemRandom())


@shared_task(name=broker.SEND_NOTICES, queue=broker.MAIL)
def send_notices() -> None:
    """Send the notices that are due."""
    now = timezone.now()
    commands.beat(name=due.MAILS, now=now)
    send_due(now)
