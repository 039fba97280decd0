"""The form that asks what open game somebody looks for."""

from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from engine.rulesets import RULESETS
from games.clock import PRESETS
from games.presenters.registry import new_games
from games.queries import Pace, Wanted

WITH: Final = "with"
WITHOUT: Final = "without"
PACES: Final = {
    Pace.HOURS: (_("less than a day per turn"), PRESETS["evening"]),
    Pace.DAY: (_("1 or 2 days per turn"), PRESETS["daily"]),
    Pace.DAYS: (_("3 days per turn or more"), PRESETS["relaxed"]),
}
"""What each pace is called, and the time control that a game gets which is created for who wants it."""


class LobbyForm(forms.Form):
    """Asks for number of players, pace, free seats and options; what is left open, or can't be read, fits anything."""

    use_required_attribute = False

    size = forms.TypedChoiceField(label=_("Players"), required=False, coerce=int, empty_value=None)
    pace = forms.ChoiceField(label=_("Thinking time"), required=False)
    seats = forms.ChoiceField(label=_("Seats left"), required=False)

    def __init__(self, sent: QueryDict) -> None:
        super().__init__(sent, label_suffix="")
        self.ruleset, self._presenter = next(iter(new_games().values()))
        rules = RULESETS[self.ruleset]
        self._plain = rules.check_options({}, rules.seats.start)
        anything = pgettext_lazy("in a filter", "any")
        choices: dict[str, list[tuple[Any, Any]]] = {
            "size": [(size, size) for size in rules.seats],
            "pace": [(pace, words) for pace, (words, _time_control) in PACES.items()],
            "seats": [("last", _("1: it starts with you"))],
        }
        for name, (words, _value) in self._presenter.lobby_options.items():
            self.fields[name] = forms.ChoiceField(label=words, required=False)
            choices[name] = [
                (WITH, pgettext_lazy("in a filter", "with")),
                (WITHOUT, pgettext_lazy("in a filter", "without")),
            ]
        for name, offered in choices.items():
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [("", anything), *offered]

        self.full_clean()

    @property
    def wanted(self) -> Wanted:
        """What is looked for."""
        return Wanted(
            size=self.cleaned_data.get("size"),
            pace=self._pace,
            last_seat=self.cleaned_data.get("seats") == "last",
            options={name: (self._plain[name], said == WITHOUT) for name, said in self._options()},
        )

    def terms(self) -> dict[str, Any]:
        """Return the terms of a new game for who finds none, as `create_game` takes them."""
        offered = self._presenter.lobby_options
        return {
            "ruleset": self.ruleset,
            "size": self.cleaned_data.get("size") or RULESETS[self.ruleset].seats.start,
            "options": {name: offered[name][1] for name, said in self._options() if said == WITH},
            "time_control": PACES[self._pace or Pace.DAYS][1],
        }

    @property
    def query(self) -> str:
        """What was chosen, as the query of an address; empty where nothing was."""
        chosen = {name: self.data[name] for name in self.fields if self.cleaned_data.get(name)}
        return urlencode(chosen)

    @property
    def _pace(self) -> Pace | None:
        said = self.cleaned_data.get("pace")
        return Pace(said) if said else None

    def _options(self) -> list[tuple[str, str]]:
        said = ((name, self.cleaned_data.get(name)) for name in self._presenter.lobby_options)
        return [(name, words) for name, words in said if words]
