"""A site with people and games, where each address can be asked as everyone, and what that changed is undone."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from datetime import timedelta
from typing import Any

from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import tokens
from accounts.bots import make_bot
from accounts.models import Scope, User
from games import commands
from games.delivery.invitation import stop_token
from games.models import Message
from games.notices.kinds import HookStyle, NoticeKind
from games.notices.preferences import unsubscribe_token
from tests.flows.addresses import FIELDS, ROLES, Row
from tests.flows.play import RULESET, make_user, start_game
from tests.games.puzzle_box import WRONG, make_puzzle


class World:
    """Everyone's browsers, and what the addresses are about."""

    def __init__(self) -> None:
        self.player, rival, stranger = (make_user(name) for name in ("Ada", "Bo", "Cy"))
        staff = User.objects.create_superuser("staff@example.org", "a fine long password", display_name="Staff")
        now = timezone.now()
        running = start_game([self.player, rival])
        commands.write_message(game_key=running.key, user=rival, text="Well met", now=now)
        message = Message.objects.get()
        commands.write_to_spectators(game_key=running.key, user=staff, text="A fine start", now=now)
        waiting = commands.create_game(
            user=self.player, ruleset=RULESET, size=3, options={}, public=True, bots=[], now=now
        )
        commands.join_game(game_key=waiting.key, user=rival, now=now)
        puzzle = make_puzzle(now=now)
        judged = commands.answer_puzzle(puzzle=puzzle, user=self.player, turn=WRONG, now=now)
        day = timezone.localdate() + timedelta(days=3)
        self.holiday = commands.add_holiday(user=self.player, first=day, last=day, now=now)
        token, _text = tokens.make(self.player, name="Juno", scopes=[Scope.READ], life=None, now=now)
        secret = tokens.make_for_calendar(self.player, name="April", now=now)
        bot = make_bot(self.player, "Rex", now)
        hook = commands.add_hook(
            user=self.player,
            name="Chat",
            style=HookStyle.SLACK,
            address="https://chat.example/hook",
            secret="",
            now=now,
        )
        self.people = dict(zip(ROLES, (None, stranger, rival, self.player, staff), strict=True))
        self.about: dict[str, dict[str, Any]] = {
            "-": {},
            "running": {"key": running.key},
            "open": {"key": waiting.key},
            "moved": {"key": running.key},
            "name": {"name": "Ada"},
            "person": {"number": self.player.pk},
            "planned": {"key": running.key, "place": 1},
            "message": {"key": running.key, "number": message.pk},
            "entry": {"key": running.key, "number": 1},
            "heard": {"key": running.key, "number": 1},
            "sample": {"name": "turn"},
            "word": {"token": unsubscribe_token(self.player, [NoticeKind.TURN])},
            "stop": {"token": stop_token("dee@example.org")},
            "holiday": {"number": self.holiday.pk},
            "session": {"number": 1},
            "passkey": {"pk": 1},
            "token": {"number": token.pk},
            "secret": {"token": secret},
            "bot": {"number": bot.pk},
            "outlet": {"number": hook.pk},
            "family": {"family": "gravity"},
            "mail": {"key": "x"},
            "change": {"key": "x"},
            "lesson": {"name": "down"},
            "puzzle": {"number": puzzle.pk},
            "judged": {"number": puzzle.pk, "judged": judged.pk},
            "rest": {"rest": "nothing/here/"},
            "reset": {"uidb36": "1", "key": "x"},
        }
        self.open_browsers()

    def open_browsers(self, **terms: Any) -> None:
        """Give everyone a browser of their own."""
        self.browsers = {role: Client(**terms) for role in ROLES}
        for role, person in self.people.items():
            if person is not None:
                self.browsers[role].force_login(person)

    def ask(
        self, role: str, row: Row, method: str = "", *, fields: Mapping[str, Any] | None = None, follow: bool = False
    ) -> Any:
        """Ask as the row says, or with other fields; undo what that changed."""
        address = reverse(row.name, kwargs=self.about[row.about])
        if fields is None:
            fields = FIELDS.get(row.name, {})
        with self._undone(role) as browser:
            if (method or row.method) == "GET":
                return browser.get(address, follow=follow)
            if (method or row.method) == "DELETE":
                return browser.delete(address)
            if row.name.startswith("api_"):
                return browser.post(address, fields, content_type="application/json")
            return browser.post(address, fields, follow=follow)

    def post(self, role: str, address: str, fields: Mapping[str, Any]) -> Any:
        """Send a form to an address; undo what that changed."""
        with self._undone(role) as browser:
            return browser.post(address, fields)

    @contextmanager
    def _undone(self, role: str) -> Iterator[Client]:
        """Lend somebody's browser, without a limit on asking; undo what is done with it."""
        cache.clear()
        browser = self.browsers[role]
        cookies, before = copy(browser.cookies), transaction.savepoint_create()
        yield browser
        transaction.savepoint_rollback(before)
        browser.cookies = cookies
