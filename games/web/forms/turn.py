"""The forms in which a turn is composed and sent."""

from typing import Any, Final

from django import forms
from django.http import QueryDict

from accounts.models import BoardView
from games.models import TURN_LENGTH
from games.presenters.composition import Composition
from games.queries.practice import MOST_TURNS

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


class PracticeForm(ComposeForm):
    """A turn on a practice board, after turns that no game has: they travel in the form, as often as there are."""

    back = forms.BooleanField(required=False)
    """Whether the last of them is taken back."""
    first = forms.IntegerField(min_value=1, max_value=MOST_TURNS, required=False)
    last = forms.IntegerField(min_value=1, max_value=MOST_TURNS, required=False)
    """Which of them are to be shown."""

    def clean(self) -> dict[str, Any]:
        """Check the turns that were played, of which ``seq`` is the number."""
        cleaned = super().clean() or self.cleaned_data
        played = tuple(self.data.getlist("played")) if isinstance(self.data, QueryDict) else ()
        if len(played) > MOST_TURNS or any(len(turn) > TURN_LENGTH for turn in played):
            raise forms.ValidationError("too long", code="max_length")
        if cleaned.get("seq") != len(played):
            raise forms.ValidationError("not the number of turns", code="invalid")
        cleaned["played"] = played[:-1] if cleaned["back"] else played
        return cleaned
