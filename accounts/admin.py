"""Users and the mails about their accounts in the admin."""

import allauth.account.admin
import allauth.mfa.admin
import allauth.usersessions.admin  # noqa: F401 - these register what is taken back below
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django import forms
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as BaseUserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.db.models.constants import LOOKUP_SEP
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts import mails
from accounts.addresses import settle
from accounts.forms import KeepsName, NameField, refuse_taken
from accounts.models import AccountMail, AddressChange, Archive, EmailCode, User


class ReadOnly:
    """Rows that the admin shows and never changes: changes are made by commands."""

    def has_add_permission(self, _request: HttpRequest, _obj: object = None) -> bool:
        """Refuse new rows."""
        return False

    def has_change_permission(self, _request: HttpRequest, _obj: object = None) -> bool:
        """Refuse changes."""
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: object = None) -> bool:
        """Refuse deletion."""
        return False

    def lookup_allowed(self, lookup: str, _value: str, _request: HttpRequest) -> bool:
        """Refuse every filter that is not offered: one by a turn or a digest would give hidden cards away."""
        offered = (*getattr(self, "list_filter", ()), getattr(self, "date_hierarchy", None))
        return lookup.split(LOOKUP_SEP, maxsplit=1)[0] in offered


class AddUserForm(AdminUserCreationForm[User]):
    """E-mail address, display name and password of a new user."""

    display_name = NameField()

    class Meta:
        model = User
        fields = ("email", "display_name")

    def clean_display_name(self) -> str:
        """Refuse a name that someone has."""
        return refuse_taken(self.cleaned_data["display_name"])


class ChangeUserForm(KeepsName, UserChangeForm[User]):
    """Everything about a user."""

    display_name = NameField()

    class Meta:
        model = User
        fields = forms.ALL_FIELDS

    def clean_email(self) -> str:
        """Return the address as it is stored."""
        address: str = self.cleaned_data["email"]
        return address.lower()


admin.site.unregister(EmailAddress)  # the user's page is the one place for an address
admin.site.unregister(Authenticator)  # their secrets are nobody's to read: `manage.py remove_second_factor` helps
admin.site.unregister(UserSession)  # where people are signed in is their own concern


@admin.register(User)
class UserAdmin(BaseUserAdmin[User]):
    """Users, found by name or e-mail address."""

    form = ChangeUserForm
    add_form = AddUserForm
    list_display = ("display_name", "email", "is_confirmed", "language", "is_active", "is_staff", "date_joined")
    list_filter = ("is_active", "is_staff", "is_guest", "language")
    search_fields = ("display_name", "email")
    ordering = ("display_name",)
    readonly_fields = ("last_login", "date_joined", "is_guest")
    fieldsets = (
        (None, {"fields": ("email", "display_name", "password")}),
        (
            _("Preferences"),
            {"fields": ("language", "time_zone", "digest_hour", "quiet_from", "quiet_until", "refused_address")},
        ),
        (_("Rights"), {"fields": ("is_active", "is_guest", "is_staff", "is_superuser", "groups", "user_permissions")}),
        (_("Dates"), {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = ((None, {"fields": ("email", "display_name", "usable_password", "password1", "password2")}),)

    def save_model(
        self,
        request: HttpRequest,
        obj: User,
        form: forms.ModelForm[User],
        change: bool,  # noqa: FBT001 - Django's signature
    ) -> None:
        """Store a user; another address ends the sessions, and both addresses are told.

        The new one has to be confirmed. Nobody signs in by the old one any more, or gets a new password there.
        """
        before = User.objects.filter(pk=obj.pk).first() if change else None
        super().save_model(request, obj, form, change)
        if before is None or before.email != obj.email:
            address = settle(obj, obj.email, confirmed=False)
            mails.ask(mails.CONFIRMATION, obj.email, pk=address.pk, signup=False)
        if before is not None and before.email != obj.email and before.is_confirmed:
            words = {"from_email": before.email, "to_email": obj.email}
            mails.ask(mails.MOVED, before.email, user=obj, **words)

    def has_delete_permission(self, _request: HttpRequest, _obj: User | None = None) -> bool:
        """Refuse to delete: the games of a person must be left first, which ``manage.py delete_account`` does."""
        return False


@admin.register(AccountMail)
class AccountMailAdmin(ReadOnly, admin.ModelAdmin[AccountMail]):
    """Mails about accounts that wait, and those of the last day."""

    list_display = ("at", "template", "address", "attempts", "due_at", "closed_at", "sent", "given_up")
    list_filter = ("sent", "given_up", "template")
    ordering = ("-at",)


@admin.register(EmailCode)
class EmailCodeAdmin(ReadOnly, admin.ModelAdmin[EmailCode]):
    """Codes of the last day, without what they are."""

    list_display = ("asked_at", "purpose", "address", "made_at", "tries", "used_at")
    list_filter = ("purpose",)
    ordering = ("-asked_at",)


@admin.register(AddressChange)
class AddressChangeAdmin(ReadOnly, admin.ModelAdmin[AddressChange]):
    """Changes of address that are under way. One ends when the address is changed on the user's page."""

    list_display = ("user", "address", "asked_at", "told_at", "new_at", "old_at")
    list_select_related = ("user", "address__user")
    ordering = ("-asked_at",)


@admin.register(Archive)
class ArchiveAdmin(ReadOnly, admin.ModelAdmin[Archive]):
    """Archives that people have asked for, without what is in them."""

    list_display = ("user", "asked_at", "attempts", "due_at", "made_at", "size")
    list_select_related = ("user",)
    exclude = ("data",)
    ordering = ("-asked_at",)
