"""The forms in which a person names an outlet: a webhook by hand, a browser by the script of the page."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from games.delivery.outbound import AddressError, check_address
from games.delivery.push import are_keys
from games.notices.kinds import HookStyle
from games.notices.models import ADDRESS_MAX


class AddressField(forms.CharField):
    """An address that the site may call."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=ADDRESS_MAX, **options)

    def clean(self, value: Any) -> str:
        """Return the address. Raises `ValidationError` for what is none, or not for us to call."""
        address: str = super().clean(value)
        try:
            check_address(address)
        except AddressError as error:
            raise ValidationError(_("Give a public address that begins with https://.")) from error
        return address


class HookForm(forms.Form):
    """Asks for a webhook."""

    use_required_attribute = False

    name = forms.CharField(label=_("Name"), max_length=40, help_text=_("So that you recognise it in this list."))
    style = forms.ChoiceField(label=_("For"), choices=HookStyle.choices)
    address = AddressField(
        label=_("Address of the webhook"),
        widget=forms.URLInput(attrs={"autocomplete": "off", "spellcheck": "false", "placeholder": "https://"}),
    )


class DeviceForm(forms.Form):
    """Takes the subscription of a browser."""

    address = AddressField()
    public_key = forms.CharField(max_length=100)
    secret = forms.CharField(max_length=100)

    def clean(self) -> dict[str, Any]:
        """Refuse what can't seal a push."""
        said = self.cleaned_data
        if not self.errors and not are_keys(said["public_key"], said["secret"]):
            raise ValidationError(_("Your browser sent no keys for push notifications."))
        return said
