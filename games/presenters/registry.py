"""How the site shows each game: one presenter a ruleset, beside its rules in `engine.rulesets`."""

from collections.abc import Mapping
from typing import Final

from engine.rulesets import RULESETS
from games.presenters.gravity.presenter import GravityPresenter
from games.presenters.protocol import Presenter

PRESENTERS: Final[Mapping[str, Presenter]] = {"gravity-1": GravityPresenter()}

NEW_GAMES: Final = next(reversed(RULESETS))
"""The ruleset of the games that are created: the newest."""
