"""Games for the staff: to look at, not to change. Hidden cards stay hidden here too while a game runs."""

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games.models import Entry, Game, Seat
from games.records import is_open_to_all, visible_turn


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


class SeatInline(ReadOnly, admin.TabularInline[Seat, Game]):
    """The seats of a game."""

    model = Seat
    fields = ("number", "name", "user", "bot", "points", "place", "retired")
    ordering = ("number", "pk")
    extra = 0


@admin.register(Game)
class GameAdmin(ReadOnly, admin.ModelAdmin[Game]):
    """Games, without the cached positions."""

    list_display = ("key", "ruleset", "status", "size", "creator", "seq", "to_move", "created_at")
    list_filter = ("status", "ruleset", "size", "public")
    list_select_related = ("creator",)
    search_fields = ("key", "seats__name")
    date_hierarchy = "created_at"
    ordering = ("-created_at",)
    exclude = ("setup", "setup_digest", "head")
    inlines = (SeatInline,)


@admin.register(Seat)
class SeatAdmin(ReadOnly, admin.ModelAdmin[Seat]):
    """Seats of all games."""

    list_display = ("game", "number", "name", "user", "bot", "points", "place", "retired")
    list_filter = ("bot", "retired")
    list_select_related = ("game", "user")
    search_fields = ("game__key", "name")
    ordering = ("-game__created_at", "number")


@admin.register(Entry)
class EntryAdmin(ReadOnly, admin.ModelAdmin[Entry]):
    """The move log, as a guest may read it."""

    fields = ("game", "seq", "seat", "shown_turn", "event", "reason", "by", "at", "shown_digest")
    list_display = ("game", "seq", "seat", "shown_turn", "event", "reason", "by", "at")
    list_filter = ("by", "event", "reason")
    list_select_related = ("game",)
    search_fields = ("game__key",)
    ordering = ("-pk",)

    @admin.display(description=_("turn"))
    def shown_turn(self, entry: Entry) -> str:
        """The turn, hidden cards replaced while the game runs."""
        return visible_turn(entry.game, entry, None)

    @admin.display(description=_("digest"))
    def shown_digest(self, entry: Entry) -> str:
        """The digest, once it can betray nothing any more."""
        return entry.digest if is_open_to_all(entry.game) else ""
