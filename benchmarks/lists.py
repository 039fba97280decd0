"""What each page costs that lists something which grows: ``python -m benchmarks.lists``.

A database of its own on a PostgreSQL server is filled with made-up people and games (`manage.py seed_load`), a tenth of
100,000 and 1,000,000 unless ``--full`` says otherwise. Then each page of `tests.flows.list_pages` is asked for through
the whole stack of the site but its web server, by Django's test client, in rounds, so that a busy machine slows all.
Figures: queries, the median and the 95th percentile in milliseconds, kilobytes, and the median in home pages, which can
be compared with another machine's.
"""

import argparse
import os
import sys
import tempfile
import time
from statistics import median, quantiles
from typing import Final

from benchmarks.sweep import scratch_database
from tests.services import find_postgresql

PEOPLE, GAMES = 100_000, 1_000_000
SHARE: Final = 10
"""One of so many people and games is there unless all are asked for."""
MOST_MILLISECONDS: Final = 100
"""The aim for the median of every page at full scale."""


def main() -> int:
    """Print the table, or what is lacking to get it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help=f"{PEOPLE:,} people and {GAMES:,} games")
    parser.add_argument("--rounds", type=int, default=20, help="how often each page is asked for (20)")
    parser.add_argument("--database", help="address of a database that seed_load has filled; it is left as it was")
    options = parser.parse_args()
    if options.database:
        measure(options.database, options.rounds, fill=None)
        return 0
    server = find_postgresql()
    if server is None:
        print("Lists: needs PostgreSQL")
        return 0
    share = 1 if options.full else SHARE
    with scratch_database(f"{server}/postgres") as url:
        measure(url, options.rounds, fill=(PEOPLE // share, GAMES // share))
    return 0


def measure(url: str, rounds: int, fill: tuple[int, int] | None) -> None:
    """Fill a database where asked to, and print what its pages cost."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(
            DEBUG="1",
            DATA_DIR=folder,
            DATABASE_URL=url,
            REDIS_URL="",
            MAIL_URL=f"file://{folder}/mails",
            LOG_LEVEL="ERROR",
            DJANGO_SETTINGS_MODULE="gravitysite.settings",
        )
        import django  # noqa: PLC0415 - the environment is set only now
        from django.conf import settings  # noqa: PLC0415 - as above
        from django.core.management import call_command  # noqa: PLC0415 - as above

        django.setup()
        settings.DEBUG = False  # else each query is kept
        if fill is not None:
            call_command("migrate", verbosity=0)
            call_command("seed_load", people=fill[0], games=fill[1], yes=True)
        look_at_pages(rounds)


def look_at_pages(rounds: int) -> None:
    """Print a line a page."""
    from django.db import connection  # noqa: PLC0415 - Django must be set up first
    from django.test.utils import CaptureQueriesContext  # noqa: PLC0415 - as above

    from tests.flows.list_pages import MOST_QUERIES, PAGES, Visit  # noqa: PLC0415 - as above

    with Visit() as visit:
        found = {page: visit.find(page) for page in PAGES}
        asked, sizes = {}, {}
        for page, address in found.items():
            visit.open(page, address)  # what a process makes once
            with CaptureQueriesContext(connection) as queries:
                sizes[page] = len(visit.open(page, address))
            asked[page] = queries.final_queries - queries.initial_queries
        took: dict[object, list[float]] = {page: [] for page in PAGES}
        for _round in range(rounds):
            for page, address in found.items():
                began = time.perf_counter()
                visit.open(page, address)
                took[page].append(1000 * (time.perf_counter() - began))
    home = median(took[PAGES[0]])
    print(f"{'page':<28}{'queries':>8}{'median':>10}{'95 %':>10}{'kB':>7}{'homes':>7}")
    over = 0
    for page in PAGES:
        middle, late = median(took[page]), quantiles(took[page], n=20)[-1]
        slow = asked[page] > MOST_QUERIES or middle > MOST_MILLISECONDS
        over += slow
        row = f"{page.name:<28}{asked[page]:>8}{middle:>7.1f} ms{late:>7.1f} ms{sizes[page] / 1000:>7.0f}"
        print(f"{row}{middle / home:>7.1f}{'  over' if slow else ''}")
    print(f"{over} of {len(PAGES)} pages take more than {MOST_QUERIES} queries or {MOST_MILLISECONDS} ms")


if __name__ == "__main__":
    sys.exit(main())
