"""The form in which something is reported to the staff."""

from collections.abc import Sequence
from typing import Final

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from games.models import REPORT_LENGTH, ReportKind
from games.web.forms.messages import MessageField

ABOUT_PEOPLE: Final = (
    (ReportKind.CONDUCT, _("How they play or behave: cheating, insults, several accounts, wasting others’ time")),
    (ReportKind.NAME, _("Their name: it insults, threatens, advertises, or passes for someone else")),
)


class ReportForm(forms.Form):
    """Asks what is wrong; of a person also what it is about, and in a game whom.

    Nothing of the last two is asked where there is one answer.
    """

    use_required_attribute = False

    person = forms.TypedChoiceField(label=_("Who is it about?"), coerce=int, widget=forms.RadioSelect)
    kind = forms.ChoiceField(
        label=_("What is it about?"), choices=ABOUT_PEOPLE, initial=ReportKind.CONDUCT, widget=forms.RadioSelect
    )
    text = MessageField(
        label=_("What happened?"),
        help_text=_("Optional. What the people who run the site should look at, up to 1000 characters."),
        max_length=REPORT_LENGTH,
        strip=False,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4, "dir": "auto"}),
    )

    def __init__(self, sent: QueryDict | None, *, people: Sequence[tuple[int, str]] = (), kinds: bool = True) -> None:
        super().__init__(sent, label_suffix="")
        person = self.fields["person"]
        assert isinstance(person, forms.TypedChoiceField)
        person.choices = list(people)
        if not people:
            del self.fields["person"]
        if not kinds:
            del self.fields["kind"]
