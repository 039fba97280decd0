"""What the staff can do in the admin: acts, each on a page that asks why, and each written down.

A row of the admin is never changed but by an act, or by a form that asks why too (`Reasoned`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.contrib import messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from accounts.audit import Staff, record
from accounts.conduct import WORDS_LENGTH, StaffAct
from accounts.models import User

if TYPE_CHECKING:
    from django.urls import URLPattern
    from django.utils.functional import _StrPromise

MOST_COUNTED: Final = 10_000
"""So many rows of a list the staff can leaf through; who looks for one beyond searches or filters."""
DONE: Final = _("Done, and written down.")


def reason_field(**kwargs: Any) -> forms.CharField:
    """Return the field that asks why, of the staff alone."""
    defaults: dict[str, Any] = {
        "label": _("Why"),
        "help_text": _("For the staff, kept for two years."),
        "max_length": WORDS_LENGTH,
        "widget": forms.Textarea(attrs={"rows": 2}),
    }
    return forms.CharField(**{**defaults, **kwargs})


class ReasonForm(forms.Form):
    """Asks why something is done."""

    why = reason_field()


class WordsForm(ReasonForm):
    """Asks besides what the person is told, in words that they read."""

    words = forms.CharField(
        label=_("What the person is told"),
        help_text=_("They read it in a mail, and on the site while it holds: in their language, if you can."),
        max_length=WORDS_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class UntilForm(WordsForm):
    """Asks besides for how long."""

    days = forms.IntegerField(label=_("For how many days"), min_value=1, max_value=3650, initial=7)


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Something that the staff can do about a row."""

    name: str
    label: "_StrPromise"
    run: Callable[[Any, dict[str, Any], Staff], object]
    """Does it to the row, with what the form asked, and writes it down in the same transaction."""
    form: type[ReasonForm] = ReasonForm
    permission: str
    """What a member of the staff needs, as Django names it."""
    fits: Callable[[Any], bool] = lambda _row: True
    """Whether it makes sense for the row."""


class Acting:
    """Pages of the admin with acts: a link to each above the row, and a page for each that asks why."""

    acts: Sequence[Act] = ()
    change_form_template: Any = "admin/acts/change_form.html"
    opts: Any
    admin_site: Any
    get_object: Any
    has_view_permission: Any

    def get_urls(self) -> "list[URLPattern]":
        """Add the pages of the acts."""
        name = f"{self.opts.app_label}_{self.opts.model_name}_act"
        view = self.admin_site.admin_view(self.act_view)
        return [path("<path:object_id>/act/<slug:act>/", view, name=name), *super().get_urls()]  # type: ignore[misc]

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show a row with what can be done about it."""
        row = self.get_object(request, unquote(object_id)) if object_id else None
        free = row is not None and not self.is_concerned(request, row)
        offered = [act for act in self.acts if free and self.may(request, act) and act.fits(row)]
        links = [(act.label, self.address_of(row, act)) for act in offered if row is not None]
        context = {**(extra_context or {}), "acts": links}
        return super().changeform_view(request, object_id, form_url, context)  # type: ignore[misc, no-any-return]

    def may(self, request: HttpRequest, act: Act) -> bool:
        """Return whether a member of the staff may do it."""
        return isinstance(request.user, User) and request.user.has_perm(act.permission)

    def is_concerned(self, request: HttpRequest, row: Any) -> bool:  # noqa: ARG002 - for those who know what it is about
        """Return whether a row is about the member of the staff who asks, so that others are to see to it."""
        return False

    def address_of(self, row: Model, act: Act) -> str:
        """Return where the act asks why."""
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_act", args=[row.pk, act.name])

    def act_view(self, request: HttpRequest, object_id: str, act: str) -> HttpResponse:
        """Ask why, do it, and go back to the row."""
        row = self.get_object(request, unquote(object_id))
        chosen = next((one for one in self.acts if one.name == act), None)
        if row is None or chosen is None or not chosen.fits(row):
            raise Http404
        allowed = self.has_view_permission(request, row) and self.may(request, chosen)
        if not allowed or self.is_concerned(request, row):
            raise PermissionDenied
        form = chosen.form(request.POST if request.method == "POST" else None)
        if form.is_valid():
            refusal = self._run(chosen, row, form.cleaned_data, request)
            if not refusal:
                messages.success(request, DONE)
                return redirect(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", row.pk)
            form.add_error(None, refusal)
        context = {
            **self.admin_site.each_context(request),
            "title": chosen.label,
            "row": row,
            "form": form,
            "opts": self.opts,
            "back": reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", args=[row.pk]),
        }
        return TemplateResponse(request, "admin/acts/act.html", context)

    def refuse(self, error: Exception) -> str:
        """Return the words for what a command refused; raise what is no refusal."""
        raise error

    def _run(self, act: Act, row: Model, asked: dict[str, Any], request: HttpRequest) -> str:
        assert isinstance(request.user, User)
        staff = Staff.of(request.user, asked["why"], public_why=asked.get("public_why", ""))
        try:
            act.run(row, asked, staff)
        except Exception as error:  # noqa: BLE001 - what is no refusal is raised again
            return self.refuse(error)
        return ""


class Reasoned:
    """A row of the admin that a form changes: the form has a field ``why``, and what changed is written down."""

    adding: StaffAct
    changing: StaffAct

    def save_model(
        self,
        request: HttpRequest,
        obj: Any,
        form: forms.ModelForm[Any],
        change: bool,  # noqa: FBT001 - Django's signature
    ) -> None:
        """Store the row, and write down which of its columns are others now, and why."""
        super().save_model(request, obj, form, change)  # type: ignore[misc]
        assert isinstance(request.user, User)
        staff = Staff.of(request.user, form.cleaned_data["why"])
        person = obj.pk if isinstance(obj, User) else None
        changed = sorted(set(form.changed_data) - {"why", "password1", "password2", "usable_password"})
        act = self.changing if change else self.adding
        record(staff, act, timezone.now(), person=person, row=str(obj.pk), columns=changed)


class FirstPages(Paginator[Any]):
    """The first pages of a list: where there are more rows than `MOST_COUNTED`, nobody counts them, or goes through."""

    @cached_property
    def count(self) -> int:
        """How many rows there are, if not many."""
        rows: Any = self.object_list
        return int(rows.order_by()[:MOST_COUNTED].count())


class ReadOnly:
    """Rows that the admin shows and never changes: changes are made by commands."""

    paginator: Any = FirstPages
    show_full_result_count = False

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
        filters = (*getattr(self, "list_filter", ()), getattr(self, "date_hierarchy", None))
        offered = {getattr(one, "parameter_name", one) for one in filters}
        return lookup.split("__", maxsplit=1)[0] in offered
