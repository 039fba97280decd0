"""What tests of the engine share."""

from functools import partial

import pytest

from engine.gravity.bots import BOTS
from engine.gravity.bots.playout import best_turn


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let players that think for long think briefly: in the same way, of fewer turns, and not as far."""
    monkeypatch.setitem(BOTS, "playout", partial(best_turn, looks=2, rounds=(1,)))
