"""Checks of the fields of a record, whatever the game: each returns the value or raises `RecordError` that names it."""

from collections.abc import Mapping
from typing import Final

from engine.contract import Json
from engine.errors import RecordError

_MAX_TEXT: Final = 200
"""Longest name or turn, in characters."""


def read_object(value: Json, name: str) -> Mapping[str, Json]:
    """Return a value that is an object."""
    if not isinstance(value, dict):
        raise RecordError(f"{name} must be an object")
    return value


def read_number(value: Json, name: str, allowed: range) -> int:
    """Return a value that is one of the allowed numbers."""
    if not isinstance(value, int) or isinstance(value, bool) or value not in allowed:
        wanted = " or ".join(map(str, allowed)) if len(allowed) < 7 else f"{allowed[0]} to {allowed[-1]}"
        raise RecordError(f"{name} must be {wanted}")
    return value


def read_text(value: Json, name: str) -> str:
    """Return a value that is text, not absurdly long."""
    if not isinstance(value, str) or len(value) > _MAX_TEXT:
        raise RecordError(f"{name} must be text of at most {_MAX_TEXT} characters")
    return value


def shown(value: object) -> str:
    """Return any value on one short line, to be named in an error."""
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
