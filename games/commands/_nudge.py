"""Nudges workers after the commit. A lost one only costs time: sweeps find in the database whatever waits."""

from typing import Final

from accounts.nudge import nudge

PLAY_BOT_TURN: Final = "games.play_bot_turn"
PLAY_PLANS: Final = "games.play_plans"
SETTLE_GAMES: Final = "games.settle_games"
JUDGE_ANSWERS: Final = "games.judge_answers"
MAKE_REVIEWS: Final = "games.make_reviews"


def nudge_bot(game_id: int, seq: int, *, expires: float | None = None) -> None:
    """Ask a worker to play the computer player's turn that follows entry ``seq``, within so many seconds if at all."""
    nudge(PLAY_BOT_TURN, expires=expires, game_id=game_id, seq=seq)


def nudge_plans(game_id: int) -> None:
    """Ask a worker to look at the plans of who is to move in a game."""
    nudge(PLAY_PLANS, game_id=game_id)


def nudge_settling() -> None:
    """Ask a worker to write down what follows from games that have ended."""
    nudge(SETTLE_GAMES)


def nudge_reviews() -> None:
    """Ask a worker to go on with the reviews that wait."""
    nudge(MAKE_REVIEWS)


def nudge_judging() -> None:
    """Ask a worker to judge the answers to puzzles that wait for it."""
    nudge(JUDGE_ANSWERS)
