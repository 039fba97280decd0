"""Every change of a game: one verb a file, each one durable transaction that locks the game's row first.

A command takes ``now`` and raises `games.errors.GameError` or `engine.errors.RulesError` with nothing changed.
"""

from games.commands.add_bot import add_bot
from games.commands.cancel_game import cancel_game
from games.commands.create_game import create_game
from games.commands.join_game import join_game
from games.commands.leave_game import leave_game
from games.commands.play_bot_turn import play_bot_turn
from games.commands.play_turn import play_turn
from games.commands.resign import resign
from games.commands.retire_seat import retire_seat

__all__ = (
    "add_bot",
    "cancel_game",
    "create_game",
    "join_game",
    "leave_game",
    "play_bot_turn",
    "play_turn",
    "resign",
    "retire_seat",
)
