"""The form that asks whom to invite."""

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.names import MAX_LENGTH


class InviteForm(forms.Form):
    """Asks for the display name of a person."""

    use_required_attribute = False

    name = forms.CharField(
        label=_("Player's name"),
        help_text=_("The name that is shown on this site."),
        max_length=MAX_LENGTH,
        error_messages={"required": _("Enter the name of the player you want to invite.")},
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "dir": "auto"}),
    )
