"""The time control of a game: how long a turn may take, what does not count, and what happens when time is up."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from games.clock.errors import ClockCode, ClockError

MINUTE: Final = 60
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR
ALLOWANCE_MIN: Final = MINUTE
ALLOWANCE_MAX: Final = 14 * DAY
RESERVE_MAX: Final = 60 * DAY
"""The highest cap a reserve may have."""
HOLIDAYS_FROM: Final = DAY
"""From this allowance on, holidays are on unless said otherwise."""


class OnTimeout(StrEnum):
    """What happens to a seat whose time runs out."""

    AUTOPILOT = "autopilot"
    """A computer player plays that turn; at the third miss in a row the seat retires."""
    STRICT = "strict"
    """The seat retires at once."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The time control of one game, in whole seconds.

    Each turn has ``allowance``; what is left of it at the end of the turn is lost. Once it is gone the seat's reserve
    is used, which starts at ``reserve_start`` and gains ``reserve_increment`` for each turn finished, never above
    ``reserve_cap``. Raises `ClockError` for a value out of range.
    """

    allowance: int
    reserve_start: int
    reserve_increment: int
    reserve_cap: int
    weekends: bool
    """Saturday and Sunday in the zone of the seat's owner do not count."""
    holidays: bool
    """The dated absences that the seat's owner set beforehand do not count."""
    on_timeout: OnTimeout

    def __post_init__(self) -> None:
        _check_types(self)
        _check_range(ClockCode.BAD_ALLOWANCE, self.allowance, ALLOWANCE_MIN, ALLOWANCE_MAX)
        _check_range(ClockCode.BAD_CAP, self.reserve_cap, 0, RESERVE_MAX)
        _check_range(ClockCode.BAD_RESERVE, self.reserve_start, 0, self.reserve_cap)
        _check_range(ClockCode.BAD_INCREMENT, self.reserve_increment, 0, self.reserve_cap)

    def to_json(self) -> dict[str, int | bool | str]:
        """Return the time control as a game stores it; `from_json` makes the same time control again."""
        return {**asdict(self), "on_timeout": self.on_timeout.value}

    @classmethod
    def from_json(cls, stored: object) -> "TimeControl":
        """Return the time control that `to_json` wrote. Raises `ClockError` if it is none, or out of range."""
        if not isinstance(stored, Mapping):
            raise ClockError(ClockCode.BAD_TIME_CONTROL, field="")
        try:
            return _read_once(**stored)
        except TypeError:  # a key that is no text, or a value that can't be one of a time control
            return _read(stored)


def custom(
    allowance: int,
    *,
    reserve_start: int = 0,
    reserve_increment: int = 0,
    reserve_cap: int | None = None,
    weekends: bool = False,
    holidays: bool | None = None,
    on_timeout: OnTimeout = OnTimeout.AUTOPILOT,
) -> TimeControl:
    """Return a time control with defaults filled in: no growth above the start, holidays from 24 h allowance."""
    return TimeControl(
        allowance=allowance,
        reserve_start=reserve_start,
        reserve_increment=reserve_increment,
        reserve_cap=reserve_start if reserve_cap is None else reserve_cap,
        weekends=weekends,
        holidays=allowance >= HOLIDAYS_FROM if holidays is None else holidays,
        on_timeout=on_timeout,
    )


def _read(stored: Mapping[str, Any]) -> TimeControl:
    names = {field.name for field in fields(TimeControl)}
    for name in sorted(names ^ set(stored), key=str):
        raise ClockError(ClockCode.BAD_TIME_CONTROL, field=str(name))
    try:
        on_timeout = OnTimeout(stored["on_timeout"])
    except ValueError:
        raise ClockError(ClockCode.BAD_TIME_CONTROL, field="on_timeout") from None
    return TimeControl(**{**stored, "on_timeout": on_timeout})


@lru_cache(maxsize=200, typed=True)
def _read_once(**stored: Any) -> TimeControl:
    """Return what `_read` does, kept: pages and commands ask for the same few time controls over and over."""
    return _read(stored)


def _check_types(time_control: TimeControl) -> None:
    for field in fields(time_control):
        if type(getattr(time_control, field.name)) is not field.type:
            raise ClockError(ClockCode.BAD_TIME_CONTROL, field=field.name)


def _check_range(code: ClockCode, seconds: int, minimum: int, maximum: int) -> None:
    if not minimum <= seconds <= maximum:
        raise ClockError(code, minimum=minimum, maximum=maximum)


PRESETS: Final[Mapping[str, TimeControl]] = MappingProxyType(
    {
        "evening": custom(10 * MINUTE),
        "daily": custom(DAY, reserve_start=2 * DAY),
        "relaxed": custom(3 * DAY, reserve_start=3 * DAY, reserve_increment=6 * HOUR, reserve_cap=6 * DAY),
        "weekly": custom(7 * DAY),
    }
)
DEFAULT_PRESET: Final = "relaxed"


def preset_name(time_control: TimeControl) -> str:
    """Return the name of the preset that is exactly this one, or ``custom``."""
    return next((name for name, preset in PRESETS.items() if preset == time_control), "custom")
