"""A hint beside the hand, for who has not finished a game yet: the idea that fits the situation, and its lesson."""

from collections.abc import Iterator
from typing import Final

from django.utils.translation import gettext as _

from engine.gravity.events import EventKind
from games.presenters.gravity.compose import Panel
from games.presenters.gravity.view import GravityView
from games.presenters.lesson import Hint

FEW_CARDS: Final = 2


def hint_for(panel: Panel, view: GravityView, seat: int) -> Hint:
    """Return the hint for a seat that composes a turn from a position, which ``view`` shows as it was before."""
    return next(_fitting(panel, view, seat - 1))


def _fitting(panel: Panel, view: GravityView, index: int) -> Iterator[Hint]:
    """Yield the hints that fit, the most urgent first; the last one always does."""
    outcomes = [choice.outcome for choice in panel.choices]
    if any(outcome.victims for outcome in outcomes):
        yield Hint(_("You can throw a rival out and steal from them: such moves show the rival's number."), "stealing")
    if view["round"] == 1:
        yield Hint(_("Down is where your feet are: you fall that way until a platform stops you."), "down")
    if "r" in view["loot"][index]:
        yield Hint(_("You have a replay token: after your action you can spend it on a second one."), "replay")
    if len(view["hands"][index]) <= FEW_CARDS:
        words = _("Few cards are left: completing your hand is an action. When you play the last card, all come back.")
        yield Hint(words, "cards-back")
    if view["pawns"][index] is None:
        yield Hint(_("Your pawn was off the board, so it has come in through the open door."), "open-door")
    if any(event.kind == EventKind.WRAPPED for outcome in outcomes for event in outcome.events):
        words = _("The edges are joined: some of your moves leave on one side and come in on the other.")
        yield Hint(words, "edges")
    yield Hint(_("Two stars of one colour are a pair, which is worth one point more."), "the-end")
