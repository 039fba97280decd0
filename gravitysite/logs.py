"""Structured logs: one JSON line each in production, readable lines on a development machine.

A line may name a request, a task, a game and what kind of thing went wrong. It never holds a path (addresses carry
keys and tokens), a header, a form field, a turn, the text of a mail or of an exception, or a secret: what an exception
says of itself often quotes the very row that failed, so in production only its type and where it was raised are kept.
What looks like an access token goes out of each line last of all, wherever it comes from.
"""

import logging
import re
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from http import HTTPStatus
from pathlib import Path
from types import TracebackType
from typing import Any, Final
from uuid import uuid4

import structlog
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest, HttpResponseBase
from structlog.contextvars import bind_contextvars, clear_contextvars, get_contextvars
from structlog.typing import EventDict, Processor, WrappedLogger

from accounts.token_text import without_secrets

REQUEST_ID: Final = "X-Request-ID"
FRAMES: Final = 12
"""How many frames of an exception are kept at most."""
INNERMOST: Final = 3
"""How many of them are the innermost ones, whoever's code they are."""
_HOME: Final = f"{Path(__file__).resolve().parent.parent}/"
_SENT_ID = re.compile(r"[A-Za-z0-9_.-]{8,64}", re.ASCII)

type _ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None]


# --- Set-up ------------------------------------------------------------------------------------------------------


def configure_logs(level: str, *, readable: bool) -> dict[str, Any]:
    """Set structlog up and return ``LOGGING``; ``readable`` lines are for a development machine."""
    steps: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*steps, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    renderers: list[Processor] = (
        [structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)]
        if readable
        else [describe_exception, structlog.processors.JSONRenderer(ensure_ascii=False)]
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"discreet": {"()": DiscreetFilter}},
        "formatters": {
            "lines": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": steps,
                "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderers, hide_tokens],
            },
        },
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "lines", "filters": ["discreet"]}},
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            "django": {"handlers": ["console"], "level": level, "propagate": False},
            # What a client did wrong is in the request's own line already.
            "django.request": {"level": "ERROR"},
            # At DEBUG it would print every statement with its values, hidden cards included.
            "django.db.backends": {"level": "WARNING"},
            "django.template": {"level": "WARNING"},
            "django.server": {"handlers": ["console"], "level": "WARNING", "propagate": False},
            # At DEBUG it would print every address.
            "gunicorn.error": {"handlers": ["console"], "level": "INFO", "propagate": False},
            "celery": {"level": "WARNING"},
            "kombu": {"level": "WARNING"},
        },
    }


class DiscreetFilter(logging.Filter):
    """Takes addresses and the words of exceptions out of the lines of Django, Celery and other packages."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrite a record where needed; every record passes."""
        status = getattr(record, "status_code", None)
        if status is not None and hasattr(record, "request"):
            record.msg, record.args = HTTPStatus(status).phrase, ()
        elif record.name == "gunicorn.error" and "request" in str(record.msg):
            record.msg, record.args = "A request could not be handled", ()
        elif isinstance(record.args, Mapping):
            record.args = {name: _discreet(name, value, record) for name, value in record.args.items()}
        elif record.args:
            record.args = tuple(_discreet("", value, record) for value in record.args)
        return True


def _discreet(name: str, value: object, record: logging.LogRecord) -> object:
    if isinstance(value, BaseException):
        return type(value).__name__
    if name in {"exc", "traceback", "args", "kwargs"}:  # what Celery says of a failed task
        raised = record.exc_info[0] if record.exc_info else None
        return raised.__name__ if raised is not None else "…"
    return value


def hide_tokens(_logger: WrappedLogger, _method: str, line: Any) -> Any:
    """Return a line as it is written, without access tokens."""
    return without_secrets(line)


