"""The forms in which a turn is composed and sent."""

from typing import Any, Final

from django import forms

from accounts.models import BoardView
from games.models import TURN_LENGTH
from games.presenters.composition import Composition

LONGEST_STEP: Final = 12


class TurnForm(forms.Form):
    """A turn as the game page sends it: what the page showed (``seq``) and the steps so far."""

    seq = forms.IntegerField(min_value=0, max_value=10**6)
    steps = forms.CharField(max_length=TURN_LENGTH, required=False)

    def clean_steps(self) -> tuple[str, ...]:
        """Split the steps at blanks."""
        return tuple(self.cleaned_data["steps"].split())


class ComposeForm(TurnForm):
    """A turn and the pressed button: a step more, one back or all, another turn, a place; and what is picked."""

    step = forms.CharField(max_length=LONGEST_STEP, required=False)
    turn = forms.CharField(max_length=TURN_LENGTH, required=False)
    undo = forms.ChoiceField(choices=(("last", ""), ("all", "")), required=False)
    spot = forms.RegexField(regex=r"^\d{1,2},\d{1,2}$", required=False)
    pick = forms.CharField(max_length=LONGEST_STEP, required=False)

    def composition(self) -> Composition:
        """Return the turn after the pressed button. What was picked is forgotten once a step is taken."""
        data: dict[str, Any] = self.cleaned_data
        steps: tuple[str, ...] = data["steps"]
        if data["undo"]:
            return Composition(steps[:-1] if data["undo"] == "last" else ())
        if data["turn"]:
            return Composition(tuple(data["turn"].split()))
        if data["step"]:
            return Composition((*steps, data["step"]))
        return Composition(steps, data["spot"], data["pick"])


class BoardViewForm(ComposeForm):
    """A turn in progress, and how its author wants to look at the board from now on. There need be no turn."""

    seq = forms.IntegerField(min_value=0, max_value=10**6, required=False)
    view = forms.ChoiceField(choices=BoardView.choices)
