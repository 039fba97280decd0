"""What tests of the engine share."""

from dataclasses import replace
from functools import partial

import pytest

from engine.gravity.bots import BOTS
from engine.gravity.bots.levels import PLANS
from engine.gravity.bots.playout import best_turn
from tests.unchanging import refuse_changes


@pytest.fixture(autouse=True)
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let players that think for long think briefly: in the same way, of fewer turns, and not as far."""
    monkeypatch.setitem(BOTS, "playout", partial(best_turn, looks=2, rounds=(1,)))
    for level, plan in PLANS.items():
        monkeypatch.setitem(PLANS, level, replace(plan, playouts=min(plan.playouts, level)))


@pytest.fixture(autouse=True)
def unchanging(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no value of the engine be changed."""
    refuse_changes(monkeypatch)
