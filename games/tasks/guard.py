"""A limit on the time of one game, so that a turn that never ends stops nobody else's."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

TURN: Final = 10.0
"""Seconds that all of a computer player's turn, or of the end of a turn, may take."""
AGAIN: Final = 5.0
"""Seconds after which a block that has not ended yet is told again."""


SOON: Final = 0.001
"""Seconds until a block is told whose time ran out in one within it."""


class TookTooLongError(Exception):
    """A turn did not end in time."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise `TookTooLongError` in a block that takes longer. Blocks may stand in each other.

    An alarm of the process rings in its main thread, where workers run their tasks. In other threads, which only the
    server of a developer's machine has, the block is not interrupted.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise TookTooLongError(f"more than {seconds} seconds")

    began, before = time.monotonic(), signal.signal(signal.SIGALRM, ring)
    left, again = signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if left:  # a block around this one
            signal.setitimer(signal.ITIMER_REAL, max(left - (time.monotonic() - began), SOON), again)
