"""The forms that ask for a person: whom to invite, whom to put on one's list of friends."""

from typing import TYPE_CHECKING, ClassVar, Final

from django import forms
from django.core.validators import MaxLengthValidator, validate_email
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from accounts.names import MAX_LENGTH

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


LONGEST_ADDRESS: Final = 254


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
    """Asks whom to invite: somebody here by name, anybody by e-mail address."""

    unnamed = _("Enter the name of the player you want to invite, or an e-mail address.")

    name = forms.CharField(
        label=_("Player's name, or anybody's e-mail address"),
        help_text=_("The name that is shown on this site, or an address: whoever has it gets a mail with the link."),
        max_length=LONGEST_ADDRESS,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "dir": "auto"}),
    )

    def clean_name(self) -> str:
        """Refuse what is neither a name, which has no @, nor an address."""
        name: str = self.cleaned_data["name"]
        if "@" in name:
            validate_email(name)
        else:
            MaxLengthValidator(MAX_LENGTH)(name)
        return name

    @property
    def is_address(self) -> bool:
        """Whether an address was typed, of a valid form."""
        return "@" in self.cleaned_data["name"]


class FriendForm(PersonForm):
    """Asks whom to put on a list of friends."""
