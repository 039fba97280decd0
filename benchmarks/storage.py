"""What a game costs in PostgreSQL, in bytes, by table: ``python -m benchmarks.storage``.

People play games through the commands to their end, the greedy computer player choosing their turns, a few hours
between two; the mails that go with them are written. The sizes of all tables, with indexes and long values, are
compared with those before the first game: when the games are half played; when they are over and nothing waits any
more; and a year later, once all that beat sends has run until it finds nothing to do, pruning included.

The sizes are `pg_total_relation_size` just after VACUUM FULL: rows and indexes at their densest. A database in use
keeps room for changes beside that. Whole pages of 8 kB count, so the figures of a few games would say too much.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from random import Random
from typing import TYPE_CHECKING, Final

import psycopg

from benchmarks.sweep import scratch_database
from tests.services import find_postgresql

if TYPE_CHECKING:
    from accounts.models import User

AGO: Final = timedelta(days=400)
"""How long ago the games begin: by now nothing is kept for being new."""
PACE: Final = timedelta(hours=8)
"""The time between two turns of a game."""
AFTER: Final = timedelta(days=7)
"""How long after the last turn no warning waits any more."""
PARTS: Final = {
    "games_entry": "log",
    "games_game": "game",
    "games_seat": "seats",
    "notices_notice": "notices",
}
"""What the tables hold that grow with games."""
REST: Final = "all other tables"
ROUNDS: Final = 3
"""After so many rounds a game is measured as a running one; none ends before."""
SIZES: Final = """
SELECT relname, pg_total_relation_size(oid) FROM pg_class
WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
"""
RULESET: Final = "gravity-1"

type Sizes = dict[str, int]
"""Bytes by part."""


def main() -> int:
    """Print the figures, or what is lacking to get them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100, help="games of each size (100)")
    parser.add_argument("--players", type=int, nargs="+", default=[2, 4], help="players in a game (2 4)")
    options = parser.parse_args()
    server = find_postgresql()
    if server is None:
        print("Bytes a game: needs PostgreSQL")
        return 0
    with scratch_database(f"{server}/postgres") as url, tempfile.TemporaryDirectory() as folder:
        os.environ.update(
            DEBUG="1",
            DATA_DIR=folder,
            DATABASE_URL=url,
            REDIS_URL="",
            MAIL_URL=f"file://{folder}/mails",
            LOG_LEVEL="ERROR",
            PGOPTIONS="-c synchronous_commit=off",  # nothing here is worth waiting for a disk
            DJANGO_SETTINGS_MODULE="gravitysite.settings",
        )
        import django  # noqa: PLC0415 - the environment is set only now
        from django.core.management import call_command  # noqa: PLC0415 - as above

        django.setup()
        call_command("migrate", verbosity=0)
        people = make_people(max(options.players))
        run_what_beat_sends()  # what it notes of itself is no game's
        for players in options.players:
            compare(url, people[:players], options.games)
    return 0


def compare(url: str, people: Sequence["User"], number: int) -> None:
    """Play games of these people and print what one of them keeps, part by part."""
    states = [sizes(url)]
    now = datetime.now(UTC) - AGO - timedelta(days=2 * len(people))  # each size on days of its own: there is a limit
    keys = begin_games(people, number, now)
    turns, head = 0, []
    for turn in count(1):
        if not (played := play_a_turn_each(keys, now)):
            break
        turns += played
        now += PACE
        send_mails(now)
        if turn == ROUNDS * len(people):
            states.append(sizes(url))
            head.append(f"after {turn} turns")
    send_mails(now + AFTER)
    states.append(sizes(url))
    run_what_beat_sends()
    states.append(sizes(url))
    head += [f"over, {turns / number:.0f} turns", "a year later"]
    print_line(f"bytes a game of {len(people)}", head)
    kept = [{part: (state[part] - states[0][part]) / number for part in state} for state in states[1:]]
    for part in kept[0]:
        print_line(part, [f"{state[part]:,.0f}" for state in kept])
    print_line("all", [f"{sum(state.values()):,.0f}" for state in kept])
    log, notices = (kept[1][part] * number / turns for part in ("log", "notices"))
    print(f"a turn: {log:,.0f} bytes of log, {notices:,.0f} of notices until they are pruned", flush=True)


