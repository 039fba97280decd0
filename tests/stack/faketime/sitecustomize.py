"""Loaded by every Python process with a shifted clock: libfaketime 0.9.10 breaks `time.sleep`, and nothing else of it.

Python sleeps until an instant of the monotonic clock, which the library takes for one of the shifted clock and refuses.
"""

import select
import time
from typing import SupportsIndex


def sleep(seconds: float | SupportsIndex) -> None:
    """Sleep for a span instead of until an instant."""
    select.select([], [], [], float(seconds))


time.sleep = sleep
