"""What tests of the engine share."""

import pytest

from tests.unchanging import refuse_changes


@pytest.fixture(autouse=True)
def unchanging(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no value of the engine be changed."""
    refuse_changes(monkeypatch)
