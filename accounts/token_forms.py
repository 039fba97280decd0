"""The form of an access token."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from accounts.forms import NameField
from accounts.models import AccessToken, Scope, User
from accounts.tokens import LIVES

NAME_LENGTH: Final = 50
SCOPES: Final[Mapping[Scope, tuple[str | Promise, str | Promise]]] = {
    Scope.READ: (_("Read"), _("games, positions, logs and lists, all as you may see them")),
    Scope.PLAY: (_("Play"), _("take turns and resign in games in which you have a seat")),
    Scope.CREATE: (_("Create"), _("start games, join and leave them, call them off, ask for a rematch")),
    Scope.CALENDAR: (_("Calendar"), _("until when you have time to move")),
}
"""What a token with a scope lets a program do: in a word, and in more."""
CHOSEN: Final = (Scope.READ, Scope.PLAY, Scope.CREATE)
"""The scopes of tokens for programs; the calendar's has a page of its own."""
LIFE_WORDS: Final[Mapping[str, str | Promise]] = {
    "month": _("30 days"),
    "quarter": _("90 days"),
    "year": _("one year"),
    "never": _("until you revoke it"),
}


def scope_words(token: AccessToken) -> list[str | Promise]:
    """Return what a token lets a program do, in a word each."""
    return [word for scope, (word, _more) in SCOPES.items() if token.allows(scope)]


def validate_printable(text: str) -> None:
    """Raise `ValidationError` unless every character can be seen."""
    if not text.isprintable():
        raise ValidationError(_("A name can't contain control or invisible characters."), code="invisible")


class AccessTokenForm(forms.Form):
    """Whose a new token is, what it is called, what it allows, and for how long.

    Who has no bot is not asked whose it is.
    """

    bot = forms.TypedChoiceField(label=_("For"), required=False, coerce=int, empty_value=None)
    name = NameField(
        label=_("Name"),
        help_text=_("By which you will know it again, for example the name of the program."),
        max_length=NAME_LENGTH,
        validators=[validate_printable],
        widget=forms.TextInput(attrs={"autocomplete": "off", "dir": "auto"}),
    )
    scopes = forms.MultipleChoiceField(
        label=_("What a program may do with it"),
        choices=[(scope, format_lazy("{} ({})", *SCOPES[scope])) for scope in CHOSEN],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one.")},
    )
    life = forms.ChoiceField(label=_("How long it works"), choices=[*LIFE_WORDS.items()], initial="quarter")

    def __init__(self, sent: QueryDict | None = None, *, bots: Sequence[User], chosen: str = "") -> None:
        super().__init__(sent, label_suffix="")
        self._bots = {bot.pk: bot for bot in bots}
        field = self.fields["bot"]
        assert isinstance(field, forms.TypedChoiceField)
        field.choices = [("", _("yourself")), *((bot.pk, bot.shown_name) for bot in bots)]
        field.initial = chosen
        if not bots:
            del self.fields["bot"]

    def clean_bot(self) -> User | None:
        """Return the bot whose the token is; None for the person's own."""
        return self._bots.get(self.cleaned_data["bot"])

    def clean_life(self) -> timedelta | None:
        """Return for how long the token lives; None for ever."""
        return LIVES[self.cleaned_data["life"]]

    def clean_scopes(self) -> list[Scope]:
        """Return the scopes."""
        chosen: list[Any] = self.cleaned_data["scopes"]
        return [Scope(scope) for scope in chosen]
