"""Fixtures of the tests that run the site's real processes."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import leftovers
from tests.conftest import NO_REDIS
from tests.services import HOST, start_redis
from tests.stack.people import Database
from tests.stack.stack import ROOT, Stack

COLLECT = """
from gravitysite import settings
settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"
import django
django.setup()
from django.core.management import call_command
call_command("collectstatic", interactive=False, verbosity=0)
"""
"""Collects as the image's build does, but without compressing: that takes half a minute and changes no name."""


@pytest.fixture(scope="session")
def static_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the static files, named as in production."""
    folder = tmp_path_factory.mktemp("static")
    stack = Stack(folder, "postgres://build/build", "redis://build", "smtp://build", folder)
    subprocess.run(
        [sys.executable, "-c", COLLECT],
        cwd=ROOT,
        env={**stack.environment(), "DJANGO_SETTINGS_MODULE": "gravitysite.settings"},
        check=True,
    )
    return folder


@pytest.fixture(scope="session")
def running_stack(
    tmp_path_factory: pytest.TempPathFactory, postgresql_server: str, static_root: Path
) -> Iterator[Stack]:
    """Return the running site, shared by tests that only use it."""
    broker = start_redis()
    if broker is None:
        pytest.skip(NO_REDIS)
    name = leftovers.database_name()
    server = Database(f"{postgresql_server}/postgres")
    server.run(f"CREATE DATABASE {name}")
    home = tmp_path_factory.mktemp("site")
    stack = Stack(home, f"{postgresql_server}/{name}", f"{broker.url}/0", f"smtp://{HOST}:9", static_root)
    stack.start_site()
    yield stack
    stack.stop_all()
    broker.stop()
    server.run(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def stack(tmp_path: Path, migrated_database: str, redis_url: str, static_root: Path) -> Iterator[Stack]:
    """Return a stack over a database without a row and an empty Redis; nothing is started yet."""
    stack = Stack(tmp_path, migrated_database, redis_url, f"smtp://{HOST}:9", static_root, is_migrated=True)
    yield stack
    stack.stop_all()


@pytest.fixture
def database(stack: Stack) -> Database:
    """Return the stack's database."""
    return Database(stack.database_url)
