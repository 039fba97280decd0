"""What tests of games share: a site of several processes."""

from collections.abc import Iterator

import pytest

from tests.games.site import Site
from tests.services import new_database


@pytest.fixture(scope="module")
def site(postgresql_server: str, migrated_template: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with new_database(postgresql_server, migrated_template) as url:
        site = Site(url, tmp_path_factory.mktemp("site"))
        yield site
        site.nursery.close()
