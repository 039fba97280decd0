"""Forms of an account."""

from typing import Any

from allauth.account.forms import AddEmailForm as BaseAddEmailForm
from allauth.account.forms import SignupForm as BaseSignupForm
from allauth.account.models import EmailAddress
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.names import MAX_LENGTH, normalise_name, validate_name
from accounts.zones import zone_names


class NameField(forms.CharField):
    """A display name, as it will be stored."""

    def __init__(self, **kwargs: Any) -> None:
        defaults = {
            "label": _("Display name"),
            "help_text": _("What other players see, at most 30 characters."),
            "max_length": MAX_LENGTH,
            "validators": [validate_name],
            "widget": forms.TextInput(attrs={"autocomplete": "nickname"}),
        }
        super().__init__(**{**defaults, **kwargs})

    def to_python(self, value: Any) -> str:
        """Return the text with its blanks tidied."""
        return normalise_name(super().to_python(value) or "")


def refuse_taken(name: str, *, besides: User | None = None) -> str:
    """Return the name; raise `ValidationError` if someone else has it."""
    if User.objects.name_taken(name, besides=besides):
        raise ValidationError(_("That name is already taken."), code="taken")
    return name


class SignupForm(BaseSignupForm):
    """E-mail address, display name and password."""

    display_name = NameField()
    field_order = ["email", "display_name", "password1"]

    def clean_display_name(self) -> str:
        """Refuse a name that someone has."""
        return refuse_taken(self.cleaned_data["display_name"])


class AddEmailForm(BaseAddEmailForm):
    """The address that replaces the present one once it is confirmed."""

    def clean_email(self) -> str:
        """Refuse a change while the present address is not confirmed: there would be none to fall back to."""
        assert self.user is not None
        if not EmailAddress.objects.filter(user_id=self.user.pk, verified=True).exists():
            raise ValidationError(
                _("Confirm your current address first, through the link in the e-mail we sent there.")
            )
        address: str = super().clean_email()
        return address


class ProfileForm(forms.ModelForm[User]):
    """What a person may change about themselves."""

    display_name = NameField()
    time_zone = forms.ChoiceField(
        label=_("Time zone"), choices=lambda: [(name, name.replace("_", " ")) for name in zone_names()]
    )

    class Meta:
        model = User
        fields = ("display_name", "language", "time_zone")

    def clean_display_name(self) -> str:
        """Refuse a name that someone else has."""
        return refuse_taken(self.cleaned_data["display_name"], besides=self.instance)
