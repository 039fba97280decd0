"""The sweep of the clocks: finds what is due and runs one command a game. One that fails delays no other."""

import time
from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from random import Random
from typing import Final

import structlog

from games import commands
from games.commands.credit_outage import games_to_take_back
from games.models import Pause
from games.models.time import CLOCKS
from games.queries import due
from games.tasks.guard import TURN, within
from games.tasks.probe import site_answers

BATCH: Final = 100
CREDIT_BATCH: Final = 250
"""Games that an outage is given back to together."""
PATIENCE: Final = 15.0
"""Seconds after which a sweep leaves the rest to the next one, so that heartbeats keep coming."""

logger = structlog.get_logger(__name__)


def sweep_clocks(*, now: datetime, rng: Random) -> int:
    """Do everything about clocks that is due at ``now``; return how many turns were ended.

    The heartbeats come first: time in which no sweep ran, or the site did not answer, is given back before any turn
    expires, and while it does not answer no turn expires that was open when it last did.
    """
    give_up = time.monotonic() + PATIENCE
    slept = commands.beat_clocks(name=CLOCKS, now=now)
    deaf, until = commands.beat_web(answered=site_answers(), now=now)
    for outage in (slept, deaf):
        if outage is not None:
            logger.warning("outage", start=outage.start, end=outage.end)
    given_back = True
    for outage in due.uncredited_outages(until):
        given_back &= _give_back(outage, now, give_up)
    _each(due.games_without_clock(BATCH), "clock not started", lambda pk: commands.start_clock(game_id=pk, now=now))
    for game_id in due.games_with_due_plans(BATCH):
        _play_plans(game_id, now)
    ended = _expire_turns(now, until, rng, give_up)
    _each(
        due.series_to_continue(BATCH),
        "series not continued",
        lambda pk: commands.continue_series(game_id=pk, now=now, rng=rng),
    )
    if given_back:
        _each(
            due.due_open_games(until, BATCH),
            "open game not ended",
            lambda pk: commands.expire_open_game(game_id=pk, now=now),
        )
    commands.prune_charges(now=now)
    overdue = due.overdue_turns(now)
    if overdue:
        logger.error("turns overdue", games=[late.key for late in overdue], since=overdue[0].deadline)
    return ended


def _give_back(outage: Pause, now: datetime, give_up: float) -> bool:
    """Give an outage back to every turn that it touched; return whether that is done.

    Games that this sweep does not reach are left to the next.
    """

    def one_by_one(games: Collection[int]) -> bool:
        done = _each(games, "outage not given back", lambda pk: commands.credit_game(game_id=pk, now=now))
        return done == len(games)

    if outage.start == outage.end:  # the staff has taken it back, and was interrupted
        if complete := one_by_one(games_to_take_back(outage)):
            commands.close_outage(outage_id=outage.pk)
        return complete
    after, complete = 0, one_by_one(due.charged_games(outage))
    while games := due.games_to_credit(outage, CREDIT_BATCH, after):
        if time.monotonic() > give_up:
            return False
        after = games[-1]
        try:
            apart = commands.credit_games(outage_id=outage.pk, game_ids=games, now=now)
        except Exception:
            logger.exception("outage not given back together")
            apart = games
        complete &= one_by_one(apart)
    if complete:
        commands.close_outage(outage_id=outage.pk)
    return complete


def _play_plans(pk: int, now: datetime) -> None:
    """Look at planned turns of which no worker has heard, or at which one failed; another failure ends them."""
    try:
        with within(TURN):
            commands.play_plan(game_id=pk, now=now)
    except Exception:
        logger.exception("plans given up", game=pk)
        _each([pk], "plans not given up", lambda pk: commands.give_up_plans(game_id=pk, now=now))


def _expire_turns(now: datetime, until: datetime, rng: Random, give_up: float) -> int:
    seen: set[int] = set()
    ended = 0
    while time.monotonic() < give_up and (games := due.claim_due_turns(until, BATCH, seen)):
        seen |= set(games)
        for pk in games:
            ended += _expire_turn(pk, now, until, rng)
    return ended


def _expire_turn(pk: int, now: datetime, until: datetime, rng: Random) -> bool:
    try:
        with within(TURN):
            entry = commands.expire_turn(game_id=pk, rng=rng, now=now, until=until)
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
