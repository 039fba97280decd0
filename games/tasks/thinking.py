"""Turns of computer players: whose is next, how long one may take, and who plays where one fails.

Who waits is in the database; a message on the queue only says that somebody does. What is remembered in the cache makes
it fair: when a person was last served, and which turn is being thought of. Where the cache forgets, turns are played in
the order in which they began, and one may be thought of twice.
"""

import time
from random import Random, SystemRandom
from typing import Any, Final

import structlog
from django.core.cache import cache
from django.utils import timezone

from engine.contract import Rules
from games import commands, queries
from games.commands import PLAY_BOT_TURN
from games.management import thinker
from games.queries.advice import position_to_advise
from games.queries.lists import BotTurn
from games.tasks.guard import TURN, within

THOUGHT: Final = 5.0
"""Seconds that a computer player may think of a turn; the strongest take one of a processor's."""
TURN_LIMIT: Final = 20
"""Seconds after which the process that plays a turn is ended and replaced, should nothing else end it."""
WAITING: Final = 200
"""The most games waiting for a computer player that are looked at."""
REMEMBERED: Final = 600
"""Seconds for which it is remembered who was served, and which turn was begun."""

logger = structlog.get_logger(__name__)


def play_next_turn() -> bool:
    """Play one computer player's turn, if any waits; return whether one did.

    Those who were served longest ago come first, and of their games the one that waits longest: neither a table of six
    nor somebody with many games keeps the others waiting.
    """
    waiting = queries.games_awaiting_bots(WAITING, timezone.now())
    served = cache.get_many({_served(turn) for turn in waiting})
    for turn in sorted(waiting, key=lambda turn: served.get(_served(turn), 0.0)):
        begun = _begin(turn)
        if begun is not None:
            cache.set(_served(turn), time.time(), REMEMBERED)
            _play(turn, is_second_try=begun)
            return True
    return False


def advise(game_id: int, seq: int) -> None:
    """Keep the turn that the adviser would play after a game's last entry, if ``seq`` still is that one."""
    asked = position_to_advise(game_id, seq)
    if asked is not None:
        rules, state = asked
        commands.keep_advice(game_id=game_id, seq=seq, turn=think(rules, rules.adviser, state, SystemRandom()))


def think(rules: Rules[Any], bot: str, state: Any, rng: Random) -> str:
    """Return a computer player's turn. Where it takes too long or fails, the autopilot's: the game goes on."""
    try:
        helper = thinker.helper()
        if helper is not None:
            turn = helper.choose(rules, bot, state, THOUGHT)
        else:
            with within(THOUGHT):
                turn = rules.choose_turn(bot, state, rng)
        rules.apply_turn(state, turn)
    except Exception:
        logger.exception("computer player failed", bot=bot, ruleset=rules.ruleset)
        return rules.choose_turn(rules.autopilot, state, rng)
    return turn


def _think_no_more(rules: Rules[Any], bot: str, state: Any, rng: Random) -> str:
    logger.error("computer player took its worker with it", bot=bot, ruleset=rules.ruleset)
    return rules.choose_turn(rules.autopilot, state, rng)


def _play(turn: BotTurn, *, is_second_try: bool) -> None:
    """Play a turn. If not even the autopilot can, the game is set back."""
    try:
        with within(TURN):
            entry = commands.play_bot_turn(
                game_id=turn.game,
                seq=turn.seq,
                rng=SystemRandom(),
                now=timezone.now(),
                think=_think_no_more if is_second_try else think,
            )
    except Exception as error:
        logger.exception("bot turn failed", game=turn.game, seq=turn.seq)
        commands.set_back(game_id=turn.game, cause=type(error).__name__, now=timezone.now())
    else:
        commands.forget_setback(game_id=turn.game)
        if entry is not None:
            logger.info("bot turn played", game=turn.game, seq=entry.seq)
    cache.delete_many([_begun(turn)])


def _begin(turn: BotTurn) -> bool | None:
    """Take a turn upon oneself; return None if another worker is at it, else whether one has died of it."""
    if cache.add(_begun(turn), time.time(), REMEMBERED):
        return False
    since = cache.get(_begun(turn))
    if since is not None and time.time() - since < TURN_LIMIT:
        return None
    cache.set(_begun(turn), time.time(), REMEMBERED)
    return True


def _begun(turn: BotTurn) -> str:
    return f"{PLAY_BOT_TURN}:{turn.game}:{turn.seq}"


def _served(turn: BotTurn) -> str:
    return f"{PLAY_BOT_TURN}:served:{turn.person}"
