"""Forms of an account."""

from typing import Any, Final
from uuid import UUID, uuid4

from allauth.account import app_settings
from allauth.account.app_settings import EmailVerificationMethod
from allauth.account.fields import EmailField
from allauth.account.forms import AddEmailForm as BaseAddEmailForm
from allauth.account.forms import ChangePasswordForm as BaseChangePasswordForm
from allauth.account.forms import ResetPasswordForm as BaseResetPasswordForm
from allauth.account.forms import ResetPasswordKeyForm as BaseResetPasswordKeyForm
from allauth.account.forms import SetPasswordForm as BaseSetPasswordForm
from allauth.account.forms import SignupForm as BaseSignupForm
from allauth.account.utils import get_next_redirect_url
from allauth.core.exceptions import ImmediateHttpResponse
from django import forms
from django.contrib import messages
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from accounts import codes, mails, pending
from accounts.languages import current_language
from accounts.models import User
from accounts.names import MAX_LENGTH, normalise_name, validate_name, validate_person
from accounts.zones import zone_names

PENDING: Final = "pending_account"
"""Where a session keeps the account that it made and that waits for its confirmation."""
PASSWORD_RULES: Final = _(
    "At least 8 characters, not only digits, not a common password, and not too similar to your name or address."
)


def confirms_first() -> bool:
    """Return whether nobody can sign in before their address is confirmed."""
    return bool(app_settings.EMAIL_VERIFICATION == EmailVerificationMethod.MANDATORY)


class NameField(forms.CharField):
    """A display name, as it will be stored. The one that a person has already is never refused: `kept`."""

    kept: str | None = None

    def __init__(self, **kwargs: Any) -> None:
        defaults = {
            "label": _("Display name"),
            "help_text": _("What other players see, at most 30 characters."),
            "max_length": MAX_LENGTH,
            "validators": [validate_name],
            "widget": forms.TextInput(attrs={"autocomplete": "nickname", "dir": "auto"}),
        }
        super().__init__(**{**defaults, **kwargs})

    def to_python(self, value: Any) -> str:
        """Return the text with its blanks tidied."""
        return normalise_name(super().to_python(value) or "")

    def clean(self, value: Any) -> str:
        """Return the name; raise `ValidationError` for one that nobody may take."""
        if self.kept is not None and value == self.kept:
            return self.kept
        name: str = super().clean(value)
        return name


class KeepsName(forms.ModelForm[User]):
    """A form of a person in which the name that they have stands, whatever the rules are now."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["display_name"]
        assert isinstance(field, NameField)
        field.kept = self.instance.display_name

    def clean_display_name(self) -> str:
        """Refuse a name that someone else has; whoever takes another one is not asked for it any more."""
        name: str = self.cleaned_data["display_name"]
        if name == self.initial.get("display_name"):
            return name
        if self.instance.is_silenced(timezone.now()):
            raise ValidationError(_("You can't change your name at the moment."), code="silenced")
        self.instance.name_asked = False
        return refuse_taken(name, besides=self.instance)

    def _get_validation_exclusions(self) -> set[str]:
        return super()._get_validation_exclusions() | {"display_name"}  # type: ignore[misc, no-any-return]


def refuse_taken(name: str, *, besides: User | None = None) -> str:
    """Return the name; raise `ValidationError` if someone else has it."""
    if User.objects.name_taken(name, besides=besides):
        raise ValidationError(_("That name is already taken."), code="taken")
    return name


class ZoneField(forms.ChoiceField):
    """A time zone by its name."""

    def __init__(self, **kwargs: Any) -> None:
        defaults: dict[str, Any] = {
            "label": _("Time zone"),
            "choices": lambda: [(name, name.replace("_", " ")) for name in zone_names()],
        }
        super().__init__(**{**defaults, **kwargs})


class TokenField(forms.UUIDField):
    """A secret of one showing of a form, by which it is known again. Anything else is none."""

    def __init__(self) -> None:
        super().__init__(required=False, widget=forms.HiddenInput, initial=uuid4)

    def clean(self, value: Any) -> UUID | None:
        """Return the token, or None."""
        try:
            token: UUID | None = super().clean(value)
        except ValidationError:
            return None
        return token


class SignupForm(BaseSignupForm):
    """E-mail address, display name, a password or none, and time zone, as which a script shows the device's (zone.js).

    Where addresses must be confirmed, it takes any: what it does and answers does not depend on whose it is.
    """

    display_name = NameField(validators=[validate_name, validate_person])
    time_zone = ZoneField(
        help_text=_("Times are shown in it."),
        initial="UTC",
        required=False,
        widget=forms.Select(attrs={"data-offered": ""}),
    )
    token = TokenField()
    field_order = ["email", "display_name", "password1", "time_zone", "token"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password1"].help_text = format_lazy(
            "{} {}",
            _("You can leave this empty: we then send you a code by e-mail whenever you sign in."),
            PASSWORD_RULES,
        )

    @property
    def has_password(self) -> bool:
        """Whether a password was typed: it is not shown again, so its field is."""
        return bool(self.data.get("password1"))

    def validate_unique_email(self, value: str) -> str:
        """Refuse a taken address only where it would be the new account's at once."""
        if confirms_first():
            return value
        address: str = super().validate_unique_email(value)
        return address

    def clean(self) -> dict[str, Any]:
        """Refuse a name that someone has, but not the one of the account that this very form made before."""
        cleaned: dict[str, Any] = super().clean()
        name = cleaned.get("display_name")
        if name and User.objects.name_taken(name, besides=self.name_holder()):
            again = not self.errors and pending.signed_up(self.application())
            if not again:
                self.add_error("display_name", ValidationError(_("That name is already taken."), code="taken"))
        return cleaned

    def clean_time_zone(self) -> str:
        """Return the chosen zone, or the one that is so far."""
        return str(self.cleaned_data["time_zone"] or self.fields["time_zone"].initial)

    def application(self) -> pending.Application:
        """Return what the form says."""
        fields = ("email", "display_name", "token")
        return pending.Application(
            **{field: self.cleaned_data[field] for field in fields}, password=self.cleaned_data.get("password1", "")
        )

    def name_holder(self) -> User | None:
        """Return an account whose name may be chosen again, because this form's takes its place; or None."""
        return None

    def save(self, request: HttpRequest) -> AbstractBaseUser:
        """Make the account; where addresses must be confirmed it waits, and the session may correct the address."""
        try:
            if not confirms_first():
                with transaction.atomic():
                    return super().save(request)
            user = pending.sign_up(
                self.application(), language=current_language(), time_zone=self.cleaned_data["time_zone"]
            )
        except IntegrityError:  # somebody has taken the name, or the address, at this moment
            messages.error(request, _("Someone has just taken this name or address. Choose another one."))
            raise ImmediateHttpResponse(redirect("account_signup")) from None
        request.session[PENDING] = user.pk
        request.session[pending.CAME_FOR] = get_next_redirect_url(request) or ""
        return user


