"""What reactions are called; their drawings are in ``static/games/reactions``."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from games.models import ReactionKind
from games.words.lists import list_words


def reaction_label(kind: str) -> str:
    """Return what a reaction is called in the active language."""
    return str(ReactionKind(kind).label)


def who_reacted(names: Sequence[str], count: int) -> str:
    """Return the names of those who reacted in one way, in one phrase; there may be more people than names."""
    return list_words((*names, *((_("others"),) if count > len(names) else ())))
