"""What Redis says of games reaches whoever listens, once and the last of it; where Redis goes, listeners are let go."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Any

import pytest
from redis.asyncio import Redis

from games.announce import write
from games.live.hub import DEAF, HELLO, LOOK, Hub, Listener
from tests.services import HOST, PATIENCE, RedisServer, free_port

KEY = "8yp6zzrpib6v"
OTHER = "8yp6zzrpib6a"


def run[Result](what: Coroutine[Any, Any, Result]) -> Result:
    """Run something in a thread of its own: in this one a browser's loop may run."""

    async def bounded() -> Result:
        return await asyncio.wait_for(what, PATIENCE)

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, bounded()).result()


async def until(says: Redis, *channels: str) -> None:
    """Wait until the server knows that these channels are listened to, and no others."""
    wanted = sorted((*channels, HELLO))
    while sorted(await says.pubsub_channels()) != wanted:  # noqa: ASYNC110 - the server tells nobody of it
        await asyncio.sleep(0.01)


def client(server: RedisServer) -> Redis:
    return Redis.from_url(server.url, decode_responses=True)


def test_a_listener_is_told_the_last_version_of_each_game_once() -> None:
    async def listen() -> None:
        listener = Listener()
        for key, version in ((KEY, 3), (OTHER, 7), (KEY, 5), (KEY, 4)):
            listener.tell(key, version)
        assert await listener.wait(1) == {KEY: 5, OTHER: 7}
        listener.tell(KEY, 5)
        assert await listener.wait(0.01) == {}
        listener.end()
        assert await listener.wait(1) == {}
        assert listener.is_over

    run(listen())


@pytest.mark.redis
def test_who_listens_hears_what_is_said_there_and_nothing_else(redis_server: RedisServer) -> None:
    async def listen() -> None:
        hub = Hub(redis_server.url)
        async with (
            client(redis_server) as says,
            hub.listen(["one", "two"]) as both,
            hub.listen(["two"]) as second,
        ):
            await until(says, "one", "two")
            await says.publish("one", write(KEY, 2))
            await says.publish("three", write(OTHER, 1))
            assert await both.wait(PATIENCE) == {KEY: 2}
            await says.publish("two", write(KEY, 3))
            assert await both.wait(PATIENCE) == {KEY: 3}
            assert await second.wait(PATIENCE) == {KEY: 3}
            assert await both.wait(0.05) == {}

    run(listen())


@pytest.mark.redis
def test_the_server_is_asked_for_what_somebody_listens_to_and_no_more(redis_server: RedisServer) -> None:
    async def listen() -> None:
        hub = Hub(redis_server.url)
        async with client(redis_server) as looks:
            async with hub.listen(["one"]):
                async with hub.listen(["one", "two"]):
                    await until(looks, "one", "two")
                await until(looks, "one")
            await until(looks)
            assert not hub._listeners

    run(listen())


@pytest.mark.redis
def test_who_comes_while_another_goes_hears_what_is_said(redis_server: RedisServer) -> None:
    async def listen() -> None:
        hub = Hub(redis_server.url)

        async def stay(till: asyncio.Event) -> None:
            async with hub.listen(["one"]):
                await till.wait()

        async with client(redis_server) as says:
            till = asyncio.Event()
            other = asyncio.create_task(stay(till))
            await until(says, "one")
            unsubscribe = hub._subscription.unsubscribe

            async def unsubscribe_late(*channels: str) -> None:
                await asyncio.sleep(0.1)
                await unsubscribe(*channels)

            hub._subscription.unsubscribe = unsubscribe_late
            till.set()
            await asyncio.sleep(0)
            async with hub.listen(["one"]) as listener:
                await other
                await until(says, "one")
                await says.publish("one", write(KEY, 2))
                assert await listener.wait(PATIENCE) == {KEY: 2}

    run(listen())


@pytest.mark.redis
def test_where_redis_goes_listeners_are_over_and_when_it_is_back_new_ones_hear(redis_server: RedisServer) -> None:
    async def listen() -> None:
        hub = Hub(redis_server.url)
        async with hub.listen(["one"]) as listener:
            await asyncio.to_thread(redis_server.stop)
            await listener.wait(PATIENCE)
            assert listener.is_over
        async with hub.listen(["one"]) as listener:
            assert listener.is_over
        await asyncio.to_thread(redis_server.start)
        async with client(redis_server) as says:
            await until(says)
            async with hub.listen(["one"]) as listener:
                await until(says, "one")
                await says.publish("one", write(KEY, 9))
                assert await listener.wait(PATIENCE) == {KEY: 9}

    run(listen())


@pytest.mark.redis
@pytest.mark.slow
def test_a_redis_that_hangs_is_taken_to_be_away_within_seconds(redis_server: RedisServer) -> None:
    async def listen() -> None:
        hub = Hub(redis_server.url)
        async with hub.listen(["one"]) as listener:
            assert hub.is_hearing()
            with redis_server.hanging():
                began = monotonic()
                await listener.wait(PATIENCE)
                assert listener.is_over
                assert monotonic() - began < DEAF + 3 * LOOK
                for _again in range(3):
                    assert not hub.is_hearing()
                    async with hub.listen(["one"]) as late:
                        assert late.is_over
                    await asyncio.sleep(LOOK)
        async with client(redis_server) as says:
            await until(says)
            async with hub.listen(["one"]) as listener:
                await until(says, "one")
                await says.publish("one", write(KEY, 9))
                assert await listener.wait(PATIENCE) == {KEY: 9}

    run(listen())


@pytest.mark.redis
def test_what_is_no_word_of_the_site_lets_nobody_wait_for_ever(redis_server: RedisServer) -> None:
    async def listen() -> None:
        hub = Hub(redis_server.url)
        async with client(redis_server) as says:
            async with hub.listen(["one"]) as listener:
                await until(says, "one")
                await says.publish("one", "no word of ours")
                await listener.wait(PATIENCE)
                assert listener.is_over
            await until(says)
            async with hub.listen(["one"]) as listener:
                await until(says, "one")
                await says.publish("one", write(KEY, 9))
                assert await listener.wait(PATIENCE) == {KEY: 9}

    run(listen())


def test_where_there_is_no_redis_a_listener_is_over_at_once() -> None:
    async def listen() -> None:
        async with Hub(f"redis://{HOST}:{free_port()}").listen(["one"]) as listener:
            assert listener.is_over

    run(listen())
