"""A cache that is away costs nothing but what it would have remembered, and beat keeps to steady seconds."""

import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from celery import Celery

from gravitysite import cache as module
from gravitysite.beat import SteadyScheduler
from gravitysite.cache import ForgetfulRedisCache
from tests.services import free_port


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch) -> ForgetfulRedisCache:
    monkeypatch.setattr(module, "_away_until", 0.0)
    return ForgetfulRedisCache(f"redis://127.0.0.1:{free_port()}/0", {"OPTIONS": {"socket_connect_timeout": 1}})


def test_a_cache_that_is_away_forgets_and_drops(cache: ForgetfulRedisCache) -> None:
    assert cache.get("name", "default") == "default"
    cache.set("name", 1)
    assert cache.add("name", 1)
    assert cache.incr("name", 3) == 3
    assert cache.get_many(["name"]) == {}
    assert cache.set_many({"name": 1}) == []
    assert not cache.has_key("name")
    assert not cache.touch("name")
    assert not cache.delete("name")
    cache.delete_many(["name"])
    cache.clear()


def test_a_cache_that_is_away_is_left_alone_for_a_while(cache: ForgetfulRedisCache) -> None:
    cache.get("name")
    assert module._away_until > time.monotonic()
    began = time.perf_counter()
    for _time in range(100):
        cache.get("name")
    assert time.perf_counter() - began < 0.1


@pytest.mark.redis
def test_a_cache_that_is_there_remembers(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_away_until", 0.0)
    cache = ForgetfulRedisCache(redis_url, {})
    assert cache.add("name", 1)
    assert not cache.add("name", 2)
    assert cache.incr("name") == 2
    with pytest.raises(ValueError, match="not found"):
        cache.incr("other")


class NotingScheduler(SteadyScheduler):
    """Notes what it would send."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.sent: list[str] = []
        super().__init__(*args, **kwargs)

    def apply_entry(self, entry: Any, producer: Any = None) -> None:  # noqa: ARG002 - Celery's signature
        self.sent.append(entry.name)


def scheduler(tmp_path: Path, **seconds: Any) -> tuple[SteadyScheduler, list[str]]:
    """Return a scheduler of tasks by their intervals, and the list of what it sends."""
    app = Celery("beat-test", broker="memory://localhost/")
    app.conf.beat_schedule = {name: {"task": f"test.{name}", "schedule": each} for name, each in seconds.items()}
    steady = NotingScheduler(app=app, schedule_filename=str(tmp_path / "beat"))
    return steady, steady.sent


def test_each_task_is_sent_at_once_and_then_at_its_interval(tmp_path: Path) -> None:
    steady, sent = scheduler(tmp_path, often=0.05, seldom=60)
    wait = steady.tick()
    assert sorted(sent) == ["often", "seldom"]
    assert 0 < wait <= 0.05
    steady.tick()
    assert len(sent) == 2
    time.sleep(0.06)
    steady.tick()
    assert sent[2:] == ["often"]


def test_each_round_leaves_a_sign_of_life(tmp_path: Path) -> None:
    steady, _sent = scheduler(tmp_path)
    assert steady.tick() > 1
    assert (tmp_path / "beat").exists()


def test_an_interval_may_be_a_timedelta(tmp_path: Path) -> None:
    steady, sent = scheduler(tmp_path, hourly=timedelta(hours=1))
    assert steady.tick() == pytest.approx(3600, abs=1)
    assert sent == ["hourly"]
