"""The forms with which a turn is planned ahead, and with which plans are withdrawn."""

from django import forms
from django.http import QueryDict

from games.models import MOST_PLANS, TURN_LENGTH
from games.models.plan import CONDITION_LENGTH, MOST_CONDITIONS
from games.web.forms.turn import TurnForm


class PlanForm(TurnForm):
    """A whole turn, what the page showed (``seq``), and on what it is to depend: boxes that are ticked."""

    turn = forms.CharField(max_length=TURN_LENGTH)

    def clean(self) -> dict[str, object]:
        """Check the conditions for their number and length; whether the turn relies on them the command asks."""
        cleaned = super().clean() or self.cleaned_data
        chosen = self.data.getlist("condition") if isinstance(self.data, QueryDict) else []
        if len(chosen) > MOST_CONDITIONS or any(len(condition) > CONDITION_LENGTH for condition in chosen):
            raise forms.ValidationError("too long", code="max_length")
        cleaned["condition"] = chosen
        return cleaned


class WithdrawForm(forms.Form):
    """Which plan is withdrawn, by its place; all of them where it is empty."""

    plan = forms.IntegerField(min_value=1, max_value=MOST_PLANS, required=False)
