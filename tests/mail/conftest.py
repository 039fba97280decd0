"""People, games, a mail server that can say no, and an hour hand for the tests of mails."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from pytest_django import Settings

from accounts.models import User
from games import commands
from games.clock import PRESETS, TimeControl
from games.delivery.deliver import send_due
from games.models import Game
from games.notices.models import Notice
from tests.conftest import Sink
from tests.flows.play import NOW, RULESET
from tests.services import HOST, free_port

type Begin = Callable[..., Game]


@pytest.fixture
def begin(db: None) -> Begin:
    """Create a game of these people at `NOW`, which starts if they and the bots fill it."""

    def start(*people: User, time_control: TimeControl = PRESETS["relaxed"], minutes: float = 0, **terms: Any) -> Game:
        first, *others = people
        now = NOW + timedelta(minutes=minutes)
        game = commands.create_game(
            user=first,
            ruleset=RULESET,
            size=terms.get("size", len(people)),
            options={},
            public=True,
            bots=terms.get("bots", ()),
            time_control=time_control,
            now=now,
        )
        for other in others:
            game = commands.join_game(game_key=game.key, user=other, now=now)
        return Game.objects.get(pk=game.pk)

    return start


@dataclass
class Server(Sink):
    """A mail server that knows some receivers not at all."""

    unknown: set[str] = field(default_factory=set)
    answer: str = "550 No such person here"
    """What it says of these."""
    says: dict[str, str] = field(default_factory=dict)
    """What it says to each command from all, instead of taking it: ``MAIL``, ``RCPT`` or ``DATA``."""

    async def handle_MAIL(  # noqa: N802
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take a sender, or none."""
        if "MAIL" in self.says:
            return self.says["MAIL"]
        envelope.mail_from, envelope.mail_options = address, options
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Keep a mail, or none."""
        return self.says.get("DATA") or await super().handle_DATA(server, session, envelope)

    async def handle_RCPT(  # noqa: N802
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Take a receiver, or refuse it for good."""
        if "RCPT" in self.says:
            return self.says["RCPT"]
        if address in self.unknown:
            return self.answer
        envelope.rcpt_tos.append(address)
        return "250 OK"


class Post:
    """The mail server and the sweep, with time in minutes after `NOW`."""

    def __init__(self, sink: Server, settings: Settings) -> None:
        self.sink = sink
        self.settings = settings
        self.connect()

    def connect(self) -> None:
        self._point_at(self.sink.port)

    def disconnect(self) -> None:
        """Let nobody listen where the site sends its mails."""
        self._point_at(free_port())

    def sweep(self, minutes: float) -> list[str]:
        """Sweep at that minute; return receiver and subject of each mail that came."""
        before = len(self.sink.messages)
        send_due(NOW + timedelta(minutes=minutes))
        return [f"{mail['To'].split('@')[0]}: {mail['Subject']}" for mail in self.sink.messages[before:]]

    def mails_to(self, user: User) -> list[Any]:
        return [mail for mail in self.sink.messages if mail["To"] == user.email]

    def _point_at(self, port: int) -> None:
        backend = "django.core.mail.backends.smtp.EmailBackend"
        self.settings.MAILERS = {
            "default": {"BACKEND": backend, "OPTIONS": {"host": HOST, "port": port, "timeout": 10}}
        }


@pytest.fixture
def post(settings: Settings) -> Iterator[Post]:
    sink = Server(port=free_port())
    controller = Controller(sink, hostname=HOST, port=sink.port)
    controller.start()
    yield Post(sink, settings)
    controller.stop()


def results(user: User, topic: str) -> list[tuple[str, str]]:
    """Return (state, reason) of a person's notices on a topic, oldest first."""
    return list(Notice.objects.filter(user=user, topic=topic).order_by("pk").values_list("state", "cause"))
