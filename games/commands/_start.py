"""Starting an open game that has become full; part of the command that filled it."""

from datetime import datetime
from random import Random, SystemRandom
from typing import Final

from engine.chain import setup_digest
from games.commands._clocks import begin_turn, open_clocks
from games.commands._lock import save_change
from games.commands._ratings import begin_rated
from games.log.columns import GAME_COLUMNS, SEAT_COLUMNS, derive_game, derive_seats
from games.log.positions import Snapshot, keep_setup, latest_columns, rules_of
from games.log.record import nameless_digest
from games.log.seats import load_seats, seats_of
from games.models import Game, Seat
from games.notices.facts import GameStarted
from games.notices.outbox import enqueue
from games.timing.deadlines import CLOCK_COLUMNS, DUE_COLUMNS
from games.words.seats import record_names

CHANCE: Final = SystemRandom()
"""The site's own chance, which nobody can foresee: what a game is drawn with unless a caller hands in another."""


def start_if_full(game: Game, *, now: datetime, rng: Random) -> None:
    """Start a locked open game if all its seats are taken, else only raise its version.

    ``rng`` draws the order of the seats, which in a series is that of joining from the second game on, then the set-up,
    which is stored whole, so that a replay needs no chance.
    """
    load_seats(game)
    if len(seats_of(game)) == game.size:
        _start(game, now.replace(microsecond=0), rng)
    else:
        save_change(game)


def _start(game: Game, now: datetime, rng: Random) -> None:
    seats = list(seats_of(game))
    if game.series_number == 1:
        rng.shuffle(seats)
    for number, seat in enumerate(seats, start=1):
        seat.number = number
        seat.name = seat.user.display_name if seat.user is not None else seat.name
    rules = rules_of(game)
    state = rules.set_up(record_names(seats), game.options, rng)
    record = rules.write_record(state)
    setup = {key: value for key, value in record.items() if key != "log"}
    keep_setup(game, setup)
    game.setup_digest = setup_digest(setup)
    game.nameless_digest = nameless_digest(setup)
    game.started_at = now
    summary = rules.summary(state)
    derive_seats(game, summary)
    derive_game(game, summary, seq=0, head=game.setup_digest, at=now)
    begin_rated(game, now)
    open_clocks(game)
    begin_turn(game, now)
    Seat.objects.bulk_update(seats, ("number", "name", "rating", *SEAT_COLUMNS, *CLOCK_COLUMNS))
    columns = ("setup_digest", "nameless_digest", "started_at", "unrated", *DUE_COLUMNS)
    save_change(game, *columns, *GAME_COLUMNS, setup=setup, **latest_columns(game, Snapshot(0, state, ())))
    load_seats(game)
    enqueue(game, GameStarted(), now=now)
