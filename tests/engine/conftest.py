"""What tests of the engine share."""

from dataclasses import replace
from functools import partial

import pytest

from engine.gravity.bots import BOTS
from engine.gravity.bots.levels import PLANS
from engine.gravity.bots.playout import best_turn


@pytest.fixture(autouse=True)
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let players that think for long think briefly: in the same way, of fewer turns, and not as far."""
    monkeypatch.setitem(BOTS, "playout", partial(best_turn, looks=2, rounds=(1,)))
    for level, plan in PLANS.items():
        monkeypatch.setitem(PLANS, level, replace(plan, playouts=min(plan.playouts, level)))
