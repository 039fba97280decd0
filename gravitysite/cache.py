"""A Redis cache that may be away: what it held counts as forgotten, and nothing that a person does fails for it."""

import hashlib
import hmac
import json
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any, Final

import structlog
from django.conf import settings
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.exceptions import RedisError

QUIET: Final = 5.0
"""Seconds for which a cache that could not be reached is not asked again, so that no request waits for it twice."""

SIGNATURE: Final = 32
"""Letters of the signature of a value."""

logger = structlog.get_logger(__name__)


class ForgedError(Exception):
    """A value that this site did not store."""


class SignedJson:
    """Values as JSON with a signature: whoever can write to Redis can run no code here, and make nothing up.

    Whole numbers stand bare, so that Redis can count them.
    """

    def dumps(self, value: Any) -> int | bytes:
        """Return what is stored of a value, which must be one that JSON has."""
        if type(value) is int:
            return value
        text = json.dumps(value).encode()
        return self._sign(text) + text

    def loads(self, stored: bytes) -> Any:
        """Return a value. Raises `ForgedError` for one that the site did not store."""
        try:
            return int(stored)
        except ValueError:
            signature, text = stored[:SIGNATURE], stored[SIGNATURE:]
        if not hmac.compare_digest(signature, self._sign(text)):
            raise ForgedError
        return json.loads(text)

    @staticmethod
    def _sign(text: bytes) -> bytes:
        key = hashlib.sha256(settings.SECRET_KEY.encode()).digest()
        return hashlib.blake2b(text, key=key, digest_size=SIGNATURE // 2, person=b"gravity cache").hexdigest().encode()


class OneClient(RedisCacheClient):
    """Django's client of Redis, made once for each server and not anew for each command, without its pickles."""

    def __init__(self, servers: Any, **options: Any) -> None:
        super().__init__(servers, **{**options, "serializer": SignedJson()})
        self._clients: dict[bool, Any] = {}

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        """Return the client; which key it is for makes no difference."""
        if write not in self._clients:
            self._clients[write] = super().get_client(key, write=write)
        return self._clients[write]


class ForgetfulRedisCache(RedisCache):
    """Django's Redis cache, in which every reading misses and every writing is dropped while Redis is away."""

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = OneClient

    def add(self, *args: Any, **kwargs: Any) -> bool:
        """Store a value unless there is one; it counts as stored."""
        return _or(True, super().add, *args, **kwargs)

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        """Return a value, or ``default``."""
        return _or(default, super().get, key, default, version)

    def set(self, *args: Any, **kwargs: Any) -> None:
        """Store a value."""
        _or(None, super().set, *args, **kwargs)

    def touch(self, *args: Any, **kwargs: Any) -> bool:
        """Keep a value for longer."""
        return _or(False, super().touch, *args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> bool:
        """Forget a value."""
        return _or(False, super().delete, *args, **kwargs)

    def get_many(self, *args: Any, **kwargs: Any) -> dict[Any, Any]:
        """Return the values that are known."""
        return _or({}, super().get_many, *args, **kwargs)

    def has_key(self, *args: Any, **kwargs: Any) -> bool:
        """Return whether a value is known."""
        return _or(False, super().has_key, *args, **kwargs)

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        """Count up; a count that is not known starts anew."""
        return _or(delta, super().incr, key, delta, version)

    def set_many(self, data: Mapping[Any, Any], *args: Any, **kwargs: Any) -> list[Any]:
        """Store values."""
        return _or([], super().set_many, data, *args, **kwargs)

    def delete_many(self, *args: Any, **kwargs: Any) -> None:
        """Forget values."""
        _or(None, super().delete_many, *args, **kwargs)

    def clear(self) -> None:
        """Forget everything."""
        _or(None, super().clear)


_away_until = 0.0


def _or[Value](otherwise: Value, call: Callable[..., Any], *args: Any, **kwargs: Any) -> Value:
    global _away_until  # noqa: PLW0603 - what this process knows of the cache
    if monotonic() < _away_until:
        return otherwise
    try:
        answer: Value = call(*args, **kwargs)
    except ForgedError:
        logger.warning("a value in the cache is not ours")
        return otherwise
    except RedisError as error:
        _away_until = monotonic() + QUIET
        logger.warning("cache is away", error=type(error).__name__)
        return otherwise
    return answer
