"""Boards of games as SVG documents, the same for everyone."""

from functools import lru_cache

from django.conf import settings
from django.utils import translation

from games.presenters.registry import PRESENTERS
from games.presenters.sheets import Scheme
from games.queries.pictures import Pictured, public_position


@lru_cache(maxsize=200)
def draw(asked: Pictured, scheme: Scheme) -> str:
    """Return the picture of a position, the same for everyone and so in one language."""
    presenter = PRESENTERS[asked.ruleset]
    view, moves = (None, ()) if asked.seq is None else public_position(asked.key, asked.seq)
    with translation.override(settings.LANGUAGE_CODE):
        return presenter.picture(view, moves, scheme)
