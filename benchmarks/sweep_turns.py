"""How long a sweep takes to end many turns that are due at once, in the empty database of ``benchmarks.sweep``."""

import statistics
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from random import Random

import django

django.setup()

from django.conf import settings  # noqa: E402 - Django must be set up first
from django.db import connection  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402
from django.utils import timezone  # noqa: E402

from accounts.models import User  # noqa: E402
from engine.rulesets import RULESETS  # noqa: E402
from games import commands  # noqa: E402
from games.clock import PRESETS  # noqa: E402
from games.log.positions import position_at  # noqa: E402
from games.models import Game, Seat  # noqa: E402
from games.models.time import CLOCKS  # noqa: E402
from games.tasks.sweep import sweep_clocks  # noqa: E402

LIMIT_S = 15.0
RULESET = "gravity-1"
GAMES = 20
"""Games that are played; the others are their copies."""
PLAYED = 6
"""Turns in each before the one that runs out."""
TRIES = 20
COPY_GAMES = """
INSERT INTO games_game (key, {columns})
SELECT lpad(n::text, 12, '0'), {columns} FROM generate_series(1, %s) AS n
JOIN (SELECT *, row_number() OVER (ORDER BY id) AS place FROM games_game) AS game ON place = 1 + n %% {games}
"""
COPY_SEATS = """
INSERT INTO games_seat (game_id, {columns})
SELECT copy.id, {seat_columns} FROM games_game AS copy
JOIN games_game AS game ON game.setup_digest = copy.setup_digest AND game.id < copy.id
JOIN games_seat AS seat ON seat.game_id = game.id
"""


def main(turns: int) -> int:
    """Let a sweep end so many turns; say whether it is fast enough."""
    settings.DEBUG = False  # it keeps every statement
    fill(turns + TRIES)
    now = timezone.now()
    due = list(Game.objects.filter(deadline__lte=now).order_by("pk").values_list("pk", flat=True))
    commands.beat(name=CLOCKS, now=now)
    commands.expire_turn(game_id=due.pop(), rng=Random(0), now=now)
    with CaptureQueriesContext(connection) as asked:
        commands.expire_turn(game_id=due.pop(), rng=Random(0), now=now)
    print(f"statements of one turn: {len(asked)}")
    chosen = measure([lambda pk=pk: choose(pk) for pk in due[-TRIES + 2 :]])
    print(f"of which choosing it: {chosen:.1f} ms")
    began, used = time.perf_counter(), time.process_time()
    ended = sweep_clocks(now=now, rng=Random(1))
    took, used = time.perf_counter() - began, time.process_time() - used
    print(f"{ended} turns ended in {took:.1f} s; at work, a turn: {1000 * used / max(1, ended):.1f} ms")
    fast = took < LIMIT_S and ended >= turns
    print(f"{'ok' if fast else 'TOO SLOW'}: {took:.1f} s of {LIMIT_S:.0f} s allowed")
    return 0 if fast else 1


def fill(count: int) -> None:
    """Start and play some games, and copy them until there are ``count`` whose turn is due."""
    began = timezone.now() - timedelta(days=9)
    ada, bo = (User.objects.create_user(f"{name}@example.org", display_name=name) for name in ("ada", "bo"))
    for number in range(GAMES):
        rng = Random(number)
        game = commands.create_game(
            user=ada,
            ruleset=RULESET,
            size=2,
            options={},
            public=True,
            bots=[],
            now=began,
            time_control=PRESETS["relaxed"],
            rng=rng,
        )
        commands.join_game(game_key=game.key, user=bo, now=began, rng=rng)
        for _turn in range(PLAYED):
            play(game.pk, began, rng)
    with connection.cursor() as cursor:
        games = columns_of(Game, "id", "key")
        seats = columns_of(Seat, "id", "game_id")
        cursor.execute(COPY_GAMES.format(columns=", ".join(games), games=GAMES), [count - GAMES])
        seat_columns = ", ".join(f"seat.{column}" for column in seats)
        cursor.execute(COPY_SEATS.format(columns=", ".join(seats), seat_columns=seat_columns))
        cursor.execute("ANALYZE")


def play(pk: int, now: object, rng: Random) -> None:
    """Play some legal turn for who is to move."""
    game = Game.objects.get(pk=pk)
    seat = Seat.objects.select_related("user").get(game=game, number=game.to_move)
    rules = RULESETS[RULESET]
    turn = rules.choose_turn("random", position_at(game, game.seq).state, rng)
    commands.play_turn(game_key=game.key, user=seat.user, seq=game.seq, turn=turn, now=now)


def choose(pk: int) -> None:
    """Choose a turn as autopilot does."""
    game = Game.objects.get(pk=pk)
    rules = RULESETS[RULESET]
    rules.choose_turn(rules.autopilot, position_at(game, game.seq).state, Random(1))


def columns_of(model: type, *but: str) -> list[str]:
    """Return a table's columns but those."""
    return [f'"{field.column}"' for field in model._meta.local_concrete_fields if field.column not in but]


def measure(calls: list[Callable[[], object]]) -> float:
    """Return the median of the calls' times at work, in milliseconds."""
    times = []
    for call in calls:
        began = time.process_time()
        call()
        times.append((time.process_time() - began) * 1000)
    return statistics.median(times)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
