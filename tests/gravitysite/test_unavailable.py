"""When the database is away, people read so; when the site is at fault, they read that; never one for the other."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus

import psycopg
import pytest
from django.db import InterfaceError, OperationalError, ProgrammingError, connection
from django.test import Client

from gravitysite.errors import is_database_away


def raised_from(error: Exception, cause: Exception | None) -> Exception:
    """Return an error as Django makes it out of the driver's."""
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "cause", "away"),
    [
        (OperationalError(), psycopg.OperationalError("connection refused"), True),
        (OperationalError(), psycopg.errors.AdminShutdown(), True),
        (OperationalError(), psycopg.errors.CannotConnectNow(), True),
        (OperationalError(), psycopg.errors.TooManyConnections(), True),
        (OperationalError(), psycopg.errors.DeadlockDetected(), True),
        (OperationalError(), psycopg.errors.LockNotAvailable(), True),
        (InterfaceError(), psycopg.InterfaceError("the connection is closed"), True),
        (OperationalError(), sqlite3.OperationalError("database is locked"), True),
        (OperationalError(), sqlite3.OperationalError("no such table: games_game"), False),
        (OperationalError(), psycopg.errors.QueryCanceled(), True),
        (ProgrammingError(), psycopg.errors.UndefinedColumn(), False),
        (ValueError(), None, False),
    ],
)
def test_only_an_error_that_passes_by_itself_counts_as_a_database_that_is_away(
    error: Exception, cause: Exception | None, away: bool
) -> None:
    assert is_database_away(raised_from(error, cause)) is away


def test_no_error_is_no_database_that_is_away() -> None:
    assert not is_database_away(None)


@contextmanager
def failing(error: Exception) -> Iterator[None]:
    """Let every statement fail."""

    def refuse(*_args: object) -> None:
        raise error

    with connection.execute_wrapper(refuse):
        yield


@pytest.fixture
def visitor() -> Client:
    return Client(raise_request_exception=False)


AWAY = raised_from(OperationalError(), psycopg.OperationalError("connection refused"))


@pytest.mark.django_db
def test_the_page_for_a_database_away_is_in_the_readers_language_with_retry_after(
    visitor: Client,
) -> None:
    with failing(AWAY):
        response = visitor.get("/lobby/", headers={"Accept-Language": "de"})
    assert response.status_code == 503
    assert (response["Retry-After"], response["Cache-Control"]) == ("5", "no-store")
    assert '<html lang="de"' in response.content.decode()


@pytest.mark.django_db
def test_an_open_page_gets_the_words_alone_and_puts_them_among_its_messages(visitor: Client) -> None:
    with failing(AWAY):
        response = visitor.get("/lobby/", headers={"HX-Request": "true"})
    assert (response.status_code, response["HX-Retarget"]) == (503, "#messages")
    assert "<html" not in response.content.decode()


@pytest.mark.django_db
def test_a_program_gets_json(visitor: Client) -> None:
    with failing(AWAY):
        response = visitor.get("/api/v1/games/abcdefghijkm/")
    assert (response.status_code, response["Content-Type"]) == (503, "application/problem+json")
    assert response.json() == {
        "type": "/api/#unavailable",
        "title": "Service Unavailable",
        "status": 503,
        "detail": HTTPStatus.SERVICE_UNAVAILABLE.description,
        "code": "unavailable",
        "retry_after": 5,
    }


@pytest.mark.django_db
def test_an_error_of_ours_is_a_500(visitor: Client) -> None:
    with failing(raised_from(ProgrammingError(), psycopg.errors.UndefinedColumn())):
        assert visitor.get("/lobby/").status_code == 500
