"""Games for the staff: to look at, not to change. Hidden cards stay hidden here too while a game runs."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.acts import Act, ReadOnly
from accounts.models import User
from accounts.names import fold_name, normalise_name
from engine.rulesets import RULESETS
from games import commands
from games.admin.acts import GAME_ACTS, Acts
from games.log.record import visible_turn
from games.log.table import is_open_to_all
from games.models import (
    Entry,
    Game,
    Heartbeat,
    Pause,
    Remark,
    Seat,
    Setback,
    defer_hidden,
)
from games.notices.kinds import NoticeState
from games.notices.models import MailRefusal, Notice
from games.queries import due
from games.words.seats import seat_names


class OfGame:
    """Rows that are read with their game, but for what it hides: they are what the admin's templates get."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Read the game of each row with it."""
        return defer_hidden(super().get_queryset(request))  # type: ignore[misc]


class ShownName:
    """What a seat is called, where none is stored too."""

    @admin.display(description=_("name"), ordering="name")
    def shown_name(self, seat: Seat) -> str:
        """What the seat is called; computer players of a kind are not numbered."""
        (name,) = seat_names([seat])
        return name


class SeatInline(ShownName, ReadOnly, admin.TabularInline[Seat, Game]):
    """The seats of a game."""

    model = Seat
    readonly_fields = ("shown_name",)
    fields = ("number", "shown_name", "user", "bot", "points", "place", "retired")
    ordering = ("number", "pk")
    extra = 0


class Size(admin.SimpleListFilter):
    """Games for so many players; what there can be is known without asking all games."""

    title = _("number of seats")
    parameter_name = "size"

    def lookups(self, _request: HttpRequest, _model_admin: Any) -> list[tuple[Any, Any]]:
        """Return the sizes that games can have."""
        sizes = {size for rules in RULESETS.values() for size in rules.seats}
        return [(str(size), str(size)) for size in sorted(sizes)]

    def queryset(self, _request: HttpRequest, rows: QuerySet[Game]) -> QuerySet[Game]:
        """Return the games of the size that is asked for."""
        asked = self.value()
        return rows.filter(size=int(asked)) if asked in dict(self.lookup_choices) else rows


@admin.register(Game)
class GameAdmin(Acts, ReadOnly, admin.ModelAdmin[Game]):
    """Games, without the cached positions."""

    list_display = ("key", "ruleset", "status", "size", "creator", "seq", "to_move", "created_at")
    list_filter = ("status", Size, "public")
    list_select_related = ("creator",)
    search_fields = ("key",)
    search_help_text = _("The key of a game, or the name of a person")
    ordering = ("-pk",)
    exclude = ("token", "setup", "setup_digest", "nameless_digest", "head", "state", "events")
    actions = None
    acts = GAME_ACTS
    inlines = (SeatInline,)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Game], search_term: str
    ) -> tuple[QuerySet[Game], bool]:
        """Find a game by its key, else the games of a person by their name: both by an index."""
        term = search_term.strip()
        if not term:
            return super().get_search_results(request, queryset, term)
        if (found := queryset.filter(key=term.lower())).exists():
            return found, False
        people = User.objects.filter(name_key=fold_name(normalise_name(term)))
        return queryset.filter(pk__in=Seat.objects.filter(user__in=people).values("game")), False


@admin.register(Seat)
class SeatAdmin(OfGame, ShownName, ReadOnly, admin.ModelAdmin[Seat]):
    """Seats of all games."""

    list_display = ("game", "number", "shown_name", "user", "bot", "points", "place", "retired")
    exclude = ("name",)
    readonly_fields = ("shown_name",)
    list_filter = ("retired",)
    search_fields = ("game__key__exact",)
    ordering = ("-pk",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Read the person in each seat with it."""
        return super().get_queryset(request).select_related("user")


@admin.register(Entry)
class EntryAdmin(OfGame, ReadOnly, admin.ModelAdmin[Entry]):
    """The move log, as a guest may read it."""

    fields = ("game", "seq", "seat", "shown_turn", "event", "reason", "by", "at", "shown_digest")
    list_display = ("game", "seq", "seat", "shown_turn", "event", "reason", "by", "at")
    list_filter = ("by", "event", "reason")
    search_fields = ("game__key__exact",)
    ordering = ("-pk",)

    @admin.display(description=_("turn"))
    def shown_turn(self, entry: Entry) -> str:
        """The turn, hidden cards replaced while the game runs."""
        return visible_turn(entry.game, entry, None)

    @admin.display(description=_("digest"))
    def shown_digest(self, entry: Entry) -> str:
        """The digest, once it can betray nothing any more."""
        return entry.digest if is_open_to_all(entry.game) else ""


@admin.register(Remark)
class RemarkAdmin(OfGame, ReadOnly, admin.ModelAdmin[Remark]):
    """The visible events beside the move log."""

    list_display = ("game", "after", "kind", "seat", "at")
    list_filter = ("kind",)
    search_fields = ("game__key__exact",)
    ordering = ("-pk",)


@admin.register(Pause)
class PauseAdmin(OfGame, ReadOnly, admin.ModelAdmin[Pause]):
    """Outages of the site, and clocks that the staff has stopped."""

    list_display = ("reason", "game", "start", "end", "credited")
    list_filter = ("reason", "credited")
    search_fields = ("game__key__exact",)
    ordering = ("-start",)


@admin.register(Setback)
class SetbackAdmin(OfGame, ReadOnly, admin.ModelAdmin[Setback]):
    """Games whose turn could not be played: those with many attempts are stuck."""

    list_display = ("game", "seq", "attempts", "retry_at", "cause")
    search_fields = ("game__key__exact",)
    ordering = ("-attempts", "-retry_at")


@admin.register(Notice)
class NoticeAdmin(Acts, ReadOnly, admin.ModelAdmin[Notice]):
    """The outbox: what waits, what was sent, what failed."""

    actions = None
    list_display = ("at", "user", "topic", "channel", "state", "cause", "due_at", "attempts", "closed_at")
    list_filter = ("channel", "state", "kind", "cause")
    list_select_related = ("user",)
    fields = ("user", "kind", "topic", "channel", "at", "state", "cause", "due_at", "attempts", "tried_at", "closed_at")
    search_fields = ("user__display_name", "user__email")
    ordering = ("-pk",)
    acts = (
        Act(
            name="send-again",
            label=_("Send again what their address did not take"),
            permission="accounts.change_user",
            fits=lambda notice: (
                notice.outlet_id is None and notice.state in {NoticeState.FAILED, NoticeState.HELD_BACK}
            ),
            run=lambda notice, _asked, staff: commands.reopen(people=[notice.user], now=timezone.now(), staff=staff),
        ),
    )


@admin.register(MailRefusal)
class MailRefusalAdmin(ReadOnly, admin.ModelAdmin[MailRefusal]):
    """Mails that a mail server refused for good."""

    list_display = ("at", "user", "gone", "reply")
    list_filter = ("gone",)
    list_select_related = ("user",)
    date_hierarchy = "at"
    ordering = ("-at",)


@admin.register(Heartbeat)
class HeartbeatAdmin(ReadOnly, admin.ModelAdmin[Heartbeat]):
    """The heartbeats of the sweeps, with the alarm above them."""

    list_display = ("name", "at")
    ordering = ("name",)
    change_list_template = "admin/games/heartbeats.html"

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Show the heartbeats, and what is wrong, if anything is."""
        alarm = due.alarm(timezone.now())
        return super().changelist_view(request, {**(extra_context or {}), "alarm": alarm})
