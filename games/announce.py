"""Tells whoever listens that a game has changed: the process ``live`` passes it on to open pages (decision 16).

What is said is the game's key and its version, nothing of what changed: who hears it asks for that as anyone would.
What gets lost costs only time, as open pages ask by themselves now and then.
"""

from collections.abc import Collection
from functools import cache
from time import monotonic
from typing import Final
from urllib.parse import urlsplit

import redis
import structlog
from django.conf import settings

QUIET: Final = 30.0
"""Seconds without a word after Redis could not be reached, so that nobody's request waits for it again."""
PATIENCE: Final = 0.5
"""Seconds that Redis has to take a word."""

logger = structlog.get_logger(__name__)

_quiet_until = 0.0


def game_channel(key: str) -> str:
    """Return the channel of Redis on which the changes of a game are told."""
    return _channel(f"game.{key}")


def person_channel(number: int) -> str:
    """Return the channel on which the changes of all games are told in which a person has a seat."""
    return _channel(f"person.{number}")


def announce(key: str, version: int, people: Collection[int]) -> None:
    """Say to whoever watches a game, and to its ``people``, that its version is now this one. Never raises for Redis.

    Nothing is said where no process ``live`` runs (``LIVE``).
    """
    global _quiet_until  # noqa: PLW0603 - what this process knows of Redis
    if not settings.LIVE or monotonic() < _quiet_until:
        return
    word = write(key, version)
    try:
        with _client().pipeline(transaction=False) as words:
            for channel in (game_channel(key), *map(person_channel, people)):
                words.publish(channel, word)
            words.execute()
    except redis.RedisError as error:
        _quiet_until = monotonic() + QUIET
        logger.warning("nobody is told of changes", error=type(error).__name__)


def write(key: str, version: int) -> str:
    """Return what is said of a game."""
    return f"{key} {version}"


def read(word: str) -> tuple[str, int]:
    """Return (key, version) of what was said."""
    key, version = word.split()
    return key, int(version)


def _channel(name: str) -> str:
    """Return the full name of a channel; all databases of a server share its channels, so it names the database."""
    return f"live{urlsplit(settings.REDIS_URL).path}.{name}"


@cache
def _client() -> redis.Redis:
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE)
