"""Time contracts, instants and amounts of time in words, for templates."""

from collections.abc import Mapping
from datetime import datetime

from django import template

from games.clock import PauseReason, TimeContract
from games.words import time as terms

register = template.Library()


@register.filter
def contract_sentence(stored: Mapping[str, object]) -> str:
    """Return a game's stored time contract as its one sentence."""
    return terms.describe_contract(TimeContract.from_json(stored))


@register.filter
def contract_name(stored: Mapping[str, object]) -> str:
    """Return the name of the preset that a stored time contract is, or the word for terms of one's own."""
    return terms.name_contract(TimeContract.from_json(stored))


@register.filter
def duration(seconds: int) -> str:
    """Return an amount of time in its two largest units."""
    return terms.format_duration(seconds, parts=2)


@register.filter
def instant(moment: datetime) -> str:
    """Return an instant in the reader's zone, with its weekday and the zone."""
    return terms.format_instant(moment)


@register.filter
def until(moment: datetime, now: datetime) -> str:
    """Return how far ahead an instant is, as “in 2 days”."""
    return terms.format_until(int((moment - now).total_seconds()))


@register.filter
def pause_words(reason: PauseReason) -> str:
    """Return the sentence of a reason why a clock stands still."""
    return str(terms.PAUSE_LABELS[reason])
