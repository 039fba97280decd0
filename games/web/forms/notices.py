"""The form in which a person says what they want to be notified of, and when."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from games.notices.kinds import Cadence, Channel, NoticeKind
from games.notices.models import DELAY_MAX
from games.notices.preferences import CHOSEN, Choice, Choices

HOURS: Final = [(hour, f"{hour:02d}:00") for hour in range(24)]
HOURS_ASKED: Final = ("quiet_from", "quiet_until", "digest_hour")


class NoticesForm(forms.Form):
    """Asks for each kind when it is to come through a channel. Warnings of the clock come at once, or not at all.

    The hours of a person hold for all channels, and are asked for with mails.
    """

    use_required_attribute = False
    template_name = "notices/_form.html"

    clock = forms.BooleanField(
        label=_("Warn me by e-mail before my time runs out"),
        required=False,
        help_text=_("When half your time has passed and, for longer turns, once more near the end."),
    )
    quiet_from = forms.TypedChoiceField(
        label=_("Quiet hours from"), required=False, coerce=int, empty_value=None, choices=[("", "–"), *HOURS]
    )
    quiet_until = forms.TypedChoiceField(
        label=_("Quiet hours until"), required=False, coerce=int, empty_value=None, choices=[("", "–"), *HOURS]
    )
    digest_hour = forms.TypedChoiceField(label=_("Hour of the daily e-mail"), coerce=int, choices=HOURS)

    def __init__(self, data: Any, *, present: Choices, channel: Channel = Channel.MAIL) -> None:
        first: dict[str, Any] = {
            "clock": present.kinds[NoticeKind.CLOCK].cadence is not Cadence.NEVER,
            "digest_hour": present.digest_hour,
            "quiet_from": present.quiet_from,
            "quiet_until": present.quiet_until,
        }
        for kind in _timed():
            first[f"{kind}_when"] = present.kinds[kind].cadence
            first[f"{kind}_minutes"] = present.kinds[kind].minutes
        super().__init__(data, initial=first)
        self.present = present
        self.is_for_mails = channel is Channel.MAIL
        if not self.is_for_mails:
            self.fields["clock"].label = _("Warn me before my time runs out")
            for name in HOURS_ASKED:
                del self.fields[name]
        for kind in _timed():
            self.fields[f"{kind}_when"] = forms.ChoiceField(label=kind.label, choices=Cadence.choices)
            self.fields[f"{kind}_minutes"] = forms.IntegerField(
                label=_("minutes"),
                min_value=1,
                max_value=DELAY_MAX,
                widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
            )

    def rows(self) -> Iterator[tuple[forms.BoundField, forms.BoundField]]:
        """Yield the two fields of each kind."""
        for kind in _timed():
            yield self[f"{kind}_when"], self[f"{kind}_minutes"]

    def clean(self) -> dict[str, Any]:
        """Refuse quiet hours of which only one end is given."""
        said = self.cleaned_data
        if (said.get("quiet_from") is None) != (said.get("quiet_until") is None):
            self.add_error("quiet_until", _("Choose both hours, or neither."))
        return said

    def choices(self) -> Choices:
        """Return what was chosen, of a valid form."""
        said = self.cleaned_data
        kinds = {kind: Choice(Cadence(said[f"{kind}_when"]), said[f"{kind}_minutes"]) for kind in _timed()}
        kinds[NoticeKind.CLOCK] = Choice(Cadence.ONCE if said["clock"] else Cadence.NEVER)
        if not self.is_for_mails:
            return replace(self.present, kinds=kinds)
        return Choices(kinds, said["digest_hour"], said["quiet_from"], said["quiet_until"])


def _timed() -> tuple[NoticeKind, ...]:
    return tuple(kind for kind in CHOSEN if kind is not NoticeKind.CLOCK)
