"""A computer player's turn."""

from collections.abc import Callable
from datetime import datetime
from random import Random
from typing import Any

from django.db import transaction

from engine.contract import Rules
from games.commands._append import add_turn
from games.commands._lock import lock_game
from games.log.positions import position_at, rules_of
from games.log.table import next_actor
from games.models import Entry, Game
from games.models.choices import Actor, Status

type Think = Callable[[Rules[Any], str, Any, Random], str]
"""Rules, a computer player, a state and chance in, a legal turn out."""


def _at_once(rules: Rules[Any], bot: str, state: Any, rng: Random) -> str:
    return rules.choose_turn(bot, state, rng)


def play_bot_turn(*, game_id: int, seq: int, rng: Random, now: datetime, think: Think = _at_once) -> Entry | None:
    """Play the turn that follows entry ``seq`` if it is a computer player's; return the entry, or None if it is not.

    Safe to repeat and to run twice at once: the turn is chosen without a lock, which may take its time, and is played
    only if nothing has happened in the game meanwhile. ``think`` asks the computer player.
    """
    game = Game.objects.filter(pk=game_id, seq=seq, bot_to_move=True).prefetch_related("seats").first()
    actor = None if game is None else next_actor(game)
    if game is None or actor is None or not actor.bot:
        return None
    turn = think(rules_of(game), actor.bot, position_at(game, seq).state, rng)
    return _play_if_unchanged(game_id=game_id, seq=seq, turn=turn, now=now)


@transaction.atomic(durable=True)
def _play_if_unchanged(*, game_id: int, seq: int, turn: str, now: datetime) -> Entry | None:
    game = lock_game(pk=game_id)
    actor = next_actor(game)
    if game.status != Status.ACTIVE or game.seq != seq or actor is None or actor.number is None or not actor.bot:
        return None
    return add_turn(game, seat=actor.number, turn=turn, by=Actor.BOT, now=now)
