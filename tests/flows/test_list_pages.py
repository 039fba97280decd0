"""Lists stay quick however much there is: each page takes a few queries, and none that reads a whole table."""

import re
from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import acts
from tests.flows.list_pages import BIG, MOST_QUERIES, PAGES, ListPage, Visit

SCAN = re.compile(rf"Seq Scan on ({'|'.join(BIG)})\b")

COUNTED = f"LIMIT {acts.MOST_COUNTED}) subquery"
"""How a count ends that stops by itself."""


@pytest.mark.pg
@pytest.mark.slow
@pytest.mark.django_db
def test_no_page_of_a_list_asks_much_or_reads_a_whole_table() -> None:
    call_command("seed_load", people=2_000, games=20_000, heavy=10_000, logs=200, yes=True, verbosity=0)
    with Visit() as visit:
        assert [fault for page in PAGES for fault in faults_of(visit, page)] == []


def faults_of(visit: Visit, page: ListPage) -> Iterator[str]:
    """Yield a line for each thing that is wrong with a page."""
    address = visit.find(page)
    visit.open(page, address)  # what is written once in a while, such as that somebody is there
    with CaptureQueriesContext(connection) as asked:
        visit.open(page, address)
    if len(asked) > MOST_QUERIES:
        yield f"{page.name}: {len(asked)} queries"
    for query in asked.captured_queries:
        if (
            query["sql"].startswith("SELECT")
            and COUNTED not in query["sql"]
            and (scan := SCAN.search(explain(query["sql"])))
        ):
            yield f"{page.name}: reads all of {scan[1]}: {query['sql']}"


def explain(statement: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {statement}")
        return "\n".join(line for (line,) in cursor.fetchall())
