"""The forms that ask for a person: whom to invite, whom to put on one's list of friends."""

from typing import TYPE_CHECKING, ClassVar

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from accounts.names import MAX_LENGTH

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


class PersonForm(forms.Form):
    """Asks for the display name of a person."""

    use_required_attribute = False
    unnamed: "ClassVar[_StrPromise]" = _("Enter the name of a player.")
    """What is said to who types nothing."""

    name = forms.CharField(
        label=_("Player's name"),
        help_text=_("The name that is shown on this site."),
        max_length=MAX_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "dir": "auto"}),
    )

    def __init__(self, sent: QueryDict | None = None) -> None:
        super().__init__(sent, label_suffix="")
        self.fields["name"].error_messages["required"] = self.unnamed


class InviteForm(PersonForm):
    """Asks whom to invite."""

    unnamed = _("Enter the name of the player you want to invite.")


class FriendForm(PersonForm):
    """Asks whom to put on a list of friends."""
