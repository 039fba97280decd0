"""A limit on the time of one game, so that a turn that never ends stops nobody else's."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

TURN: Final = 10.0
"""Seconds that one turn of a computer player may take; hard ones take a quarter of a second."""
AGAIN: Final = 5.0
"""Seconds after which a block that has not ended yet is told again."""


class TookTooLongError(Exception):
    """A turn did not end in time."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise `TookTooLongError` in a block that takes longer.

    An alarm of the process rings in its main thread, where workers run their tasks. In other threads, which only the
    server of a developer's machine has, the block is not interrupted.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise TookTooLongError(f"more than {seconds} seconds")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
