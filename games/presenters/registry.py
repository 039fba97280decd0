"""How the site shows each game: one presenter a ruleset, beside its rules in `engine.rulesets`."""

from typing import Final

from engine.rulesets import newest_rulesets
from games.presenters.gravity.presenter import GravityPresenter
from games.presenters.protocol import Presenter

PRESENTERS: Final[dict[str, Presenter]] = {"gravity-1": GravityPresenter()}


def bot_names() -> set[str]:
    """Return what the computer players of all games are called."""
    return {name for presenter in PRESENTERS.values() for kind in presenter.bot_kinds.values() for name in kind.names}


def new_games() -> dict[str, tuple[str, Presenter]]:
    """Return what new games can be, by family, the site's own first: the ruleset that they get, and its presenter."""
    return {family: (ruleset, PRESENTERS[ruleset]) for family, ruleset in newest_rulesets().items()}
