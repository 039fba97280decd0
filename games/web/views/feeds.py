"""Atom feeds of what anybody may see: the moves of a game, and the games that have ended."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from django.contrib.syndication.views import Feed
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from accounts.mail_format import mail_host
from games import queries
from games.errors import GameError
from games.log.table import Table
from games.models.choices import Status
from games.presenters.registry import PRESENTERS
from games.queries.by_key import game_by_key
from games.queries.listing import public_games
from games.queries.lists import EPOCH
from games.queries.log import LogLine
from games.words.lists import list_words

SIZE: Final = 30
"""How many entries a feed has at most."""
KEPT: Final = 300
"""Seconds for which a feed may be kept."""


class _Atom(Atom1Feed):
    """A feed whose date is that of its last entry; one without entries was never changed."""

    def latest_post_date(self) -> datetime:
        """Return when the feed last changed."""
        return super().latest_post_date() if self.items else EPOCH


class _Public(Feed[Any, Any]):
    """A feed that is the same for everybody, and kept for some minutes."""

    feed_type = _Atom

    def __call__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Answer one request."""
        response = super().__call__(request, *args, **kwargs)
        patch_cache_control(response, private=True, max_age=KEPT)
        return response


class MovesFeed(_Public):
    """The last entries of the log of a game, the newest first, as a spectator sees them."""

    def get_object(self, _request: HttpRequest, key: str) -> tuple[Table, tuple[LogLine, ...]]:
        """Return the table and the entries. Raises `Http404` for a game that has not begun or not everybody may see."""
        try:
            game = game_by_key(key, None)
        except GameError as error:
            raise Http404 from error
        if not game.was_set_up:
            raise Http404
        return Table.of(game), queries.log_page(game, None, size=SIZE)

    def title(self, shown: tuple[Table, object]) -> str:
        """Return what the feed is called."""
        return gettext("Game of %(players)s") % {"players": list_words(shown[0].names)}

    def link(self, shown: tuple[Table, object]) -> str:
        """Return the address of the game."""
        return reverse("game", args=[shown[0].game.key])

    def items(self, shown: tuple[Table, tuple[LogLine, ...]]) -> Sequence[tuple[Table, LogLine]]:
        """Return the entries, each with the table."""
        table, lines = shown
        return [(table, line) for line in lines]

    def item_title(self, item: tuple[Table, LogLine]) -> str:
        """Return whose entry it is, and what it is as records write it."""
        table, line = item
        return f"{table.names[line.seat - 1]}: {line.turn or line.event}"

    def item_description(self, item: tuple[Table, LogLine]) -> str:
        """Return what happened."""
        table, line = item
        return " ".join(PRESENTERS[table.game.ruleset].narrate(line.events, line.turn, table.names))

    def item_link(self, item: tuple[Table, LogLine]) -> str:
        """Return where the board after it is."""
        table, line = item
        return f"{reverse('game', args=[table.game.key])}?at={line.seq}"

    def item_guid(self, item: tuple[Table, LogLine]) -> str:
        """Return what names the entry for ever."""
        table, line = item
        return f"tag:{mail_host()},2026:{table.game.key}/{line.seq}"

    def item_updateddate(self, item: tuple[Table, LogLine]) -> datetime:
        """Return when it was played."""
        return item[1].at


class FinishedFeed(_Public):
    """The public games that have ended of late, the newest first."""

    title = _("Finished games")

    def link(self) -> str:
        """Return the page of finished games."""
        return reverse("past_games")

    def items(self) -> list[Table]:
        """Return the tables of the games."""
        games, _following = public_games(Status.FINISHED, None)
        return [Table.of(game) for game in games[:SIZE]]

    def item_title(self, item: Table) -> str:
        """Return who played."""
        return gettext("Game of %(players)s") % {"players": list_words(item.names)}

    def item_description(self, item: Table) -> str:
        """Return who came where, with how many points."""
        places = sorted((seat.place or item.game.size, seat.points, name) for seat, name in item.seated)
        return list_words(f"{place}. {name} ({points})" for place, points, name in places)

    def item_link(self, item: Table) -> str:
        """Return the address of the game."""
        return reverse("game", args=[item.game.key])

    def item_guid(self, item: Table) -> str:
        """Return what names the game for ever."""
        return f"tag:{mail_host()},2026:{item.game.key}"

    def item_updateddate(self, item: Table) -> datetime:
        """Return when it ended."""
        return item.game.finished_at or item.game.created_at


moves = require_safe(MovesFeed())
finished = require_safe(FinishedFeed())
