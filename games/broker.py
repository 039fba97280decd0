"""Nudges to the workers. A lost one only costs time: sweeps find in the database whatever waits to be done."""

from typing import Final

from celery import current_app

PLAY_BOT_TURN: Final = "games.play_bot_turn"
SWEEP_BOT_TURNS: Final = "games.sweep_bot_turns"
BOTS: Final = "bots"


def nudge_bot(game_id: int, seq: int) -> None:
    """Ask a worker to play the computer player's turn that follows entry ``seq``."""
    current_app.signature(PLAY_BOT_TURN, kwargs={"game_id": game_id, "seq": seq}).apply_async(queue=BOTS, retry=False)
