"""What puzzles are about, in words."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from engine.gravity.puzzles import Theme

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

THEME_NAMES: Final[Mapping[str, "tuple[_StrPromise, _StrPromise]"]] = {
    Theme.LONG_FALL: (
        pgettext_lazy("puzzles", "Long fall"),
        _("The pawn falls seven spaces or more at once."),
    ),
    Theme.OVER_THE_EDGE: (
        pgettext_lazy("puzzles", "Over the edge"),
        _("The pawn leaves the board and comes back in on the other side."),
    ),
    Theme.EJECTION: (pgettext_lazy("puzzles", "Ejection"), _("A rival is ejected.")),
    Theme.DOUBLE_EJECTION: (pgettext_lazy("puzzles", "Double ejection"), _("Two rivals or more are ejected.")),
    Theme.THEFT: (pgettext_lazy("puzzles", "Theft"), _("It matters what is stolen.")),
    Theme.DOOR_TIMING: (
        pgettext_lazy("puzzles", "Door timing"),
        _("The pawn passes the open door, which moves on just in time."),
    ),
    Theme.SECOND_ACTION: (pgettext_lazy("puzzles", "Second action"), _("A replay token pays for a second action.")),
    Theme.ROTATION: (pgettext_lazy("puzzles", "Rotation"), _("The pawn rotates.")),
    Theme.GOODIE: (pgettext_lazy("puzzles", "Goodie"), _("A goodie is played.")),
    Theme.LAST_ROUND: (pgettext_lazy("puzzles", "Last round"), _("The game ends with this round.")),
}
"""By the code of the engine: what a theme is called, and what the best turn does."""
