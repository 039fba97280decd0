"""That a game has changed is said on commit, to who watches it and who has a seat; Redis may be away."""

from collections.abc import Iterator
from random import Random

import pytest
import redis
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from accounts.models import User
from games import announce, commands
from games.errors import GameError
from games.models import Game
from tests.services import HOST, RedisServer, free_port

pytestmark = [pytest.mark.django_db]


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Know nothing of Redis yet."""
    monkeypatch.setattr(announce, "_quiet_until", 0.0)
    announce._client.cache_clear()
    yield
    announce._client.cache_clear()


@pytest.fixture
def game(ada: User, bo: User) -> Game:
    """A running game of Ada and Bo."""
    now = timezone.now()
    game = commands.create_game(
        user=ada, ruleset="gravity-1", size=2, options={}, public=True, bots=[], now=now, rng=Random(1)
    )
    return commands.join_game(game_key=game.key, user=bo, now=now, rng=Random(1))


class Ear:
    """Hears what is said on channels, from now on."""

    def __init__(self, url: str, *channels: str) -> None:
        self.subscription = redis.Redis.from_url(url, decode_responses=True).pubsub(ignore_subscribe_messages=True)
        self.subscription.subscribe(*channels)
        self.heard()

    def heard(self) -> list[tuple[str, tuple[str, int]]]:
        """Return what was said by now: channel, key and version."""
        got = [self.subscription.get_message(timeout=0.1) for _message in range(10)]
        return [(message["channel"], announce.read(message["data"])) for message in got if message is not None]


@pytest.mark.redis
def test_each_change_is_said_once_on_commit_to_the_game_and_its_people(
    game: Game,
    ada: User,
    bo: User,
    cleo: User,
    redis_url: str,
    settings: Settings,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    settings.LIVE, settings.REDIS_URL = True, redis_url
    channels = [announce.game_channel(game.key), *(announce.person_channel(one.pk) for one in (ada, bo, cleo))]
    ear = Ear(redis_url, *channels)
    with django_capture_on_commit_callbacks() as callbacks:
        commands.write_message(game_key=game.key, user=bo, text="Well met", now=timezone.now())
    game.refresh_from_db()
    assert ear.heard() == []
    for callback in callbacks:
        callback()
    assert sorted(ear.heard()) == sorted((channel, (game.key, game.version)) for channel in channels[:3])


def test_without_a_process_that_listens_nothing_is_said(game: Game, settings: Settings) -> None:
    settings.LIVE, settings.REDIS_URL = False, f"redis://{HOST}:{free_port()}/0"
    announce.announce(game.key, 2, [1])
    assert announce._quiet_until == 0


def test_where_redis_is_away_a_turn_is_played_and_the_next_one_does_not_wait(
    game: Game, bo: User, settings: Settings, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    settings.LIVE, settings.REDIS_URL = True, f"redis://{HOST}:{free_port()}/0"
    with django_capture_on_commit_callbacks(execute=True):
        commands.write_message(game_key=game.key, user=bo, text="Well met", now=timezone.now())
    assert game.messages.count() == 1
    assert announce._quiet_until > 0
    announce._client.cache_clear()
    announce.announce(game.key, 2, [1])
    assert announce._client.cache_info().misses == 0


@pytest.mark.redis
def test_of_what_is_refused_nothing_is_said(
    game: Game,
    cleo: User,
    redis_server: RedisServer,
    settings: Settings,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    settings.LIVE, settings.REDIS_URL = True, redis_server.url
    ear = Ear(redis_server.url, announce.game_channel(game.key))
    with django_capture_on_commit_callbacks(execute=True), pytest.raises(GameError):
        commands.write_message(game_key=game.key, user=cleo, text="Well met", now=timezone.now())
    assert ear.heard() == []


@pytest.mark.parametrize(("key", "version"), [("8yp6zzrpib6v", 1), ("8yp6zzrpib6v", 10**9)])
def test_what_is_said_is_the_key_and_the_version(key: str, version: int) -> None:
    assert announce.read(announce.write(key, version)) == (key, version)
