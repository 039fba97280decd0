"""How good a turn was, in a word and a sign."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from django.utils.translation import pgettext_lazy

from engine.contract import Verdict

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

VERDICTS: Final[Mapping[str, "_StrPromise"]] = {
    Verdict.GREAT: pgettext_lazy("a turn", "Great"),
    Verdict.BEST: pgettext_lazy("a turn", "Best"),
    Verdict.GOOD: pgettext_lazy("a turn", "Good"),
    Verdict.INACCURACY: pgettext_lazy("a turn", "Inaccuracy"),
    Verdict.MISTAKE: pgettext_lazy("a turn", "Mistake"),
    Verdict.BLUNDER: pgettext_lazy("a turn", "Blunder"),
}
SIGNS: Final[Mapping[str, str]] = {
    Verdict.GREAT: "!",
    Verdict.BEST: "✓",
    Verdict.GOOD: "○",
    Verdict.INACCURACY: "?!",
    Verdict.MISTAKE: "?",
    Verdict.BLUNDER: "??",
}
"""As in books on chess, where there is one."""
