"""The form that ends an account."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.models import User


class DeleteAccountForm(forms.Form):
    """Asks for the password before an account is deleted; for the display name where there is no password.

    Who has none, but a factor or a mailbox, has confirmed by these that it is they before they see the form.
    """

    use_required_attribute = False

    proof = forms.CharField(strip=False)

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._user = user
        proof = self.fields["proof"]
        if user.has_usable_password():
            proof.label = _("Your password")
            proof.widget = forms.PasswordInput(attrs={"autocomplete": "current-password"})
        else:
            proof.label = _("Your display name")

    def clean_proof(self) -> str:
        """Refuse whoever is not the person."""
        proof: str = self.cleaned_data["proof"]
        if self._user.has_usable_password():
            if not self._user.check_password(proof):
                raise ValidationError(_("This is not your password."), code="proof")
        elif proof != self._user.display_name:
            raise ValidationError(_("This is not your display name."), code="proof")
        return proof
