"""What people did over many games, and what games are found by, in words."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from engine.gravity.tally import LAID, TOOK, Count, Mark
from games.presenters.gravity.sentences import CARD_NAMES, ITEM_NAMES
from games.words.lists import list_parts

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

FAVOURITES: Final = 3
"""So many cards are named as the favourite ones."""
MARK_NAMES: Final[Mapping[str, "_StrPromise"]] = {
    Mark.EARLY_EJECTION: gettext_lazy("an ejection in the first round"),
    Mark.DOUBLE_EJECTION: gettext_lazy("two ejections in one turn"),
    Mark.NO_EJECTION: gettext_lazy("no ejection at all"),
    Mark.WON_BY_TOKENS: gettext_lazy("a win by fewer replay tokens"),
    Mark.SHARED_WIN: gettext_lazy("a shared win"),
    Mark.COMEBACK: gettext_lazy("a win from last place"),
}


def describe_counts(counts: Mapping[str, int]) -> list[tuple[str, str]]:
    """Return what a person did over many games, as lines of a name and words."""
    return list(_lines(counts))


def _lines(counts: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    yield _("Ejections"), _both(counts, Count.EJECTED, Count.WAS_EJECTED)
    yield _("Thefts"), _both(counts, Count.STOLE, Count.WAS_ROBBED)
    taken = [(ITEM_NAMES[item], counts[f"{TOOK}{item}"]) for item in ITEM_NAMES if counts.get(f"{TOOK}{item}")]
    if taken:
        yield _("Collected"), list_parts(f"{name} {number}" for name, number in taken)
    laid = [(counts[f"{LAID}{card}"], str(name)) for card, name in CARD_NAMES.items() if counts.get(f"{LAID}{card}")]
    if laid:
        best = sorted(laid, key=lambda card: -card[0])[:FAVOURITES]
        yield _("Favourite cards"), list_parts(f"{name} {number}" for number, name in best)


def _both(counts: Mapping[str, int], given: str, taken: str) -> str:
    gave, got = counts.get(given, 0), counts.get(taken, 0)
    words = ngettext("%(given)s given, %(taken)s taken", "%(given)s given, %(taken)s taken", gave)
    return words % {"given": gave, "taken": got}
