"""How the site shows each game: one presenter a ruleset, beside its rules in `engine.rulesets`."""

from typing import Final

from django.conf import settings
from django.utils.translation import override

from engine.rulesets import newest_rulesets
from games.presenters.gravity.presenter import GravityPresenter
from games.presenters.protocol import Presenter

PRESENTERS: Final[dict[str, Presenter]] = {"gravity-1": GravityPresenter()}


def bot_names() -> set[str]:
    """Return what the computer players of all games are called, in every language of the site."""
    names = set()
    for code, _language in settings.LANGUAGES:
        with override(code):
            names |= {str(name) for presenter in PRESENTERS.values() for name in presenter.bot_names.values()}
    return names


def new_games() -> dict[str, tuple[str, Presenter]]:
    """Return what new games can be, by family, the site's own first: the ruleset that they get, and its presenter."""
    return {family: (ruleset, PRESENTERS[ruleset]) for family, ruleset in newest_rulesets().items()}
