"""Acorns, registered for the tests in this folder as another game would be: a ruleset, a presenter, its files."""

from copy import deepcopy
from pathlib import Path

import pytest
from pytest_django import Settings

from engine.rulesets import RULESETS
from games.presenters.registry import PRESENTERS
from tests.another_game.engine import Acorns
from tests.another_game.presenter import AcornsPresenter

FOLDER = Path(__file__).parent


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    """Let the site offer Acorns beside its own game."""
    monkeypatch.setitem(RULESETS, "acorns-1", Acorns())
    monkeypatch.setitem(PRESENTERS, "acorns-1", AcornsPresenter())
    templates = deepcopy(settings.TEMPLATES)
    templates[0]["DIRS"].append(FOLDER / "templates")
    settings.TEMPLATES = templates
    settings.STATICFILES_DIRS = [*settings.STATICFILES_DIRS, FOLDER / "static"]