def print_line(name: str, cells: Sequence[str]) -> None:
    """Print a line of the table."""
    print(f"{name:<20}" + "".join(f"{cell:>18}" for cell in cells))


def sizes(url: str) -> Sizes:
    """Rewrite all tables as compactly as they can be, and return the bytes of each part.

    Done again until it makes no difference: while autovacuum looks at a table, dead rows are kept for it.
    """
    with psycopg.connect(url, autocommit=True) as connection:
        known: Sizes = {}
        found = weigh(connection)
        while found != known:
            known, found = found, weigh(connection)
    return found


def weigh(connection: psycopg.Connection[tuple[str, int]]) -> Sizes:
    """Rewrite all tables and return the bytes of each part."""
    found = dict.fromkeys([*PARTS.values(), REST], 0)
    connection.execute("VACUUM FULL")
    for table, size in connection.execute(SIZES):
        found[PARTS.get(table, REST)] += size
    return found


# With Django set up


def make_people(number: int) -> Sequence["User"]:
    """Store people who want every notice as it comes by default."""
    from accounts.models import User  # noqa: PLC0415 - Django must be set up first

    return [
        User.objects.create_user(f"person{place}@example.org", display_name=f"Person {place}")
        for place in range(number)
    ]


def begin_games(people: Sequence["User"], number: int, now: datetime) -> Sequence[str]:
    """Start games in which all of these people sit; return their keys."""
    from games import commands  # noqa: PLC0415 - Django must be set up first

    keys = []
    for place in range(number):
        game = commands.create_game(
            user=people[0],
            ruleset=RULESET,
            size=len(people),
            options={},
            public=False,
            bots=[],
            now=now,
            rng=Random(place),
        )
        for user in people[1:]:
            commands.join_game(game_key=game.key, user=user, now=now, rng=Random(place))
        keys.append(game.key)
    return keys


def play_a_turn_each(keys: Sequence[str], now: datetime) -> int:
    """Play one turn in each game that goes on; return how many were played."""
    from games import commands  # noqa: PLC0415 - Django must be set up first
    from games.log.positions import position_at, rules_of  # noqa: PLC0415 - as above
    from games.models import Game  # noqa: PLC0415 - as above

    rng, played = Random(1), 0
    for game in Game.objects.filter(key__in=keys, status="active").order_by("pk").prefetch_related("seats__user"):
        turn = rules_of(game).choose_turn("greedy", position_at(game, game.seq).state, rng)
        (user,) = [seat.user for seat in game.seats.all() if seat.number == game.to_move]
        assert user is not None
        commands.play_turn(game_key=game.key, user=user, seq=game.seq, turn=turn, now=now)
        played += 1
    return played


def send_mails(now: datetime) -> None:
    """Send what is due, and close what is not needed any more."""
    from games.delivery.deliver import send_due  # noqa: PLC0415 - Django must be set up first

    while send_due(now):
        pass


def run_what_beat_sends() -> None:
    """Run every periodic task, today, until none of them closes or prunes a notice."""
    from django.conf import settings  # noqa: PLC0415 - Django must be set up first

    from games.notices.models import Notice  # noqa: PLC0415 - as above
    from gravitysite.celery import app  # noqa: PLC0415 - as above

    app.loader.import_default_modules()
    left = -1
    while left != (left := Notice.objects.count()):
        for entry in settings.CELERY_BEAT_SCHEDULE.values():
            app.tasks[entry["task"]].apply(throw=True)


if __name__ == "__main__":
    sys.exit(main())
