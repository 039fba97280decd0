"""What a sweep asks the database, measured in the one that `benchmarks.sweep` has filled."""

import statistics
import sys
import time
from collections.abc import Callable
from datetime import timedelta

import django

django.setup()

from django.db import transaction  # noqa: E402 - Django must be set up first
from django.utils import timezone  # noqa: E402

from benchmarks.sweep import DUE  # noqa: E402
from games.models import Game, Pause  # noqa: E402
from games.queries import due  # noqa: E402

LIMIT_MS = 50.0
ROUNDS = 20


def main(games: int) -> int:
    """Measure the queries of a sweep and say whether they are fast enough."""
    now = timezone.now()
    queue = Game.objects.filter(deadline__lte=now).order_by("deadline")
    with transaction.atomic():
        plan = queue.select_for_update(skip_locked=True, no_key=True).values_list("pk")[:DUE].explain()
    uses_index = "game_due" in plan
    print(f"the claim uses the partial index: {'yes' if uses_index else 'NO'}")
    claim = measure("claim of the due turns", lambda: due.claim_due_turns(now, DUE))
    assert len(due.claim_due_turns(now, DUE)) == DUE
    measure("games without a clock", lambda: due.games_without_clock(DUE))
    measure("open games at their end", lambda: due.due_open_games(now, DUE))
    measure("alarm", lambda: due.alarm(now))
    outage = Pause.objects.create(reason="outage", start=now - timedelta(hours=1), end=now)
    measure("games to give an outage back to", lambda: due.games_to_credit(outage, DUE, games // 2))
    fast = claim < LIMIT_MS
    print(f"{'ok' if fast and uses_index else 'TOO SLOW'}: {claim:.1f} ms of {LIMIT_MS:.0f} ms allowed")
    return 0 if fast and uses_index else 1


def measure(what: str, query: Callable[[], object]) -> float:
    """Print the median and the slowest of several runs, in milliseconds, and return the median."""
    times: list[float] = []
    for _round in range(ROUNDS):
        began = time.perf_counter()
        query()
        times.append((time.perf_counter() - began) * 1000)
    print(f"{what}: median {statistics.median(times):.1f} ms, slowest {max(times):.1f} ms")
    return statistics.median(times)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
