"""What happens when the time of a turn has run out."""

from dataclasses import dataclass
from datetime import datetime
from random import Random

from django.db import transaction

from games import clock
from games.clock import Expiry, OnTimeout
from games.commands._append import add_retirement, add_turn
from games.commands._clocks import move_deadline
from games.commands._lock import glance_at, lock_game, save_change
from games.commands._outages import credit_outages
from games.errors import GameCode, GameError
from games.log.positions import position_at, rules_of
from games.log.table import next_actor
from games.models import Entry, Game
from games.models.choices import Actor, Reason
from games.notices.facts import AutopilotPlayed, MovedBy
from games.notices.outbox import enqueue
from games.timing.deadlines import DUE_COLUMNS, calendar_of, deadline_of, time_control_of


@dataclass(frozen=True, slots=True)
class _Choice:
    """What a computer player would play after entry ``seq``."""

    seq: int
    turn: str


def expire_turn(*, game_id: int, rng: Random, now: datetime, until: datetime | None = None) -> Entry | None:
    """End the open turn of a game if its time has run out by ``now``: return the entry that did it, or None.

    With ``until`` only if it had run out by then: the last instant at which the whole site is known to have been up.

    As the time control has it, a computer player plays the turn or the seat retires. Safe to repeat and to run twice at
    once: whether time has run out is asked again under the lock. A game that someone else has locked is left to them.
    """
    until = until or now
    game = glance_at(game_id)
    choice = None if game is None or not _may_be_played_for(game, until) else _choose(game, rng)
    try:
        return _expire(game_id=game_id, choice=choice, now=now, until=until)
    except GameError as error:
        if error.code == GameCode.NO_SUCH_GAME:
            return None
        raise


@transaction.atomic(durable=True)
def _expire(*, game_id: int, choice: _Choice | None, now: datetime, until: datetime) -> Entry | None:
    game = lock_game(skip_locked=True, pk=game_id)
    credited = credit_outages(game, now, until=until)
    seat = next_actor(game)
    # The calendar as it is now, under the lock, whatever the stored deadline says.
    calendar = None if seat is None or seat.since is None else calendar_of(game, seat)
    due = None if calendar is None else deadline_of(game, calendar)
    if seat is None or seat.number is None or due is None or due > until:
        _correct_deadline(game, now, credited=credited)
        return None
    if clock.on_expiry(time_control_of(game), seat.misses) is Expiry.AUTOPILOT:
        if choice is None or choice.seq != game.seq:
            # The game moved on since the turn was chosen: the next sweep chooses again.
            _correct_deadline(game, now, credited=credited)
            return None
        seat.misses += 1
        entry = add_turn(game, seat=seat.number, turn=choice.turn, by=Actor.AUTOPILOT, now=now, calendar=calendar)
        enqueue(game, AutopilotPlayed(seat.number, entry.seq, seat.misses), now=now)
        return entry
    seat.misses += 1
    return add_retirement(game, seat=seat.number, reason=Reason.TIMEOUT, by=Actor.CLOCK, now=now)


def _may_be_played_for(game: Game, until: datetime) -> bool:
    """Return whether it may be worth choosing a turn, by the row alone: all is asked again under the lock."""
    due = game.deadline is not None and game.deadline <= until
    return due and time_control_of(game).on_timeout is OnTimeout.AUTOPILOT


def _correct_deadline(game: Game, now: datetime, *, credited: bool) -> None:
    if move_deadline(game, MovedBy.CALENDAR, now) or credited:
        save_change(game, *DUE_COLUMNS)


def _choose(game: Game, rng: Random) -> _Choice:
    """Let the autopilot of the game's rules choose; it knows only what the seat may see."""
    rules = rules_of(game)
    state = position_at(game, game.seq).state
    return _Choice(game.seq, rules.choose_turn(rules.autopilot, state, rng))
