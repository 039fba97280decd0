"""People, games and an hour hand for the tests of mails."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from accounts.models import User
from games import commands
from games.clock import PRESETS, TimeContract
from games.mails.deliver import send_due
from games.models import Game
from games.notifications.models import Notice
from tests.conftest import Sink
from tests.flows.play import NOW, RULESET, make_user

type Begin = Callable[..., Game]


@pytest.fixture
def ada(db: None) -> User:
    return make_user("Ada")


@pytest.fixture
def bo(db: None) -> User:
    return make_user("Bo")


@pytest.fixture
def begin(db: None) -> Begin:
    """Start a game of these people at ``now``."""

    def start(*people: User, contract: TimeContract = PRESETS["relaxed"], now: datetime = NOW, **terms: Any) -> Game:
        first, *others = people
        game = commands.create_game(
            user=first,
            ruleset=RULESET,
            size=terms.get("size", len(people)),
            options={},
            public=True,
            bots=terms.get("bots", ()),
            contract=contract,
            now=now,
        )
        for other in others:
            game = commands.join_game(game_key=game.key, user=other, now=now)
        return Game.objects.get(pk=game.pk)

    return start


class Post:
    """The mail server and the sweep, with time told in minutes after `NOW`."""

    def __init__(self, sink: Sink) -> None:
        self.sink = sink

    def sweep(self, minutes: float) -> list[str]:
        """Sweep at that minute; return the subjects of the mails that came, by receiver."""
        before = len(self.sink.messages)
        send_due(NOW + timedelta(minutes=minutes))
        return [f"{mail['To'].split('@')[0]}: {mail['Subject']}" for mail in self.sink.messages[before:]]

    def mails_to(self, user: User) -> list[Any]:
        return [mail for mail in self.sink.messages if mail["To"] == user.email]


@pytest.fixture
def post(smtp_sink: Sink, db: None) -> Post:
    return Post(smtp_sink)


def causes(user: User, topic: str) -> list[tuple[str, str]]:
    """Return (state, reason) of a person's notices on a topic, oldest first."""
    return list(Notice.objects.filter(user=user, topic=topic).order_by("pk").values_list("state", "cause"))
