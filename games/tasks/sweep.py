"""The sweep of the clocks: finds what is due and runs one command a game. One that fails delays no other."""

import time
from collections.abc import Callable, Iterable
from datetime import datetime
from random import Random
from typing import Final

import structlog

from games import commands
from games.models import Pause
from games.queries import due
from games.tasks.guard import TURN, within

BATCH: Final = 100
PATIENCE: Final = 15.0
"""Seconds after which a sweep leaves the rest to the next one, so that heartbeats keep coming."""

logger = structlog.get_logger(__name__)


def sweep_clocks(*, now: datetime, rng: Random) -> int:
    """Do everything about clocks that is due at ``now``; return how many turns were ended.

    The heartbeat comes first: time in which no sweep ran is given back before any turn expires.
    """
    give_up = time.monotonic() + PATIENCE
    outage = commands.beat_clocks(name=due.CLOCKS, now=now)
    if outage is not None:
        logger.warning("outage", start=outage.start, end=outage.end)
    for stopped in due.uncredited_outages():
        _give_back(stopped, now, give_up)
    _each(due.games_without_clock(BATCH), "clock not started", lambda pk: commands.start_clock(game_id=pk, now=now))
    ended = _expire_turns(now, rng, give_up)
    _each(
        due.due_open_games(now, BATCH), "open game not ended", lambda pk: commands.expire_open_game(game_id=pk, now=now)
    )
    overdue = due.overdue_turns(now)
    if overdue:
        logger.error("turns overdue", games=[late.key for late in overdue], since=overdue[0].deadline)
    return ended


def _give_back(outage: Pause, now: datetime, give_up: float) -> None:
    """Give an outage back to every turn that it touched. Games that this sweep does not reach are left to the next."""
    after, complete = 0, True
    while games := due.games_to_credit(outage, BATCH, after):
        if time.monotonic() > give_up:
            return
        after = games[-1]
        done = _each(games, "outage not given back", lambda pk: commands.credit_game(game_id=pk, now=now))
        complete = complete and done == len(games)
    if complete:
        commands.close_outage(outage_id=outage.pk)


def _expire_turns(now: datetime, rng: Random, give_up: float) -> int:
    seen: set[int] = set()
    ended = 0
    while time.monotonic() < give_up and (games := due.claim_due_turns(now, BATCH, seen)):
        seen |= set(games)
        for pk in games:
            ended += _expire_turn(pk, now, rng)
    return ended


def _expire_turn(pk: int, now: datetime, rng: Random) -> bool:
    try:
        with within(TURN):
            entry = commands.expire_turn(game_id=pk, rng=rng, now=now)
    except Exception as error:
        logger.exception("turn not ended", game=pk)
        commands.set_back(game_id=pk, cause=type(error).__name__, now=now)
        return False
    if entry is None:
        return False
    logger.info("turn ended by the clock", game=pk, seq=entry.seq, by=entry.by)
    return True


def _each(games: Iterable[int], failure: str, change: Callable[[int], object]) -> int:
    """Run a change for each game and return for how many it went well."""
    done = 0
    for pk in games:
        try:
            change(pk)
        except Exception:
            logger.exception(failure, game=pk)
        else:
            done += 1
    return done
