"""Time in words: a game's time control as one sentence, amounts of time, instants, in the reader's language.

The sentence has three clauses that stand by themselves, each translated whole, and a frame that a translator can
reorder. Durations stand in the nominative, so that languages with cases need no second form.
"""

from collections.abc import Callable, Mapping
from datetime import date, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Final, assert_never

from django.utils.formats import date_format, time_format
from django.utils.timezone import localtime
from django.utils.translation import get_language, gettext, gettext_lazy, ngettext, pgettext

from games.clock import OnTimeout, PauseReason, TimeControl, preset_name

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


PRESET_LABELS: Final[Mapping[str, "_StrPromise"]] = {
    "evening": gettext_lazy("Evening"),
    "daily": gettext_lazy("Daily"),
    "relaxed": gettext_lazy("Relaxed"),
    "weekly": gettext_lazy("Weekly"),
    "custom": gettext_lazy("Custom"),
}


PAUSE_LABELS: Final[Mapping[PauseReason, "_StrPromise"]] = {
    PauseReason.WEEKEND: gettext_lazy("The clock is stopped for the weekend."),
    PauseReason.HOLIDAY: gettext_lazy("The clock is stopped: the player is on holiday."),
    PauseReason.OUTAGE: gettext_lazy("The clock is stopped: the site was down, and gives that time back."),
    PauseReason.STAFF: gettext_lazy("The clock was stopped by the staff."),
}
"""A sentence for each reason why a clock does not run."""


_UNITS: Final[tuple[tuple[int, Callable[[int], str]], ...]] = (
    (86_400, lambda n: ngettext("%(count)d day", "%(count)d days", n)),
    (3_600, lambda n: ngettext("%(count)d hour", "%(count)d hours", n)),
    (60, lambda n: ngettext("%(count)d minute", "%(count)d minutes", n)),
    (1, lambda n: ngettext("%(count)d second", "%(count)d seconds", n)),
)


_AHEAD: Final[tuple[tuple[int, Callable[[int], str]], ...]] = (
    (86_400, lambda n: ngettext("in %(count)d day", "in %(count)d days", n)),
    (3_600, lambda n: ngettext("in %(count)d hour", "in %(count)d hours", n)),
    (60, lambda n: ngettext("in %(count)d minute", "in %(count)d minutes", n)),
    (1, lambda n: ngettext("in %(count)d second", "in %(count)d seconds", n)),
)


_AGO: Final[tuple[tuple[int, Callable[[int], str]], ...]] = (
    (31_556_952, lambda n: ngettext("%(count)d year ago", "%(count)d years ago", n)),
    (2_629_746, lambda n: ngettext("%(count)d month ago", "%(count)d months ago", n)),
    (86_400, lambda n: ngettext("%(count)d day ago", "%(count)d days ago", n)),
    (3_600, lambda n: ngettext("%(count)d hour ago", "%(count)d hours ago", n)),
    (60, lambda n: ngettext("%(count)d minute ago", "%(count)d minutes ago", n)),
    (1, lambda n: ngettext("%(count)d second ago", "%(count)d seconds ago", n)),
)


def describe_time_control(time_control: TimeControl) -> str:
    """Return the whole time control as one sentence; one that was written before in this language is kept."""
    return _describe_time_control(time_control, get_language())


def summarise_time_control(time_control: TimeControl) -> str:
    """Return how long a turn may take, in a few words."""
    return gettext("%(allowance)s per turn") % {"allowance": format_duration(time_control.allowance)}


@lru_cache(maxsize=500)
def _describe_time_control(time_control: TimeControl, _language: str) -> str:
    return gettext("%(time)s; %(calendar)s; %(timeout)s.") % {
        "time": _describe_time(time_control),
        "calendar": _describe_calendar(time_control),
        "timeout": _describe_timeout(time_control),
    }


def name_time_control(time_control: TimeControl) -> str:
    """Return the name of the preset that a time control is, or the word for a custom one."""
    return str(PRESET_LABELS[preset_name(time_control)])


