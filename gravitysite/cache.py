"""A Redis cache that may be away: what it held counts as forgotten, and nothing that a person does fails for it."""

from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any, Final

import structlog
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.exceptions import RedisError

QUIET: Final = 5.0
"""Seconds for which a cache that could not be reached is not asked again, so that no request waits for it twice."""

logger = structlog.get_logger(__name__)


class OneClient(RedisCacheClient):
    """Django's client of Redis, made once for each server and not anew for each command."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
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
    except RedisError as error:
        _away_until = monotonic() + QUIET
        logger.warning("cache is away", error=type(error).__name__)
        return otherwise
    return answer
