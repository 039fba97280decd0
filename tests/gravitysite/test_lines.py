"""What a log line says and what it leaves out."""

import io
import json
import logging
from collections.abc import Callable, Iterator
from logging.config import dictConfig
from types import SimpleNamespace
from typing import Any

import pytest
import structlog
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from structlog.contextvars import bind_contextvars, clear_contextvars, get_contextvars

from gravitysite import logs

type Lines = Callable[[], list[dict[str, Any]]]
SECRET = "S<(W)"


@pytest.fixture
def lines() -> Iterator[Lines]:
    """Log as in production; the fixture's value returns what was logged since it was last asked."""
    dictConfig(logs.configure_logs("DEBUG", readable=False))
    console = logging.getHandlerByName("console")
    assert isinstance(console, logging.StreamHandler)
    written = io.StringIO()
    console.setStream(written)

    def take() -> list[dict[str, Any]]:
        taken = written.getvalue().splitlines()
        written.seek(0)
        written.truncate()
        return [json.loads(line) for line in taken]

    yield take
    dictConfig(settings.LOGGING)
    clear_contextvars()


def fail(error: Exception) -> None:
    """Raise an error, two frames deep."""
    raise error


def test_an_exception_is_its_type_its_causes_and_its_places_without_a_word(lines: Lines) -> None:
    try:
        try:
            fail(KeyError(SECRET))
        except KeyError as error:
            raise ValueError(SECRET) from error
    except ValueError:
        structlog.get_logger("test").exception("it broke")
    (line,) = lines()
    assert (line["event"], line["error"], line["causes"]) == ("it broke", "ValueError", ["KeyError"])
    assert any("test_lines.py" in frame for frame in line["frames"])
    assert SECRET not in json.dumps(line)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ImproperlyConfigured("Set SECRET_KEY"), "Set SECRET_KEY"),
        (FileNotFoundError(2, "No such file or directory", "/secret"), "No such file or directory"),
        (ValueError("anything"), None),
    ],
)
def test_only_words_that_can_quote_nothing_are_kept(lines: Lines, error: Exception, words: str | None) -> None:
    logging.getLogger("test").error("it broke", exc_info=error)
    (line,) = lines()
    assert line.get("words") == words


def test_an_exception_among_the_arguments_of_a_line_is_its_type(lines: Lines) -> None:
    logging.getLogger("test").warning("failed: %s", ValueError(SECRET))
    assert lines()[0]["event"] == "failed: ValueError"


def test_a_failed_task_is_logged_without_its_arguments(lines: Lines) -> None:
    params = {"name": "games.play", "id": "7", "exc": SECRET, "args": SECRET, "kwargs": SECRET, "traceback": SECRET}
    logging.getLogger("celery.app.trace").error("Task %(name)s[%(id)s] raised: %(exc)s %(kwargs)s", params)
    try:
        fail(ValueError(SECRET))
    except ValueError:
        logging.getLogger("celery.app.trace").exception("Task %(name)s: %(exc)s", params)
    first, second = lines()
    assert first["event"] == "Task games.play[7] raised: … …"
    assert second["event"] == "Task games.play: ValueError"


def test_a_refused_request_is_logged_with_its_status_not_its_address(lines: Lines) -> None:
    request = SimpleNamespace(path="/accounts/reset/token/")
    logging.getLogger("django.security.csrf").warning(
        "Forbidden: %s", request.path, extra={"status_code": 403, "request": request}
    )
    logging.getLogger("gunicorn.error").error("Error handling request %s", "/accounts/reset/token/")
    assert [line["event"] for line in lines()] == ["Forbidden", "A request could not be handled"]


@pytest.mark.parametrize("name", ["django.db.backends", "django.template", "gunicorn.error", "celery", "kombu"])
def test_what_prints_values_at_its_lowest_level_is_kept_from_it(lines: Lines, name: str) -> None:
    logging.getLogger(name).debug(SECRET)
    assert lines() == []


@pytest.mark.django_db
def test_a_request_is_one_line_with_its_route_and_the_answer_names_its_id(client: Client, lines: Lines) -> None:
    response = client.get("/games/abcdefghijkm/?at=1&token=secret", headers={"X-Request-ID": "given-by-proxy"})
    (line,) = (line for line in lines() if line["event"] == "request")
    assert response["X-Request-ID"] == line["request_id"] == "given-by-proxy"
    assert (line["method"], line["status"], line["game"]) == ("GET", 404, "abcdefghijkm")
    assert line["route"].endswith("games/<slug:key>/")
    assert "secret" not in json.dumps(line)
    assert get_contextvars() == {}


@pytest.mark.django_db
@pytest.mark.parametrize("sent", ["", "short", "a b c d e f g h", "x" * 65, "new\nline-injected"])
def test_an_id_that_is_none_is_replaced(client: Client, sent: str) -> None:
    given = client.get("/about/", headers={"X-Request-ID": sent})["X-Request-ID"]
    assert given != sent
    assert len(given) == 32


def test_a_task_carries_the_id_of_its_request_and_forgets_it_at_its_end() -> None:
    headers: dict[str, Any] = {}
    bind_contextvars(request_id="asked-by-ada")
    logs.remember_request(headers=headers)
    clear_contextvars()
    assert headers == {"request_id": "asked-by-ada"}
    task = SimpleNamespace(name="games.play_bot_turn", request=SimpleNamespace(request_id="asked-by-ada"))
    logs.name_task("7", task, kwargs={"game_id": 3})
    expected = {"task": "games.play_bot_turn", "task_id": "7", "game_id": 3, "request_id": "asked-by-ada"}
    assert get_contextvars() == expected
    logs.forget_task()
    assert get_contextvars() == {}


def test_a_task_of_no_request_sends_no_id() -> None:
    headers: dict[str, Any] = {}
    logs.remember_request(headers=headers)
    assert headers == {}
