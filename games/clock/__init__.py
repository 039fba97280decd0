"""The clock of a game by correspondence: pure functions, instants and time zones in, instants out.

A game has one `TimeControl`; each seat has a `Clock` (what is left) and a `Calendar` (when its time does not count).
`deadline` is the one function that says when time runs out. Instants are aware datetimes, taken to the whole second
(rounded down, so in the player's favour); amounts of time are whole seconds. Nothing here asks what time it is.
"""

from games.clock.calendar import (
    Calendar,
    HolidaySpan,
    PauseReason,
    PauseSpan,
    check_holiday_change,
    check_holidays,
    deadline,
    holiday_balance,
    outage_gap,
    pause,
    pause_reasons,
    resume,
    resumes_at,
    seconds_outside,
    time_used,
)
from games.clock.charges import Charge, Correction, recount
from games.clock.errors import ClockCode, ClockError
from games.clock.time_control import DEFAULT_PRESET, PRESETS, OnTimeout, TimeControl, custom, preset_name
from games.clock.turns import (
    Clock,
    ClockWarning,
    Expiry,
    WarningKind,
    adopt_time_control,
    finish_turn,
    is_overdue,
    new_clock,
    on_expiry,
    settle,
    start_turn,
    time_left,
    turn_deadline,
    warning_instants,
)

__all__ = [
    "DEFAULT_PRESET",
    "PRESETS",
    "Calendar",
    "Charge",
    "Clock",
    "ClockCode",
    "ClockError",
    "ClockWarning",
    "Correction",
    "Expiry",
    "HolidaySpan",
    "OnTimeout",
    "PauseReason",
    "PauseSpan",
    "TimeControl",
    "WarningKind",
    "adopt_time_control",
    "check_holiday_change",
    "check_holidays",
    "custom",
    "deadline",
    "finish_turn",
    "holiday_balance",
    "is_overdue",
    "new_clock",
    "on_expiry",
    "outage_gap",
    "pause",
    "pause_reasons",
    "preset_name",
    "recount",
    "resume",
    "resumes_at",
    "seconds_outside",
    "settle",
    "start_turn",
    "time_left",
    "time_used",
    "turn_deadline",
    "warning_instants",
]
