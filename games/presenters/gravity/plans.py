"""What a planned turn relies on, in words."""

from collections.abc import Sequence
from typing import assert_never

from django.utils.translation import gettext as _

from engine.gravity.plans import ConditionKind, read_condition
from games.presenters.gravity.sentences import FEET_NAMES, ITEM_NAMES
from games.presenters.gravity.space import label_space, parse_pawn
from games.presenters.gravity.view import GravityView
from games.words.lists import list_words


def describe_condition(  # noqa: C901, PLR0911 - a table: one case a kind
    condition: str, view: GravityView, names: Sequence[str]
) -> str:
    """Return a condition as a sentence to the one whose plan it is."""
    kind, params = read_condition(condition)
    match kind:
        case ConditionKind.STANDS:
            where = {"space": _space(params), "feet": FEET_NAMES[params[2]]}
            return _("Your pawn still stands on %(space)s, %(feet)s.") % where
        case ConditionKind.OFF:
            return _("Your pawn is still off the board.")
        case ConditionKind.DOOR:
            x, y, _feet = parse_pawn(view["doors"][int(params[0])])
            return _("The door on %(space)s is still open.") % {"space": label_space(x, y)}
        case ConditionKind.STAR:
            return _("The star on %(space)s is still there.") % {"space": _space(params)}
        case ConditionKind.TOKEN:
            return _("A replay token can still be taken on %(space)s.") % {"space": _space(params)}
        case ConditionKind.RIVAL:
            where = {"player": names[int(params[0]) - 1], "space": _space(params[1:])}
            return _("%(player)s still stands on %(space)s.") % where
        case ConditionKind.HAS:
            has = {"player": names[int(params[0]) - 1], "item": ITEM_NAMES[params[1]]}
            return _("%(player)s still has this: %(item)s.") % has
        case ConditionKind.FREE:
            spaces = [_space(params[i:]) for i in range(0, len(params), 2)]
            return _("No pawn is in the way on: %(spaces)s.") % {"spaces": list_words(spaces)}
        case ConditionKind.TAKEN:
            return _("Pawns stand on the same doors as when you planned this.")
        case ConditionKind.TILES:
            return _("No tile has been turned.")
        case _:
            assert_never(kind)


def _space(params: Sequence[str]) -> str:
    """Return what the space is called that the first two parameters name."""
    return label_space(int(params[0]), int(params[1]))