def describe_exception(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Replace an exception by its type, its causes and the places it came through: no words, no values."""
    info = _exception_info(event.pop("exc_info", None))
    if info is not None:
        _kind, error, trace = info
        event["error"] = type(error).__name__
        event["causes"] = [_name(cause) for cause in _causes(error)]
        event["frames"] = _frames(trace)
        words = _harmless_words(error)
        if words:
            event["words"] = words
    return event


def _frames(trace: TracebackType | None) -> list[str]:
    """Return where an exception came through: our own code, outermost first, and the innermost frames of packages."""
    frames = traceback.extract_tb(trace)
    chosen = [frame for frame in frames[:-INNERMOST] if _is_ours(frame.filename)] + frames[-INNERMOST:]
    return [f"{frame.filename.removeprefix(_HOME)}:{frame.lineno} {frame.name}" for frame in chosen[-FRAMES:]]


def _is_ours(filename: str) -> bool:
    return filename.startswith(_HOME) and "site-packages" not in filename


def _exception_info(value: object) -> _ExcInfo | None:
    if isinstance(value, BaseException):
        return type(value), value, value.__traceback__
    if isinstance(value, tuple):
        return value if value[1] is not None else None
    error = sys.exception() if value else None
    return None if error is None else (type(error), error, error.__traceback__)


def _causes(error: BaseException) -> list[BaseException]:
    found: list[BaseException] = []
    seen = {id(error)}
    following = error.__cause__ or error.__context__
    while following is not None and id(following) not in seen and len(found) < FRAMES:
        seen.add(id(following))
        found.append(following)
        following = following.__cause__ or following.__context__
    return found


def _name(error: BaseException) -> str:
    """Return the error's type with its code, where it has one: a refusal's, or that of the database."""
    code = getattr(error, "sqlstate", None) or getattr(error, "code", None)
    return f"{type(error).__name__} ({code})" if isinstance(code, str) else type(error).__name__


def _harmless_words(error: BaseException) -> str:
    """Return what the error says only where it can't quote a row, a form or a secret."""
    if isinstance(error, ImproperlyConfigured):
        return str(error)
    return error.strerror or "" if isinstance(error, OSError) else ""


# --- Requests ----------------------------------------------------------------------------------------------------

logger = structlog.get_logger(__name__)


class RequestLogMiddleware:
    """Gives each request an id, names it and the game in every line of that request, and logs one line at its end.

    An id that a proxy sent is kept; the answer carries it, so that a person can quote it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer one request."""
        began = time.perf_counter()
        clear_contextvars()
        sent = request.headers.get(REQUEST_ID, "")
        request_id = sent if _SENT_ID.fullmatch(sent) else uuid4().hex
        bind_contextvars(request_id=request_id)
        try:
            response = self.get_response(request)
            response[REQUEST_ID] = request_id
            _log_request(request, response.status_code, time.perf_counter() - began)
        finally:
            clear_contextvars()
        return response

    def process_view(self, _request: HttpRequest, _view: object, _args: object, kwargs: dict[str, Any]) -> None:
        """Name the game in what is logged from here on."""
        if "key" in kwargs and "uidb36" not in kwargs:
            bind_contextvars(game=kwargs["key"])


def _log_request(request: HttpRequest, status: int, seconds: float) -> None:
    match = request.resolver_match
    # Open pages ask all the time whether there is news; "no" is not worth a line.
    quiet = (match is None and status < HTTPStatus.BAD_REQUEST) or status == HTTPStatus.NOT_MODIFIED
    log = logger.debug if quiet else logger.error if status >= HTTPStatus.INTERNAL_SERVER_ERROR else logger.info
    # The API leaves there with what a request was signed in: nothing, or an access token.
    token = getattr(request, "auth", None)
    signed_in = {"person": getattr(getattr(request, "_cached_user", None), "pk", None)}
    log(
        "request",
        method=request.method,
        route=match.route if match is not None else None,
        status=status,
        ms=round(seconds * 1000, 1),
        **(signed_in if token is None else {"person": token.user_id, "token": token.pk}),
    )


# --- Tasks -------------------------------------------------------------------------------------------------------


def remember_request(headers: dict[str, Any] | None = None, **_signal: object) -> None:
    """Send the id of the request that asks for a task along with it (Celery's ``before_task_publish``)."""
    request_id = get_contextvars().get("request_id")
    if headers is not None and request_id:
        headers["request_id"] = request_id


def name_task(task_id: str, task: Any, kwargs: dict[str, Any] | None = None, **_signal: object) -> None:
    """Name the task, its game and the request that asked for it in every line of the task (``task_prerun``)."""
    clear_contextvars()
    bind_contextvars(task=task.name, task_id=task_id)
    game_id = (kwargs or {}).get("game_id")
    if game_id is not None:
        bind_contextvars(game_id=game_id)
    request_id = getattr(task.request, "request_id", None)
    if request_id:
        bind_contextvars(request_id=request_id)


def forget_task(**_signal: object) -> None:
    """Name nothing any more once the task is done (``task_postrun``)."""
    clear_contextvars()


def keep_logging(**_signal: object) -> None:
    """Keep Celery from setting up logs of its own (``setup_logging``)."""
