"""The form that asks what open game somebody looks for."""

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from engine.rulesets import RULESETS
from games.clock import PRESETS
from games.presenters.registry import new_games
from games.queries import Pace, Wanted
from games.web.forms.ratings import RatingField

if TYPE_CHECKING:
    from accounts.models import User

WITH: Final = "with"
WITHOUT: Final = "without"
PACES: Final = {
    Pace.HOURS: (_("less than a day per turn"), PRESETS["evening"]),
    Pace.DAY: (_("1 or 2 days per turn"), PRESETS["daily"]),
    Pace.DAYS: (_("3 days per turn or more"), PRESETS["relaxed"]),
}
"""What each pace is called, and the time control that a game gets which is created for who wants it."""


OF_RATINGS: Final = ("rated", "rating_from", "rating_to", "takes")
RATED: Final = "rated"
UNRATED: Final = "unrated"


class LobbyForm(forms.Form):
    """Asks for players, pace, free seats, options and ratings; what is left open, or can't be read, fits anything.

    Only a ``reader`` with an account can ask for the games that they may join.
    """

    use_required_attribute = False

    size = forms.TypedChoiceField(label=_("Players"), required=False, coerce=int, empty_value=None)
    pace = forms.ChoiceField(label=_("Thinking time"), required=False)
    seats = forms.ChoiceField(label=_("Seats left"), required=False)
    rated = forms.ChoiceField(label=_("Rating"), required=False)
    bots = forms.ChoiceField(label=_("Bots"), required=False)
    rating_from = RatingField(label=_("Creator's rating from"))
    rating_to = RatingField(label=_("Creator's rating up to"))
    takes = forms.ChoiceField(label=_("Who can join"), required=False)

    def __init__(self, sent: QueryDict, reader: "User | None" = None) -> None:
        super().__init__(sent, label_suffix="")
        self._reader = reader
        self.ruleset, self._presenter = next(iter(new_games().values()))
        rules = RULESETS[self.ruleset]
        self._plain = rules.check_options({}, rules.seats.start)
        anything = pgettext_lazy("in a filter", "any")
        choices: dict[str, list[tuple[Any, Any]]] = {
            "size": [(size, size) for size in rules.seats],
            "pace": [(pace, words) for pace, (words, _time_control) in PACES.items()],
            "seats": [("last", _("1: it starts with you"))],
            "rated": [(RATED, _("rated")), (UNRATED, _("not rated"))],
            "bots": [(WITH, _("may join")), (WITHOUT, _("may not join"))],
            "takes": [("me", pgettext_lazy("who can join", "me"))],
        }
        if reader is None:
            del self.fields["takes"], choices["takes"]
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
            rated={RATED: True, UNRATED: False}.get(self.cleaned_data.get("rated", "")),
            takes_bots={WITH: True, WITHOUT: False}.get(self.cleaned_data.get("bots", "")),
            creator_from=self.cleaned_data.get("rating_from"),
            creator_to=self.cleaned_data.get("rating_to"),
            takes=self._reader if self.cleaned_data.get("takes") else None,
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
            "rated": self.cleaned_data.get("rated") != UNRATED,
            "takes_bots": self.cleaned_data.get("bots") == WITH,
        }

    @property
    def first_fields(self) -> list[forms.BoundField]:
        """The fields that ask for the game itself."""
        return [field for field in self if field.name not in OF_RATINGS]

    @property
    def rating_fields(self) -> list[forms.BoundField]:
        """The fields that ask for ratings, and for whom a game takes."""
        return [self[name] for name in OF_RATINGS if name in self.fields]

    @property
    def asks_for_ratings(self) -> bool:
        """Whether anything is said in these."""
        return any(self.cleaned_data.get(field.name) not in {None, ""} for field in self.rating_fields)

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
