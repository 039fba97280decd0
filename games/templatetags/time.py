"""Time controls, instants and amounts of time in words, for templates."""

from collections.abc import Mapping
from datetime import date, datetime

from django import template
from django.utils import timezone

from games.clock import PauseReason, TimeControl
from games.words.time import (
    PAUSE_LABELS,
    describe_time_control,
    format_ago,
    format_date,
    format_duration,
    format_instant,
    format_until,
    name_time_control,
    summarise_time_control,
)

register = template.Library()


@register.filter
def time_control_sentence(stored: Mapping[str, object]) -> str:
    """Return a game's stored time control as its one sentence."""
    return describe_time_control(TimeControl.from_json(stored))


@register.filter
def time_control_summary(stored: Mapping[str, object]) -> str:
    """Return how long a turn may take by a stored time control, in a few words."""
    return summarise_time_control(TimeControl.from_json(stored))


@register.filter
def time_control_name(stored: Mapping[str, object]) -> str:
    """Return the name of the preset that a stored time control is, or the word for a time control of one's own."""
    return name_time_control(TimeControl.from_json(stored))


@register.filter
def duration(seconds: int) -> str:
    """Return an amount of time in its two largest units."""
    return format_duration(seconds, parts=2)


@register.filter
def instant(moment: datetime) -> str:
    """Return an instant in the reader's zone, with its weekday and the zone."""
    return format_instant(moment)


@register.filter
def day(value: date) -> str:
    """Return a day, or that of an instant in the reader's zone, with its month and year."""
    return format_date(timezone.localtime(value) if isinstance(value, datetime) else value)


@register.filter
def ago(moment: datetime) -> str:
    """Return how long ago an instant is, as “2 days ago”."""
    return format_ago(_seconds_since(moment))


@register.filter
def since(moment: datetime) -> str:
    """Return how much time has passed since an instant, in its two largest units; no seconds beside minutes."""
    seconds = _seconds_since(moment)
    return format_duration(seconds if seconds < 60 else seconds // 60 * 60, parts=2)


@register.filter
def until(moment: datetime, now: datetime) -> str:
    """Return how far ahead an instant is, as “in 2 days”."""
    return format_until(int((moment - now).total_seconds()))


@register.filter
def ahead(moment: datetime) -> str:
    """Return how far ahead of now an instant is, as “in 2 days”."""
    return format_until(_seconds_until(moment))


@register.filter
def pause_words(reason: PauseReason) -> str:
    """Return the sentence of a reason why a clock stands still."""
    return str(PAUSE_LABELS[reason])


def _seconds_since(moment: datetime) -> int:
    return max(0, -_seconds_until(moment))


def _seconds_until(moment: datetime) -> int:
    return int((moment - timezone.now()).total_seconds())
