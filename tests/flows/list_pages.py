"""Every page that lists something which grows: what is measured, and whose queries are looked at. A line a page.

The people and games are those of `manage.py seed_load`. A new list gets a line. In its address ``{average}`` and
``{heavy}`` are the numbers of people, ``{talk}`` is the key of a game in which much was written, ``{month}`` is the
last one, ``{middle}`` an instant half way through all games, as pages begin there. ``{name}`` is called who has most
games, ``{rival}`` whom they played most, who has the number ``{other}``.
"""

import html
import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from http import HTTPStatus
from typing import Final, Self
from urllib.parse import urljoin

from django.db.models import Count
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.management.load.people import HEAVY
from games.management.load.scene import SPAN
from games.models import Message, Rivalry

GUEST, AVERAGE, PLAYS_MOST, STAFF = "guest", "average", "heavy", "staff"
MOST_QUERIES: Final = 12
BIG: Final = (
    *("games_game", "games_seat", "games_entry", "games_result", "games_mark", "games_message", "games_rivalry"),
    *("games_ratingchange", "games_ratingmonth", "games_career", "notices_notice"),
)
"""The tables that no page may read from end to end. People are not among them: few of them are joined by a hash."""


@dataclass(frozen=True, slots=True)
class ListPage:
    """A page that lists something."""

    name: str
    reader: str
    address: str
    onwards: int = 0
    """So many times the link to the next page is followed first."""


PAGES: Final = (
    ListPage("home", GUEST, "/"),
    ListPage("home, most games", PLAYS_MOST, "/"),
    ListPage("lobby", GUEST, "/lobby/"),
    ListPage("lobby, signed in", AVERAGE, "/lobby/"),
    ListPage("lobby, most games", PLAYS_MOST, "/lobby/"),
    ListPage("lobby, filters", AVERAGE, "/lobby/?size=2&pace=days&rated=yes"),
    ListPage("lobby, next page", GUEST, "/lobby/", onwards=1),
    ListPage("watch, running", GUEST, "/watch/"),
    ListPage("watch, running, page 5", GUEST, "/watch/", onwards=4),
    ListPage("watch, ended", GUEST, "/watch/?list=finished"),
    ListPage("watch, ended, half way", GUEST, "/watch/?list=finished&after={middle}"),
    ListPage("my games", AVERAGE, "/my-games/"),
    ListPage("my games, most games", PLAYS_MOST, "/my-games/"),
    ListPage("my games, to move", PLAYS_MOST, "/my-games/?list=to-move&page=2"),
    ListPage("my games, waiting", PLAYS_MOST, "/my-games/?list=waiting&page=2"),
    ListPage("my games, open", PLAYS_MOST, "/my-games/?list=open"),
    ListPage("my games, invited", PLAYS_MOST, "/my-games/?list=invited"),
    ListPage("my games, ended", PLAYS_MOST, "/my-games/?list=ended"),
    ListPage("my games, ended, half way", PLAYS_MOST, "/my-games/?list=ended&after={middle}"),
    ListPage("my games, number waiting", PLAYS_MOST, "/my-games/waiting"),
    ListPage("friends", AVERAGE, "/friends/"),
    ListPage("friends, most games", PLAYS_MOST, "/friends/"),
    ListPage("a player", GUEST, "/players/{average}/"),
    ListPage("a player, own page", AVERAGE, "/players/{average}/"),
    ListPage("a player, most games", GUEST, "/players/{heavy}/"),
    ListPage("a player, own page, most games", PLAYS_MOST, "/players/{heavy}/"),
    ListPage("a player, half way", AVERAGE, "/players/{heavy}/?after={middle}"),
    ListPage("a player, filters", AVERAGE, "/players/{heavy}/?size=4&result=won&mark=comeback"),
    ListPage("head to head", AVERAGE, "/players/{heavy}/?against={rival}"),
    ListPage("head to head, the other way", AVERAGE, "/players/{other}/?against={name}"),
    ListPage("finished games", GUEST, "/games/"),
    ListPage("finished games, next page", GUEST, "/games/", onwards=1),
    ListPage("finished games, half way", GUEST, "/games/?after={middle}"),
    ListPage("finished games, of six", GUEST, "/games/?size=6&after={middle}"),
    ListPage("finished games, by mark", GUEST, "/games/?mark=won-by-tokens&after={middle}"),
    ListPage("finished games, by mark and size", GUEST, "/games/?mark=comeback&size=5"),
    ListPage("finished games, by person", GUEST, "/games/?player={name}&result=lost&after={middle}"),
    ListPage("finished games, by two people", GUEST, "/games/?player={name}&against={rival}&result=won"),
    ListPage("leaderboard, duels", AVERAGE, "/leaderboards/"),
    ListPage("leaderboard, tables", AVERAGE, "/leaderboards/?games=table"),
    ListPage("leaderboard, month, duels", AVERAGE, "/leaderboards/?games=duel&month={month}"),
    ListPage("leaderboard, month, tables", PLAYS_MOST, "/leaderboards/?games=table&month={month}"),
    ListPage("blocked people", PLAYS_MOST, "/accounts/blocked/"),
    ListPage("blocked people, page 3", PLAYS_MOST, "/accounts/blocked/?page=3"),
    ListPage("deliveries", AVERAGE, "/accounts/notices/sent/"),
    ListPage("deliveries, most games", PLAYS_MOST, "/accounts/notices/sent/"),
    ListPage("deliveries, page 50", PLAYS_MOST, "/accounts/notices/sent/?page=50"),
    ListPage("messages of a game", PLAYS_MOST, "/games/{talk}/messages/"),
    ListPage("messages, page 10", PLAYS_MOST, "/games/{talk}/messages/", onwards=9),
    ListPage("api: running games", GUEST, "/api/v1/games/"),
    ListPage("api: open games", AVERAGE, "/api/v1/games/?status=open"),
    ListPage("api: finished games, half way", GUEST, "/api/v1/games/?status=finished&after={middle}"),
    ListPage("api: my games", PLAYS_MOST, "/api/v1/games/?mine=true"),
    ListPage("api: my finished games, half way", PLAYS_MOST, "/api/v1/games/?mine=true&status=finished&after={middle}"),
    ListPage("api: games that wait", PLAYS_MOST, "/api/v1/me/waiting/"),
    ListPage("api: who am I", PLAYS_MOST, "/api/v1/me/"),
    ListPage("api: a player, most games", GUEST, "/api/v1/players/{heavy}/"),
    ListPage("api: a player's games, half way", GUEST, "/api/v1/players/{heavy}/games/?after={middle}"),
    ListPage("staff: people", STAFF, "/admin/accounts/user/"),
    ListPage("staff: people, by name", STAFF, "/admin/accounts/user/?q=heavy"),
    ListPage("staff: games", STAFF, "/admin/games/game/"),
    ListPage("staff: running games", STAFF, "/admin/games/game/?status__exact=active"),
    ListPage("staff: a game by its key", STAFF, "/admin/games/game/?q={talk}"),
    ListPage("staff: seats", STAFF, "/admin/games/seat/"),
    ListPage("staff: entries", STAFF, "/admin/games/entry/"),
    ListPage("staff: notices", STAFF, "/admin/notices/notice/"),
    ListPage("staff: reports", STAFF, "/admin/games/report/"),
)


