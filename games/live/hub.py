"""Passes on what Redis says of games to all who listen in this process, over one connection."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, suppress
from time import monotonic
from typing import Any, Final

import redis.asyncio
import structlog
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from games.announce import read

HELLO: Final = "live.hello"
"""A channel on which nothing is said: with none at all there would be nothing to wait for."""
SOONEST: Final = 0.5
LATEST: Final = 15.0
"""Seconds between two tries to reach Redis, the first time and at most."""
LOOK: Final = 1.0
"""Seconds without a word after which Redis is asked whether it is there."""
DEAF: Final = 4.0
"""Seconds without a word or an answer after which it is taken to be away: one that hangs closes no connection."""

logger = structlog.get_logger(__name__)


class Listener:
    """What one stream has still to say: of each game the last version alone, so that a slow reader piles up nothing."""

    def __init__(self) -> None:
        self._news: dict[str, int] = {}
        self._told: dict[str, int] = {}
        self._something = asyncio.Event()
        self.is_over = False
        """Whether nothing will be heard any more: Redis is away."""

    def tell(self, key: str, version: int) -> None:
        """Note that a game's version is now this one; once is enough, though it is said on several channels."""
        if version > max(self._news.get(key, -1), self._told.get(key, -1)):
            self._news[key] = version
            self._something.set()

    def end(self) -> None:
        """Note that nothing more will come."""
        self.is_over = True
        self._something.set()

    async def wait(self, seconds: float) -> dict[str, int]:
        """Return the games that have changed with their versions, as soon as there is one; after a while, none."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._something.wait(), seconds)
        self._something.clear()
        news, self._news = self._news, {}
        self._told |= news
        return news


class Hub:
    """The listeners of this process, by channel, and the connection that they share."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._listeners: defaultdict[str, set[Listener]] = defaultdict(set)
        self._subscription: Any = None
        self._task: asyncio.Task[None] | None = None
        self._is_up = False
        self._tried = asyncio.Event()
        """Whether Redis has been reached, or not, for the first time: before that nobody knows."""
        # Redis hears of channels in the order in which listeners come and go, as where a page is loaded anew.
        self._changing = asyncio.Lock()

    def is_hearing(self) -> bool:
        """Return whether what Redis says is heard; before anybody has listened, nothing speaks against it."""
        return self._is_up or not self._tried.is_set()

    @asynccontextmanager
    async def listen(self, channels: Collection[str]) -> AsyncIterator[Listener]:
        """Hear what is said on some channels, from the moment the block begins.

        The listener is over at once where Redis can't be reached.
        """
        if self._task is None:
            self._task = asyncio.create_task(self._run())
        listener = Listener()
        try:
            await self._join(listener, channels)
            yield listener
        finally:
            await self._leave(listener, channels)

    async def _join(self, listener: Listener, channels: Collection[str]) -> None:
        await self._tried.wait()
        if not self._is_up:
            listener.end()
            return
        async with self._changing:
            fresh = [channel for channel in channels if not self._listeners[channel]]
            for channel in channels:
                self._listeners[channel].add(listener)
            if fresh:
                try:
                    await self._subscription.subscribe(*fresh)
                except RedisError:  # the reader of the connection finds out as well, and ends all listeners
                    listener.end()

    async def _leave(self, listener: Listener, channels: Collection[str]) -> None:
        async with self._changing:
            for channel in channels:
                self._listeners[channel].discard(listener)
            left = [channel for channel in channels if not self._listeners[channel]]
            for channel in left:
                del self._listeners[channel]
            if left and self._is_up:
                with suppress(RedisError):
                    await self._subscription.unsubscribe(*left)

    async def _run(self) -> None:
        """Hold the connection, and begin anew whenever it breaks."""
        pause = SOONEST
        while True:
            try:
                async with self._client() as client, client.pubsub() as self._subscription:
                    await self._subscription.subscribe(HELLO)
                    self._is_up = True
                    self._tried.set()
                    pause = SOONEST
                    await self._pass_on()
            except (RedisError, OSError, ValueError) as error:  # the last for what is no word of ours
                logger.warning("nothing is heard of changes", error=type(error).__name__)
            self._is_up = False
            self._tried.set()
            self._end_all()
            await asyncio.sleep(pause)
            pause = min(2 * pause, LATEST)

    def _client(self) -> redis.asyncio.Redis:
        """Return a client that tries nothing again by itself: what is said meanwhile would be missed unnoticed."""
        return redis.asyncio.Redis.from_url(
            self._url,
            decode_responses=True,
            socket_connect_timeout=LOOK,
            socket_timeout=DEAF,
            retry=Retry(NoBackoff(), 0),
        )

    async def _pass_on(self) -> None:
        """Tell listeners what Redis says. Raises `TimeoutError` where it answers no more."""
        heard = monotonic()
        while monotonic() - heard < DEAF:
            message = await self._subscription.get_message(timeout=LOOK)
            if message is None:
                await self._subscription.ping()
                continue
            heard = monotonic()
            if message["type"] == "message":
                key, version = read(message["data"])
                for listener in self._listeners.get(message["channel"], ()):
                    listener.tell(key, version)
        raise TimeoutError

    def _end_all(self) -> None:
        for listener in set().union(*self._listeners.values()):
            listener.end()
        self._listeners.clear()
