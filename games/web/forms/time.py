"""The forms that ask for times: a time control, a holiday."""

from collections.abc import Sequence
from datetime import date
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.clock import DEFAULT_PRESET, PRESETS, ClockCode, ClockError, OnTimeout, TimeControl, custom
from games.words.refusals import explain
from games.words.time import PRESET_LABELS, describe_time_control, summarise_time_control

CUSTOM: Final = "custom"
UNITS: Final = ((60, _("minutes")), (3_600, _("hours")), (86_400, _("days")))
FIELD_OF: Final = {
    ClockCode.BAD_ALLOWANCE: "allowance",
    ClockCode.BAD_CAP: "cap",
    ClockCode.BAD_RESERVE: "reserve",
    ClockCode.BAD_INCREMENT: "increment",
}


class DurationWidget(forms.MultiWidget):
    """A number and its unit."""

    def __init__(self) -> None:
        number = forms.NumberInput(attrs={"min": 0, "inputmode": "numeric"})
        super().__init__({"amount": number, "unit": forms.Select(attrs={"aria-label": _("Unit")})})

    def decompress(self, value: int | None) -> list[int | None]:
        """Return the number and the largest unit that write an amount of seconds without a fraction."""
        unit = next((size for size, _words in reversed(UNITS) if value and value % size == 0), UNITS[0][0])
        return [None if value is None else value // unit, unit]


class DurationField(forms.MultiValueField):
    """An amount of time in whole seconds, asked for as a number and a unit."""

    def __init__(self, **kwargs: Any) -> None:
        fields = (
            forms.IntegerField(min_value=0, max_value=10**6),
            forms.TypedChoiceField(coerce=int, choices=UNITS),
        )
        super().__init__(fields=fields, widget=DurationWidget(), required=False, **kwargs)
        self.widget.widgets[1].choices = UNITS

    def compress(self, data_list: Sequence[int | None]) -> int:
        """Return the seconds; nothing typed, or no unit, is none."""
        amount, unit = data_list or (0, 0)
        return (amount or 0) * (unit or 0)


class TimeControlForm(forms.Form):
    """Asks for a time control: one of the presets, or a custom one."""

    use_required_attribute = False
    prefix = "time"

    preset = forms.ChoiceField(label=_("Thinking time"), widget=forms.RadioSelect, required=False)
    allowance = DurationField(label=_("Per turn"), initial=86_400)
    reserve = DurationField(label=_("Reserve at the start"), initial=0)
    increment = DurationField(label=_("Reserve added per finished turn"), initial=0)
    cap = DurationField(label=_("Maximum reserve"), initial=0)
    weekends = forms.BooleanField(label=pgettext_lazy("option", "Saturdays and Sundays do not count"), required=False)
    holidays = forms.BooleanField(label=_("Holidays set in advance do not count"), required=False, initial=True)
    on_timeout = forms.ChoiceField(
        label=_("When time runs out"),
        widget=forms.RadioSelect,
        required=False,
        initial=OnTimeout.AUTOPILOT.value,
        choices=[
            (
                OnTimeout.AUTOPILOT.value,
                _("A computer player plays the turn; the third time in a row the player is out of the game"),
            ),
            (OnTimeout.STRICT.value, _("The player is out of the game at once")),
        ],
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        preset = self.fields["preset"]
        assert isinstance(preset, forms.ChoiceField)
        preset.choices = [
            *((name, PRESET_LABELS[name]) for name in PRESETS),
            (CUSTOM, PRESET_LABELS[CUSTOM]),
        ]
        preset.initial = DEFAULT_PRESET

    @property
    def presets(self) -> list[tuple[forms.boundfield.BoundWidget, str, str]]:
        """The radio buttons, each with its time control in a few words and in a sentence; empty for a custom one."""
        radios = list(self["preset"])
        return [
            (radio, summarise_time_control(PRESETS[name]), describe_time_control(PRESETS[name]))
            if name in PRESETS
            else (radio, "", "")
            for radio, name in zip(radios, [*PRESETS, CUSTOM], strict=True)
        ]

    @property
    def durations(self) -> list[forms.BoundField]:
        """The fields of a custom time control that ask for an amount of time."""
        return [self[name] for name in ("allowance", "reserve", "increment", "cap")]

    def time_control(self) -> TimeControl:
        """Return the chosen time control, of a valid form."""
        chosen: TimeControl = self.cleaned_data["time_control"]
        return chosen

    def clean(self) -> dict[str, Any]:
        """Make the time control, or say what is out of range."""
        values = self.cleaned_data
        preset = str(values.get("preset", "")) or DEFAULT_PRESET
        if preset in PRESETS:
            for name in set(self.errors) - {"preset"}:
                del self.errors[name]  # the fields of a custom time control do not count
            return {**values, "time_control": PRESETS[preset]}
        if self.errors:
            return values
        try:
            time_control = custom(
                values["allowance"],
                reserve_start=values["reserve"],
                reserve_increment=values["increment"],
                reserve_cap=max(values["cap"], values["reserve"]),
                weekends=values["weekends"],
                holidays=values["holidays"],
                on_timeout=OnTimeout(values["on_timeout"] or OnTimeout.AUTOPILOT),
            )
        except ClockError as error:
            self.add_error(FIELD_OF.get(error.code), ValidationError(explain(error), code=error.code.value))
            return values
        return {**values, "time_control": time_control}


class HolidayForm(forms.Form):
    """Asks for the first and the last day of an absence."""

    use_required_attribute = False

    first = forms.DateField(label=_("First day"), widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}))
    last = forms.DateField(label=_("Last day"), widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}))

    def clean_last(self) -> date:
        """Refuse what lies further ahead than the balances that the page shows."""
        last: date = self.cleaned_data["last"]
        year = timezone.localdate().year + 1
        if last.year > year:
            raise ValidationError(_("Holidays can be set up to the end of %(year)s."), "far", {"year": str(year)})
        return last

    def days(self) -> tuple[date, date]:
        """Return both days, of a valid form."""
        return self.cleaned_data["first"], self.cleaned_data["last"]
