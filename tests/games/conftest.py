"""What tests of games share: a site of several processes."""

from collections.abc import Iterator

import psycopg
import pytest
from psycopg import sql

from tests import leftovers
from tests.games.site import Site


@pytest.fixture(scope="module")
def site(postgresql_server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    name = leftovers.database_name()
    with psycopg.connect(f"{postgresql_server}/postgres", autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        site = Site(f"{postgresql_server}/{name}", tmp_path_factory.mktemp("site"))
        assert site.start("django", "migrate", "-v0", "--settings", "gravitysite.settings").wait(timeout=120) == 0
        yield site
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
