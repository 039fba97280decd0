"""People and what is reported of them, for the staff."""

from typing import Any, Final

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe
from django.utils.translation import gettext_lazy as _

from accounts import sessions
from accounts.acts import ReadOnly
from accounts.admin import UserAdmin
from accounts.hints import hints_about
from accounts.models import StaffAction, User
from games.admin.acts import PERSON_ACTS, REPORT_ACTS, Acts
from games.models import Message, Report, ReportState, SpectatorMessage

KNOWN: Final = ("reports", "done", "same_network", "signed_in")
"""What the staff sees of a person beside their account."""
ROWS: Final = 20
"""How many reports, and acts of the staff, stand on a page."""
AROUND: Final = 5
"""How many messages before a reported one, and after it, the staff sees."""


admin.site.unregister(User)


@admin.register(User)
class PersonAdmin(Acts, UserAdmin):
    """People, with what was reported and done about them, where else they may be somebody, and what can be done."""

    actions = None
    acts = PERSON_ACTS
    fieldsets = (
        *UserAdmin.fieldsets,
        (_("For the staff"), {"fields": ("reports", "done", "same_network", "signed_in")}),
    )
    readonly_fields = (*UserAdmin.readonly_fields, "reports", "done", "same_network", "signed_in")

    @admin.display(description=_("reports of and by them"))
    def reports(self, person: User) -> str:
        """The last reports of the person, and by them."""
        return listed_reports(Report.objects.filter(Q(reported=person) | Q(reporter=person)))

    @admin.display(description=_("what the staff did"))
    def done(self, person: User) -> str:
        """What the staff last did about the person."""
        return listed_actions(person.pk)

    @admin.display(description=_("accounts from the same network"))
    def same_network(self, person: User) -> str:
        """Other accounts that may be the same person's. It proves nothing: families and schools share networks."""
        rows = (
            (
                reverse("admin:accounts_user_change", args=[hint.person.pk]),
                hint.person.display_name,
                hint.networks,
                _("same kind of browser") if hint.same_browser else "",
            )
            for hint in hints_about(person)
        )
        return format_html_join(mark_safe("<br>"), '<a href="{}">{}</a> ({}) {}', rows) or "-"

    @admin.display(description=_("signed in"))
    def signed_in(self, person: User) -> str:
        """With which browsers the person is signed in, and when each was last seen."""
        found = sessions.list_sessions(person, current=None, now=timezone.now())
        rows = ((one.browser, one.system, date_format(one.seen_at, "DATETIME_FORMAT")) for one in found)
        return format_html_join(mark_safe("<br>"), "{} {}, {}", rows) or "-"


class ToDo(admin.SimpleListFilter):
    """Which reports are listed: those that wait, unless others are asked for."""

    title = _("state")
    parameter_name = "state"

    def lookups(self, _request: HttpRequest, _model_admin: Any) -> list[tuple[str, Any]]:
        """Return the states, and all."""
        return [*ReportState.choices, ("all", _("all"))]

    def queryset(self, _request: HttpRequest, rows: QuerySet[Report]) -> QuerySet[Report]:
        """Return the reports that are asked for."""
        match self.value():
            case None:
                return rows.exclude(state=ReportState.CLOSED)
            case "all":
                return rows
            case state:
                return rows.filter(state=state)


@admin.register(Report)
class ReportAdmin(Acts, ReadOnly, admin.ModelAdmin[Report]):
    """What people report, the oldest first, with what is needed to judge it, and what can be done."""

    actions = None
    acts = REPORT_ACTS
    list_display = ("at", "kind", "name", "reporter", "state", "taken_by", "outcome")
    list_filter = (ToDo, "kind")
    list_select_related = ("reporter",)
    search_fields = ("name", "game__key")
    ordering = ("at", "pk")
    fields = (
        "kind",
        "name",
        "reported",
        "quoted",
        "text",
        "reporter",
        "at",
        "game_link",
        "around",
        "earlier",
        "done",
        "state",
        "taken_by",
        "closed_at",
        "outcome",
    )

    @admin.display(description=_("game"))
    def game_link(self, report: Report) -> str:
        """The game, on the site."""
        if report.game is None:
            return "-"
        return format_html('<a href="{}">{}</a>', reverse("game", args=[report.game.key]), report.game.key)

    @admin.display(description=_("messages around it"))
    def around(self, report: Report) -> str:
        """What was written just before the reported message and after it."""
        reported = report.message or report.spectator_message
        if reported is None:
            return "-"
        others: QuerySet[Any] = type(reported)._default_manager.filter(game=reported.game_id)
        if report.message is None:
            others = others.select_related("spectator__user")
        before = others.filter(pk__lte=reported.pk).order_by("-pk")[: AROUND + 1]
        after = others.filter(pk__gt=reported.pk).order_by("pk")[:AROUND]
        rows = (
            (_author_of(message), date_format(message.at, "DATETIME_FORMAT"), message.text)
            for message in (*[*before][::-1], *after)
        )
        return format_html_join(mark_safe("<br>"), "{} ({}): {}", rows)

    @admin.display(description=_("reports of the same person"))
    def earlier(self, report: Report) -> str:
        """Other reports of the person."""
        if report.reported_id is None:
            return "-"
        return listed_reports(Report.objects.filter(reported=report.reported_id).exclude(pk=report.pk))

    @admin.display(description=_("what the staff did"))
    def done(self, report: Report) -> str:
        """What the staff did about the person before."""
        return "-" if report.reported_id is None else listed_actions(report.reported_id)


def _author_of(message: Message | SpectatorMessage) -> object:
    """Return who wrote a message: a player's seat, or a spectator, nobody if their account is gone."""
    return message.seat if isinstance(message, Message) else message.spectator.user or "-"


def listed_reports(reports: QuerySet[Report]) -> str:
    """Return links to the newest of some reports."""
    rows = (
        (
            reverse("admin:games_report_change", args=[report.pk]),
            date_format(report.at, "DATETIME_FORMAT"),
            report,
            report.get_state_display(),
            report.get_outcome_display(),
        )
        for report in reports.order_by("-at")[:ROWS]
    )
    return format_html_join(mark_safe("<br>"), '<a href="{}">{}: {}</a> ({} {})', rows) or "-"


def listed_actions(person: int) -> str:
    """Return what the staff last did about a person."""
    rows = (
        (date_format(done.at, "DATETIME_FORMAT"), done.by, done.get_act_display(), done.why, done.said)
        for done in StaffAction.objects.filter(person=person).order_by("-at")[:ROWS]
    )
    return format_html_join(mark_safe("<br>"), "{}: {} {} ({}) {}", rows) or "-"
