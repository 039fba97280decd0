"""The forms in which a turn is composed and sent."""

from typing import Any, Final

from django import forms

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
    """A turn and the pressed button: one step more, one back (``last``) or all back (``all``), or a place."""

    step = forms.CharField(max_length=LONGEST_STEP, required=False)
    undo = forms.ChoiceField(choices=(("last", ""), ("all", "")), required=False)
    spot = forms.RegexField(regex=r"^\d{1,2},\d{1,2}$", required=False)

    def composition(self) -> Composition:
        """Return the turn after the pressed button."""
        data: dict[str, Any] = self.cleaned_data
        steps: tuple[str, ...] = data["steps"]
        match data["undo"]:
            case "last":
                return Composition(steps[:-1])
            case "all":
                return Composition()
            case _:
                return Composition((*steps, data["step"]) if data["step"] else steps, data["spot"])
