"""Why a time control, a list of holidays or a change of a clock is refused: codes, never sentences.

The words for each code are in `games.words.refusals`.
"""

from enum import StrEnum

from engine.errors import Param, Refusal


class ClockCode(StrEnum):
    """The refusals of the clock."""

    BAD_TIME_CONTROL = "bad-contract"
    """What should be a time control has other fields than one. Parameters: ``field``."""
    BAD_ALLOWANCE = "bad-allowance"
    """The time for a turn is out of range. Parameters: ``minimum``, ``maximum`` (seconds)."""
    BAD_RESERVE = "bad-reserve"
    """The reserve starts below zero or above its cap. Parameters: ``minimum``, ``maximum`` (seconds)."""
    BAD_INCREMENT = "bad-increment"
    """The reserve grows by less than zero or more than its cap. Parameters: ``minimum``, ``maximum`` (seconds)."""
    BAD_CAP = "bad-cap"
    """The cap of the reserve is out of range. Parameters: ``minimum``, ``maximum`` (seconds)."""
    HOLIDAY_BACKWARDS = "holiday-backwards"
    """A holiday ends before it begins. Parameters: ``first``, ``last`` (ISO dates)."""
    HOLIDAY_TOO_LONG = "holiday-too-long"
    """One holiday has too many days. Parameters: ``first``, ``last`` (ISO dates), ``maximum`` (days)."""
    HOLIDAYS_OVERLAP = "holidays-overlap"
    """Two holidays share a day. Parameters: ``day`` (ISO date)."""
    HOLIDAYS_USED_UP = "holidays-used-up"
    """The holidays of a calendar year have too many days. Parameters: ``year``, ``days``, ``maximum``."""
    HOLIDAY_NOT_BEFOREHAND = "holiday-not-beforehand"
    """A day that has begun would become, or stop being, a holiday. Parameters: ``day`` (ISO date)."""
    TURN_OPEN = "turn-open"
    """A turn can't be started on a clock on which one is open."""
    TURN_NOT_OPEN = "turn-not-open"
    """A turn can't be finished on a clock on which none is open."""
    NO_DEADLINE = "no-deadline"
    """Time would not run out within ten years: the calendar is broken."""


class ClockError(Refusal):
    """A refusal by the clock."""

    code: ClockCode

    def __init__(self, code: ClockCode, **params: Param) -> None:
        super().__init__(code, **params)
