"""Appending one entry to the log of a locked game, with everything that follows from it: clocks, proposals, notices."""

from datetime import datetime
from typing import Final

from django.db import transaction

from games.clock import Calendar
from games.commands._clocks import begin_turn, end_turn
from games.commands._lock import save_change, save_seats
from games.commands._nudge import nudge_settling
from games.commands._plans import drop_plans
from games.commands._proposals import settle_proposal
from games.log.columns import GAME_COLUMNS, SEAT_COLUMNS, derive_game, derive_seats
from games.log.positions import Snapshot, apply_entry, latest_columns, position_at, rules_of
from games.log.record import digest_after
from games.log.seats import seats_of
from games.log.table import next_actor, people_in
from games.models import Entry, Game
from games.models.choices import Actor, EntryEvent, Reason, Status
from games.notices.facts import GameOver, SeatRetired
from games.notices.outbox import enqueue
from games.timing.deadlines import CLOCK_COLUMNS, DUE_COLUMNS
from statements import Insert

ENTRY: Final = Insert(Entry)


def add_turn(
    game: Game,
    *,
    seat: int,
    turn: str,
    by: Actor,
    now: datetime,
    planned: bool = False,
    calendar: Calendar | None = None,
) -> Entry:
    """Play a turn of the seat to move and log it. Raises `RulesError` if it is not legal.

    The seat's ``calendar``, where it was read under the game's lock already, is not read again.
    """
    return _append(game, Entry(game=game, seat=seat, turn=turn, by=by, at=now, planned=planned), calendar)


def add_retirement(game: Game, *, seat: int, reason: Reason, by: Actor, now: datetime) -> Entry:
    """Let a seat leave a running game and log it. Raises `RulesError` if it has left already."""
    entry = _append(game, Entry(game=game, seat=seat, event=EntryEvent.RETIRE, reason=reason, by=by, at=now))
    enqueue(game, SeatRetired(seat, entry.seq, reason), now=now)
    _end_without_people(game, now)
    return entry


def _end_without_people(game: Game, now: datetime) -> None:
    """End a game that only computer players are left in: they leave it, the one with the fewest points first."""
    while game.status == Status.ACTIVE and not people_in(game):
        left = [(seat.points, -seat.number, seat.number) for seat in seats_of(game) if seat.number and not seat.retired]
        last = min(left)[2]
        _append(game, Entry(game=game, seat=last, event=EntryEvent.RETIRE, reason=Reason.ALONE, by=Actor.BOT, at=now))


def _append(game: Game, entry: Entry, calendar: Calendar | None = None) -> Entry:
    rules = rules_of(game)
    applied = apply_entry(rules, position_at(game, game.seq).state, entry)
    summary = rules.summary(applied.state)
    mover, before, round_before = next_actor(game), (game.to_move, game.turns), game.round
    entry.seq = game.seq + 1
    entry.at = entry.at.replace(microsecond=0)
    entry.digest = digest_after(game.head, entry)
    ENTRY(entry)
    drop_plans(game, None if summary.finished else [entry.seat])
    reached = Snapshot(entry.seq, applied.state, applied.events)
    changed = set(derive_seats(game, summary))
    derive_game(game, summary, seq=entry.seq, head=entry.digest, at=entry.at)
    if mover is not None and (game.to_move, game.turns) != before:
        by_owner = entry.by == Actor.PLAYER and entry.turn != ""
        end_turn(game, mover, entry.at, turn=before[1], by_owner=by_owner, calendar=calendar)
        changed |= {mover, begin_turn(game, entry.at) or mover}
    save_seats(changed, (*SEAT_COLUMNS, *CLOCK_COLUMNS))
    columns: tuple[str, ...] = (*GAME_COLUMNS, *DUE_COLUMNS)
    if entry.event or game.status == Status.FINISHED or game.round != round_before:
        settle_proposal(game, entry.at)
        columns = (*columns, "time_control")
    save_change(game, *columns, **latest_columns(game, reached))
    if game.status == Status.FINISHED:
        enqueue(game, GameOver(), now=entry.at)
        transaction.on_commit(nudge_settling, robust=True)
    return entry
