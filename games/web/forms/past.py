"""The form that asks what finished games somebody looks for."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import User
from accounts.names import MAX_LENGTH
from engine.rulesets import RULESETS
from games.presenters.registry import new_games
from games.queries.past import Outcome, Sought

OUTCOMES: Final = [
    (Outcome.WON, pgettext_lazy("a game", "won")),
    (Outcome.LOST, pgettext_lazy("a game", "not won")),
]


class PersonField(forms.CharField):
    """A name of somebody who lets others see their results, or nothing; its value is the person, or None."""

    def __init__(self, **terms: Any) -> None:
        widget = forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "dir": "auto"})
        super().__init__(required=False, max_length=MAX_LENGTH, widget=widget, **terms)

    def clean(self, value: Any) -> User | None:
        """Return the person of that name. Raises `ValidationError` where there is none."""
        name = super().clean(value)
        if not name:
            return None
        person = User.objects.named(name)
        if person is None:
            raise ValidationError(_("Nobody here is called “%(name)s”."), "unknown", {"name": name})
        return person


class PastForm(forms.Form):
    """Asks who played, how it ended, when it was and what happened. What is left open fits anything.

    On somebody's own page it does not ask for the ``player``, who is given.
    """

    use_required_attribute = False

    player = PersonField(label=_("Player"))
    against = PersonField(label=_("With"))
    result = forms.ChoiceField(label=_("The first of them has"), required=False)
    size = forms.TypedChoiceField(label=_("Number of players"), required=False, coerce=int, empty_value=None)
    mark = forms.ChoiceField(label=_("In which there was"), required=False)
    since = forms.DateField(label=_("Ended from"), required=False, widget=forms.DateInput(attrs={"type": "date"}))
    until = forms.DateField(label=_("Ended until"), required=False, widget=forms.DateInput(attrs={"type": "date"}))

    def __init__(self, sent: QueryDict, reader: object, player: User | None = None) -> None:
        super().__init__(sent, label_suffix="")
        self._reader, self._player = reader, player
        if player is not None:
            del self.fields["player"]
            self.fields["result"].label = _("Result")
            self.fields["against"].label = _("Against")
        ruleset, presenter = next(iter(new_games().values()))
        anything = pgettext_lazy("in a filter", "any")
        choices: dict[str, list[tuple[Any, Any]]] = {
            "result": list(OUTCOMES),
            "size": [(size, size) for size in RULESETS[ruleset].seats],
            "mark": list(presenter.mark_names.items()),
        }
        for name, offered in choices.items():
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [("", anything), *offered]
        self.full_clean()

    def clean(self) -> dict[str, Any]:
        """Refuse people who show their results to nobody, a result of nobody, and days in the wrong order."""
        values = self.cleaned_data
        for name in ("player", "against"):
            person = values.get(name)
            if isinstance(person, User) and not person.ratings_shown and person != self._reader:
                words = _("%(name)s does not show results to others.")
                self.add_error(name, ValidationError(words, "hidden", {"name": person.shown_name}))
        if values.get("result") and not self._people:
            self.add_error("result", ValidationError(_("Say whose result it is: name a player."), "nobody"))
        since, until = values.get("since"), values.get("until")
        if since and until and until < since:
            self.add_error("until", ValidationError(_("This is before the first day."), "backwards"))
        return values

    @property
    def other(self) -> User | None:
        """The person who is to have played against the player."""
        person = self.cleaned_data.get("against")
        return person if isinstance(person, User) else None

    @property
    def sought(self) -> Sought:
        """What is looked for, of a valid form. Days are those of the reader's zone."""
        values, people = self.cleaned_data, self._people
        since, until = values.get("since"), values.get("until")
        return Sought(
            people=tuple(dict.fromkeys(person.pk for person in people)),
            outcome=Outcome(values["result"]) if values.get("result") else None,
            size=values.get("size"),
            mark=values.get("mark", ""),
            since=None if since is None else _midnight(since),
            until=None if until is None else _midnight(until + timedelta(days=1)),
            unlisted=self._reader in people,
        )

    @property
    def query(self) -> str:
        """What was asked for, as the query of an address; empty where nothing was."""
        return urlencode({name: self.data[name] for name in self.fields if self.data.get(name)})

    @property
    def _people(self) -> list[User]:
        return list(self._named())

    def _named(self) -> Iterator[User]:
        for person in (self._player or self.cleaned_data.get("player"), self.cleaned_data.get("against")):
            if isinstance(person, User):
                yield person


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))
