"""Forms of passkeys, authenticator apps and recovery codes."""

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from allauth.account.adapter import get_adapter
from allauth.core import context
from allauth.core.internal import ratelimit
from allauth.mfa.base.forms import AuthenticateForm as BaseAuthenticateForm
from allauth.mfa.base.forms import ReauthenticateForm as BaseReauthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm as BaseActivateTOTPForm
from allauth.mfa.webauthn import forms as webauthn
from allauth.mfa.webauthn.internal.auth import parse_registration_response
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from fido2.utils import websafe_encode

from accounts.factors import MOST_PASSKEYS
from accounts.models import User

LONGEST: Final = 16_000
"""Letters of what a browser may hand over of a passkey; they hand over two thousand at most."""
NO_PASSKEY: Final = _("This passkey was not accepted. Try again, or use another way.")


class CodeField(forms.CharField):
    """A code that is typed in."""

    def __init__(self, **kwargs: Any) -> None:
        attrs = {"autocomplete": "one-time-code", "inputmode": "numeric", "spellcheck": "false", "autofocus": True}
        super().__init__(**{"label": _("Code"), "max_length": 30, "widget": forms.TextInput(attrs=attrs), **kwargs})


class CountsGuesses:
    """A form with a code, of which one account takes so many wrong ones a day, beside allauth's limit of minutes."""

    user: User

    def clean_code(self) -> str:
        """Return the code, or refuse it."""
        key = str(self.user.pk)
        usage = ratelimit.consume(context.request, app="allauth.account", action="second_factor", key=key)
        if usage is None:
            raise get_adapter().validation_error("too_many_login_attempts")
        code: str = super().clean_code()  # type: ignore[misc]
        usage.rollback()
        return code


class AuthenticateForm(CountsGuesses, BaseAuthenticateForm):
    """A code of the app or a recovery code, after the password."""

    code = CodeField()


class ReauthenticateForm(CountsGuesses, BaseReauthenticateForm):
    """The same of who is signed in, before a grave change."""

    code = CodeField()


class ActivateTOTPForm(BaseActivateTOTPForm):
    """The first code of an app, which shows that it has the secret."""

    code = CodeField(label=_("Code that the app shows"))


class CredentialField(forms.JSONField):
    """What a browser hands over of a passkey, as JSON."""

    def __init__(self) -> None:
        super().__init__(widget=forms.HiddenInput, error_messages={"required": NO_PASSKEY, "invalid": NO_PASSKEY})

    def to_python(self, value: Any) -> Any:
        """Return an object, or refuse the text."""
        if isinstance(value, str) and len(value) > LONGEST:
            raise ValidationError(NO_PASSKEY)
        with refusing():
            read = super().to_python(value)
        if read is not None and not isinstance(read, dict):
            raise ValidationError(NO_PASSKEY)
        return read


@contextmanager
def refusing() -> Iterator[None]:
    """Refuse, in the words for passkeys, what the libraries can't read or don't believe."""
    try:
        yield
    except ValidationError as error:
        if getattr(error, "code", "") == "incorrect_code":
            raise ValidationError(NO_PASSKEY) from error
        raise
    except (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError, struct.error) as error:
        raise ValidationError(NO_PASSKEY) from error


class AddWebAuthnForm(webauthn.AddWebAuthnForm):
    """A new passkey. Each one can be signed in with: there is no choice of a lesser kind."""

    passwordless = None  # type: ignore[assignment]  # so Django takes a field away
    name = forms.CharField(
        label=_("Name"), required=False, max_length=50, help_text=_("By which you will know it again, as “My phone”.")
    )
    credential = CredentialField()

    def clean(self) -> dict[str, Any]:
        """Return what is kept of the passkey: no more than what is needed to know it again."""
        owned = Authenticator.objects.filter(user=self.user, type=Authenticator.Type.WEBAUTHN)
        if owned.count() >= MOST_PASSKEYS:
            raise ValidationError(_("You have as many passkeys as one can have. Remove one first."))
        with refusing():
            cleaned: dict[str, Any] = super().clean()
            if cleaned.get("credential"):
                cleaned["credential"] = _kept(cleaned["credential"])
        return cleaned


class EditWebAuthnForm(webauthn.EditWebAuthnForm):
    """Another name for a passkey."""

    name = forms.CharField(label=_("Name"), max_length=50)


class ReadsPasskey:
    """A form that takes a passkey in place of a code."""

    def clean_credential(self) -> Authenticator:
        """Return the passkey that was used, or refuse it."""
        with refusing():
            return super().clean_credential()  # type: ignore[misc, no-any-return]


class AuthenticateWebAuthnForm(ReadsPasskey, webauthn.AuthenticateWebAuthnForm):
    """A passkey after the password."""

    credential = CredentialField()


class LoginWebAuthnForm(ReadsPasskey, webauthn.LoginWebAuthnForm):
    """A passkey in place of address and password."""

    credential = CredentialField()


class ReauthenticateWebAuthnForm(ReadsPasskey, webauthn.ReauthenticateWebAuthnForm):
    """A passkey of who is signed in, before a grave change."""

    credential = CredentialField()


def _kept(credential: dict[str, Any]) -> dict[str, Any]:
    read = parse_registration_response(credential)
    key = websafe_encode(read.raw_id)
    return {
        "id": key,
        "rawId": key,
        "type": "public-key",
        "response": {
            "clientDataJSON": websafe_encode(read.response.client_data),
            "attestationObject": websafe_encode(read.response.attestation_object),
        },
        "clientExtensionResults": {},
    }
