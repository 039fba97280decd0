"""Values that refuse to change.

What the engine makes is not frozen, as that would cost it half its speed, and is never changed all the same. In tests
of the engine each field of it can be set once: whatever changes a value that somebody may hold fails there.
"""

from dataclasses import FrozenInstanceError
from typing import Any, Final

import pytest

from engine import compiled
from engine.contract import Applied, Event, Summary
from engine.gravity.state import Player, State

VALUES: Final[tuple[type, ...]] = (State, Player, Event, Applied, Summary)


def refuse_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every field of every value be set once in a test; compiled modules, which never ask, are left alone."""
    if compiled.running() == "fast":
        return
    for kind in VALUES:
        monkeypatch.setattr(kind, "__setattr__", _set_once)


def _set_once(value: Any, name: str, content: Any) -> None:
    if hasattr(value, name):
        raise FrozenInstanceError(f"{type(value).__name__}.{name} is changed")
    object.__setattr__(value, name, content)
