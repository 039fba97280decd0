"""The forms of a message to the other players, and of a note for oneself."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.models import MESSAGE_LENGTH, NOTE_LENGTH
from games.web.forms.message_text import tidy_message


class MessageField(forms.CharField):
    """What a player writes to the others, as it will be stored."""

    def to_python(self, value: Any) -> str:
        """Return the text tidied."""
        return tidy_message(super().to_python(value) or "")


class MessageForm(forms.Form):
    """Asks for a message."""

    use_required_attribute = False

    text = MessageField(
        label=_("Your message"),
        max_length=MESSAGE_LENGTH,
        strip=False,
        error_messages={"required": _("Write something first.")},
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
    )


class NoteForm(forms.Form):
    """Asks for what a player wants to remember; nothing takes the note away."""

    use_required_attribute = False

    text = MessageField(
        label=_("My note on this game"),
        help_text=_("Only you see it: plans, what a rival may hold, where you stopped thinking."),
        max_length=NOTE_LENGTH,
        strip=False,
        required=False,
        widget=forms.Textarea(attrs={"rows": 5, "dir": "auto"}),
    )
