"""The form of a bot."""

from django import forms
from django.http import QueryDict
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from accounts.bots import NAME_LENGTH, full_name
from accounts.forms import NameField
from accounts.models import User
from accounts.names import MAX_LENGTH


class BotForm(forms.Form):
    """What a new bot is called."""

    name = NameField(
        label=_("Name"),
        help_text=format_lazy(_("Others see it with “bot” behind it; at most {most} characters."), most=NAME_LENGTH),
        max_length=MAX_LENGTH,
        validators=[],
        widget=forms.TextInput(attrs={"autocomplete": "off", "dir": "auto"}),
    )

    def __init__(self, sent: QueryDict | None = None, *, owner: User) -> None:
        super().__init__(sent, label_suffix="")
        self._owner = owner

    def clean_name(self) -> str:
        """Return what the bot will be called. Raises `ValidationError` for a name that nobody may have, or has."""
        return full_name(self.cleaned_data["name"], self._owner)
