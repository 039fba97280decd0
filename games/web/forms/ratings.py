"""What forms ask of ratings."""

from typing import Any, Final

from django import forms

from games.log.gates import RATINGS

STEP: Final = 50
"""By how much the arrows of a field move a rating."""


class RatingField(forms.IntegerField):
    """A rating that bounds something; nothing bounds nothing."""

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.NumberInput(attrs={"step": STEP, "inputmode": "numeric"})
        bounds = {"min_value": RATINGS.start, "max_value": RATINGS.stop - 1}
        super().__init__(**{"required": False, "widget": widget, **bounds, **kwargs})