class Visit:
    """The people who look, signed in, one of the staff among them, and the addresses as they are in this database."""

    def __init__(self) -> None:
        people = User.objects.count()
        average = max(2, people // 2)
        talks = Message.objects.values("game__key").annotate(written=Count("pk")).order_by("-written")
        rival = Rivalry.objects.filter(user=HEAVY, rival__ratings_shown=True).order_by("-games")[0].rival
        middle = round((timezone.now() - SPAN / 2).timestamp() * 1_000_000)
        self._names = {
            "average": average,
            "heavy": HEAVY,
            "talk": talks[0]["game__key"],
            "middle": f"{middle}-1",
            "name": User.objects.get(pk=HEAVY).display_name,
            "rival": rival.display_name,
            "other": rival.pk,
            "month": f"{_last_month(timezone.now()):%Y-%m}",
        }
        self._staff = staff = User.objects.create_superuser("staff@load.example", None, display_name="Overseer")
        readers = {AVERAGE: User.objects.get(pk=average), PLAYS_MOST: User.objects.get(pk=HEAVY), STAFF: staff}
        self._clients = {GUEST: Client(SERVER_NAME="localhost")}
        for name, person in readers.items():
            self._clients[name] = Client(SERVER_NAME="localhost")
            self._clients[name].force_login(person)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        for client in self._clients.values():
            client.logout()
        self._staff.delete()

    def find(self, page: ListPage) -> str:
        """Return the address of a page, going on from its beginning where it is a later one."""
        address = page.address.format_map(self._names)
        for _time in range(page.onwards):
            text = self.open(page, address).decode()
            link = re.search(r'rel="next" href="([^"]+)"', text) or re.search(r'rel="prev" href="([^"]+)"', text)
            assert link is not None, f"{page.name}: no further page"
            address = urljoin(address, html.unescape(link[1]))
        return address

    def open(self, page: ListPage, address: str) -> bytes:
        """Return what a page answers to who looks at it."""
        answer = self._clients[page.reader].get(address)
        assert answer.status_code == HTTPStatus.OK, f"{page.name}: {answer.status_code}"
        return answer.content


def _last_month(now: datetime) -> date:
    return (now.date().replace(day=1) - timedelta(days=1)).replace(day=1)