def format_duration(seconds: int, *, parts: int | None = None) -> str:
    """Return an amount of time in days, hours, minutes and seconds, leaving out what is zero.

    With ``parts`` only that many units from the largest on are written, rounded down: enough for a time left.
    """
    words: list[str] = []
    used = 0
    for size, phrase in _UNITS:
        count, seconds = divmod(seconds, size)
        if count:
            words.append(phrase(count) % {"count": count})
        used += bool(words)
        if used == parts:
            break
    if not words:
        return ngettext("%(count)d second", "%(count)d seconds", 0) % {"count": 0}
    text = words.pop()
    while words:
        text = gettext("%(larger)s %(smaller)s") % {"larger": words.pop(), "smaller": text}
    return text


def format_instant(moment: datetime) -> str:
    """Return an instant in the active time zone, with its weekday and the zone's name: a deadline as it is written."""
    local = localtime(moment)
    return gettext("%(weekday)s %(date)s, %(time)s %(zone)s") % {
        "weekday": date_format(local, "l"),
        "date": format_date(local),
        "time": time_format(local, "TIME_FORMAT"),
        "zone": local.tzname(),
    }


def format_date(day: date) -> str:
    """Return a day with its month and year. French, for one, calls the first of a month otherwise than other days."""
    # Translators: how Django's filter "date" is to write the first day of a month; DATE_FORMAT: as any other day.
    first = pgettext("first day of a month", "DATE_FORMAT")
    return date_format(day, first if day.day == 1 else "DATE_FORMAT")


def format_ago(seconds: int) -> str:
    """Return how long ago something was in its largest unit, rounded down; a month is a twelfth of a year."""
    if seconds <= 0:
        return gettext("now")
    size, phrase = next(unit for unit in _AGO if seconds >= unit[0])
    count = seconds // size
    return phrase(count) % {"count": count}


def format_until(seconds: int) -> str:
    """Return how far ahead something is in its largest unit, of which there are two or more, to the nearest one.

    ``clock.js`` counts on from there, in the same way.
    """
    if seconds <= 0:
        return gettext("now")
    size, phrase = next(unit for unit in _AHEAD if seconds >= 2 * unit[0] or unit[0] == 1)
    count = (2 * seconds + size) // (2 * size)
    return phrase(count) % {"count": count}


def _describe_time(time_control: TimeControl) -> str:
    durations = {
        "allowance": format_duration(time_control.allowance),
        "reserve": format_duration(time_control.reserve_start),
        "increment": format_duration(time_control.reserve_increment),
        "cap": format_duration(time_control.reserve_cap),
    }
    match time_control:
        case TimeControl(reserve_cap=0) | TimeControl(reserve_start=0, reserve_increment=0):
            return gettext("%(allowance)s per turn") % durations
        case TimeControl(reserve_increment=0):
            return gettext("%(allowance)s per turn and a reserve of %(reserve)s for the whole game") % durations
        case TimeControl(reserve_start=0):
            return (
                gettext("%(allowance)s per turn and a reserve: %(increment)s per finished turn, at most %(cap)s")
                % durations
            )
        case _:
            return (
                gettext(
                    "%(allowance)s per turn and a reserve: %(reserve)s at the start, %(increment)s more per finished "
                    "turn, at most %(cap)s"
                )
                % durations
            )


def _describe_calendar(time_control: TimeControl) -> str:
    match time_control.weekends, time_control.holidays:
        case True, True:
            return gettext("Saturdays, Sundays and holidays set in advance do not count")
        case True, False:
            return gettext("Saturdays and Sundays do not count")
        case False, True:
            return gettext("holidays set in advance do not count")
        case _:
            return gettext("every day counts")


def _describe_timeout(time_control: TimeControl) -> str:
    match time_control.on_timeout:
        case OnTimeout.AUTOPILOT:
            return gettext(
                "when time runs out a computer player plays that turn, and the third time in a row the player is out "
                "of the game"
            )
        case OnTimeout.STRICT:
            return gettext("when time runs out the player is out of the game")
        case _:
            assert_never(time_control.on_timeout)
