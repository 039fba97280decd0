"""When the sweeps are sent: every so many seconds of a clock that nobody can set."""

from datetime import timedelta
from pathlib import Path
from time import monotonic
from typing import Any

from celery.beat import Scheduler
from celery.schedules import schedule as Interval  # noqa: N812 - it is a class

IDLE = 60.0
"""Seconds between two rounds where there is nothing to send."""


class SteadyScheduler(Scheduler):
    """Sends each periodic task at its interval, counted from the start.

    Celery's own scheduler compares instants of the wall clock, so that a clock set back by an hour stops it for an
    hour. This one keeps nothing: what is missed in a restart is found by the next sweep. After each round it touches
    the file named by ``--schedule``, for the health check.
    """

    def __init__(self, *args: Any, schedule_filename: str | None = None, **kwargs: Any) -> None:
        self._next: dict[str, float] = {}
        self._sign_of_life = Path(schedule_filename) if schedule_filename else None
        super().__init__(*args, **kwargs)

    def tick(self, *_args: Any, **_kwargs: Any) -> float:
        """Send what is due and return the seconds until something is again."""
        for name, entry in self.schedule.items():
            assert isinstance(entry.schedule, Interval), f"{name} needs a schedule in seconds"
            now = monotonic()
            if self._next.get(name, now) <= now:
                self.apply_entry(entry, producer=self.producer)
                interval: timedelta = entry.schedule.run_every  # type: ignore[attr-defined]
                self._next[name] = now + interval.total_seconds()
        if self._sign_of_life is not None:
            self._sign_of_life.touch()
        return max(0.01, min(self._next.values(), default=monotonic() + IDLE) - monotonic())