class KeepForm(SignupForm):
    """The same for a guest, who keeps what they have played. It takes any address, wherever the site runs."""

    def __init__(self, *args: Any, guest: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._guest = guest
        self.fields["time_zone"].initial = guest.time_zone

    def validate_unique_email(self, value: str) -> str:
        """Take any address: only the mail says whose it is."""
        return value

    def name_holder(self) -> User | None:
        """Return the account that waits to become the guest's: its name is theirs to choose again."""
        return pending.keeper_of(self._guest)

    def save(self, request: HttpRequest) -> User:
        """Make the account that waits to become the guest's, in place of an earlier one."""
        user = pending.sign_up(
            self.application(),
            language=current_language(),
            time_zone=self.cleaned_data["time_zone"],
            guest=self._guest,
        )
        request.session[PENDING] = user.pk
        return user


class CorrectAddressForm(forms.Form):
    """Another address for an account that waits for its confirmation."""

    email = EmailField(label=_("E-mail address"))

    def clean_email(self) -> str:
        """Return the address as it is stored."""
        address: str = self.cleaned_data["email"]
        return address.lower()


class CodeForm(forms.Form):
    """A code that came in a mail."""

    code = forms.CharField(
        label=_("Code"),
        max_length=codes.LONGEST,
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "autocapitalize": "characters", "spellcheck": "false"}
        ),
    )

    def refuse(self) -> None:
        """Say that it is a wrong one, in the words that tell nothing of who has the address."""
        self.add_error("code", _("This code is not right, or it is more than 15 minutes old."))


class RequestCodeForm(forms.Form):
    """The address to which a code is sent: the field of the sign-in form, whose button may lead here."""

    login = EmailField(label=_("E-mail address"))

    def clean_login(self) -> str:
        """Return the address; whether anyone has it is found out by the worker that writes the mail."""
        address: str = self.cleaned_data["login"]
        return address.lower()


class RuledPassword:
    """A form in which a password is chosen: the rules stand there as one sentence."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password1"].help_text = PASSWORD_RULES  # type: ignore[attr-defined]


class ChangePasswordForm(RuledPassword, BaseChangePasswordForm):
    """Another password, for who knows the present one."""


class SetPasswordForm(RuledPassword, BaseSetPasswordForm):
    """A password for who has none."""


class ResetPasswordKeyForm(RuledPassword, BaseResetPasswordKeyForm):
    """A password for who got a link by mail."""


class ResetPasswordForm(BaseResetPasswordForm):
    """Asks for a link with which a new password is chosen."""

    def clean_email(self) -> str:
        """Return the address; whether anyone has it is found out by the worker that writes the mail."""
        address: str = self.cleaned_data["email"]
        return address.lower()

    def save(self, request: HttpRequest, **_kwargs: Any) -> str:  # noqa: ARG002 - allauth's signature
        """Ask for the mail."""
        address: str = self.cleaned_data["email"]
        mails.ask(mails.RESET, address)
        return address


class AddEmailForm(BaseAddEmailForm):
    """The address that replaces the present one once it is confirmed."""

    def clean_email(self) -> str:
        """Refuse a change while the present address is not confirmed: there would be none to fall back to."""
        if not (isinstance(self.user, User) and self.user.is_confirmed):
            raise ValidationError(
                _("Confirm your current address first, through the link in the e-mail we sent there.")
            )
        address: str = super().clean_email()
        return address


class ProfileForm(KeepsName):
    """What a person may change about themselves. A guest has the name that the site chose."""

    display_name = NameField(validators=[validate_name, validate_person])
    time_zone = ZoneField()

    class Meta:
        model = User
        fields = ("display_name", "language", "time_zone", "ratings_shown")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.is_guest:
            del self.fields["display_name"], self.fields["ratings_shown"]


class DisplayForm(forms.ModelForm[User]):
    """How boards are shown to a person."""

    class Meta:
        model = User
        fields = ("board_view", "hints", "shows_seen")
        widgets = {"board_view": forms.RadioSelect}
        labels = {
            "board_view": _("Boards"),
            "hints": _("Show hints beside my hand"),
            "shows_seen": _("Let others see that I have read their messages"),
        }
        help_texts = {"shows_seen": _("If you turn this off, you won't see who has read yours either.")}
