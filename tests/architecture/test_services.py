"""The servers of the test suite are really there, empty, and the test's own."""

import psycopg
import pytest
import redis
from django.conf import settings
from django.db import connection

from tests.services import RedisServer, redis_answers


def test_a_database_for_processes_is_empty(pg_database: str) -> None:
    with psycopg.connect(pg_database) as database:
        row = database.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone()
    assert row == (0,)


@pytest.mark.pg
@pytest.mark.django_db
def test_tests_of_locks_run_on_postgresql() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT version()")
        assert cursor.fetchone()[0].startswith("PostgreSQL")
    assert settings.DATABASES["default"]["ENGINE"].endswith("postgresql")


def test_a_redis_database_is_empty(redis_url: str) -> None:
    with redis.Redis.from_url(redis_url) as client:
        assert client.dbsize() == 0
        client.set("left", "over")


def test_two_redis_databases_of_a_test_run_are_never_the_same(redis_url: str) -> None:
    number = redis_url.rsplit("/", 1)[1]
    with redis.Redis.from_url(f"{redis_url.rsplit('/', 1)[0]}/0") as claims:
        assert not claims.set(f"gravity-tests:{number}", "another", nx=True)


def test_a_redis_server_of_ones_own_stops_and_starts_again(redis_server: RedisServer) -> None:
    assert redis_answers(redis_server.url)
    redis_server.stop()
    assert not redis_answers(redis_server.url)
    redis_server.start()
    assert redis_answers(redis_server.url)
