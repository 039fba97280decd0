"""Users and the mails about their accounts in the admin."""

from typing import Any, ClassVar, Final

import allauth.account.admin
import allauth.mfa.admin
import allauth.usersessions.admin  # noqa: F401 - these register what is taken back below
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django import forms
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin
from django.contrib.auth.admin import UserAdmin as BaseUserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from accounts import mails, tokens
from accounts.acts import FirstPages, ReadOnly, Reasoned, reason_field
from accounts.addresses import settle
from accounts.forms import KeepsName, NameField, refuse_taken
from accounts.models import AccessToken, AccountMail, AddressChange, Archive, EmailCode, StaffAct, StaffAction, User
from accounts.names import fold_name


class AddUserForm(AdminUserCreationForm[User]):
    """E-mail address, display name and password of a new user."""

    display_name = NameField()
    why = reason_field()

    class Meta:
        model = User
        fields = ("email", "display_name")

    def clean_display_name(self) -> str:
        """Refuse a name that someone has."""
        return refuse_taken(self.cleaned_data["display_name"])


class ChangeUserForm(KeepsName, UserChangeForm[User]):
    """What the staff may change about a user; passwords are nobody else's to set."""

    display_name = NameField()
    why = reason_field()
    password = None  # type: ignore[assignment] # Django drops a field that is named so

    class Meta:
        model = User
        exclude = ("password",)

    def clean_email(self) -> str:
        """Return the address as it is stored."""
        address: str = self.cleaned_data["email"]
        return address.lower()


BARRED: Final = ("silenced_until", "suspended_until", "restricted_why")
RIGHTS: Final = ("is_active", "is_guest", "is_staff", "is_superuser", "groups", "user_permissions")

admin.site.unregister(EmailAddress)  # the user's page is the one place for an address
admin.site.unregister(Authenticator)  # their secrets are nobody's to read: `manage.py remove_second_factor` helps
admin.site.unregister(UserSession)  # where people are signed in is their own concern


@admin.register(User)
class UserAdmin(Reasoned, BaseUserAdmin[User]):
    """Users, found by name or e-mail address."""

    adding = StaffAct.ADD_PERSON
    changing = StaffAct.CHANGE_PERSON
    form = ChangeUserForm
    change_user_password_template = None
    add_form = AddUserForm
    list_display = (
        "display_name",
        "email",
        "owner",
        "is_confirmed",
        "language",
        "is_active",
        "is_staff",
        "date_joined",
    )
    list_filter = ("is_active", "is_staff", "is_guest", ("owner", admin.EmptyFieldListFilter), "language")
    list_select_related = ("owner",)
    search_fields = ("name_key__contains", "email__contains")
    ordering = ("name_key",)
    paginator = FirstPages
    show_full_result_count = False
    readonly_fields: ClassVar[Any] = ("last_login", "date_joined", "is_guest", "owner", *BARRED)
    fieldsets: ClassVar[Any] = (
        (None, {"fields": ("why", "email", "display_name", "owner")}),
        (_("Barred"), {"fields": BARRED}),
        (
            _("Preferences"),
            {"fields": ("language", "time_zone", "digest_hour", "quiet_from", "quiet_until", "refused_address")},
        ),
        (_("Rights"), {"fields": RIGHTS}),
        (_("Dates"), {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = ((None, {"fields": ("why", "email", "display_name", "usable_password", "password1", "password2")}),)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[User], search_term: str
    ) -> tuple[QuerySet[User], bool]:
        """Find people by a part of their name or address: both are stored in one case, which saves folding them all."""
        return super().get_search_results(request, queryset, fold_name(search_term))

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        """Leave rights to those who have them all: nobody gives themselves more."""
        rights = () if request.user.is_superuser else RIGHTS
        return (*super().get_readonly_fields(request, obj), *rights)

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Leave the accounts of the staff to those who have all rights."""
        if obj is not None and obj.is_staff and not request.user.is_superuser:
            return False
        return super().has_change_permission(request, obj)

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:  # noqa: A002, ARG002 - Django's
        """Refuse: nobody sets another person's password. They get a new one by mail."""
        raise PermissionDenied

    def save_model(
        self,
        request: HttpRequest,
        obj: User,
        form: forms.ModelForm[User],
        change: bool,  # noqa: FBT001 - Django's signature
    ) -> None:
        """Store a user; another address ends the sessions and access tokens, and both addresses are told.

        The new one has to be confirmed. Nobody signs in by the old one any more, or gets a new password there.
        """
        before = User.objects.filter(pk=obj.pk).first() if change else None
        super().save_model(request, obj, form, change)
        if before is None or before.email != obj.email:
            address = settle(obj, obj.email, confirmed=False)
            mails.ask(mails.CONFIRMATION, obj.email, pk=address.pk, signup=False)
        if before is not None and before.email != obj.email:
            tokens.revoke_all(obj)
        if before is not None and before.email != obj.email and before.is_confirmed:
            words = {"from_email": before.email, "to_email": obj.email}
            mails.ask(mails.MOVED, before.email, user=obj, **words)

    def has_delete_permission(self, _request: HttpRequest, _obj: User | None = None) -> bool:
        """Refuse to delete: the games of a person must be left first, which ``manage.py delete_account`` does."""
        return False


class GroupForm(forms.ModelForm[Group]):
    """A group of the staff and its rights."""

    why = reason_field()

    class Meta:
        model = Group
        fields = ("name", "permissions")


admin.site.unregister(Group)


@admin.register(Group)
class StaffGroupAdmin(Reasoned, GroupAdmin):
    """Groups of the staff; one that is not needed any more is left without rights."""

    adding = changing = StaffAct.CHANGE_GROUP
    form = GroupForm
    fields = ("why", "name", "permissions")

    def has_delete_permission(self, _request: HttpRequest, _obj: Group | None = None) -> bool:
        """Refuse to delete."""
        return False


@admin.register(StaffAction)
class StaffActionAdmin(ReadOnly, admin.ModelAdmin[StaffAction]):
    """What the staff did, newest first: nobody changes it."""

    list_display = ("at", "by", "act", "person_link", "game", "why")
    list_filter = ("act",)
    search_fields = ("by", "=person", "=game")
    date_hierarchy = "at"
    ordering = ("-at", "-pk")

    @admin.display(description=_("number of the person"))
    def person_link(self, action: StaffAction) -> str:
        """The number of the person, leading to their page, which is gone with their account."""
        if action.person is None:
            return "-"
        page = reverse("admin:accounts_user_change", args=[action.person])
        return format_html('<a href="{}">{}</a>', page, action.person)


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


@admin.register(AccessToken)
class AccessTokenAdmin(ReadOnly, admin.ModelAdmin[AccessToken]):
    """Access tokens, without what would find one. They are revoked on their person's page."""

    list_display = ("user", "start", "scopes", "made_at", "used_at", "expires_at")
    list_select_related = ("user",)
    fields = ("user", "start", "scopes", "made_at", "used_at", "expires_at")
    search_fields = ("=start",)
    ordering = ("-made_at", "-pk")


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
