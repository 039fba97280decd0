"""What tests of games share: a site of several processes."""

from collections.abc import Iterator
from uuid import uuid4

import psycopg
import pytest
from psycopg import sql

from tests.games.site import Site


@pytest.fixture(scope="module")
def site(postgresql_server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    name = f"gravity_{uuid4().hex}"
    with psycopg.connect(f"{postgresql_server}/postgres", autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        site = Site(f"{postgresql_server}/{name}", tmp_path_factory.mktemp("site"))
        assert site.start("django", "migrate", "-v0", "--settings", "gravitysite.settings").wait(timeout=120) == 0
        yield site
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
