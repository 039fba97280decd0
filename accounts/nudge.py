"""Nudges to the workers. A lost one only costs time: sweeps find in the database whatever waits to be done."""

from time import monotonic
from typing import Any, Final

import structlog
from celery import current_app
from kombu.exceptions import OperationalError

QUIET: Final = 30.0
"""Seconds without a nudge after the broker could not be reached, so that nobody's request waits for it again."""


logger = structlog.get_logger(__name__)


_quiet_until = 0.0


def nudge(task: str, *, expires: float | None = None, **kwargs: int) -> None:
    """Send a task to its queue unless the broker was found dead a moment ago. Never raises for a dead broker.

    After ``expires`` seconds on the queue it counts for nothing.
    """
    global _quiet_until  # noqa: PLW0603 - what this process knows of the broker
    if monotonic() < _quiet_until:
        return
    options: dict[str, Any] = {} if expires is None else {"expires": expires}
    try:
        current_app.signature(task, kwargs=kwargs).apply_async(retry=False, **options)
    except OperationalError:
        _quiet_until = monotonic() + QUIET
        logger.warning("broker out of reach", task=task)
