"""Whoever can write to Redis runs no code here and makes nothing up: what the site did not store counts as unknown."""

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
import redis
from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st
from kombu.exceptions import ContentDisallowed
from kombu.serialization import dumps, loads

from gravitysite import cache as module
from gravitysite.cache import ForgedError, ForgetfulRedisCache, SignedJson
from gravitysite.celery import app

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(VALUES)
def test_a_value_comes_back_as_it_was(value: Any) -> None:
    stored = SignedJson().dumps(value)
    back = SignedJson().loads(str(stored).encode() if isinstance(stored, int) else stored)
    assert back == value
    assert type(back) is type(value)


@given(VALUES.filter(lambda value: type(value) is not int), st.integers(0, 10_000), st.integers(1, 255))
def test_a_value_that_was_changed_anywhere_is_refused(value: Any, at: int, by: int) -> None:
    stored = bytearray(SignedJson().dumps(value))  # type: ignore[arg-type]
    stored[at % len(stored)] ^= by
    with pytest.raises(ForgedError):
        SignedJson().loads(bytes(stored))


class Burglar:
    """What a pickle can do: run anything where it is read."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[Any, ...]:
        return (Path.touch, (self.mark,))


@pytest.mark.redis
@pytest.mark.parametrize("kind", ["pickle", "json", "text", "empty"])
def test_what_somebody_else_wrote_to_redis_is_neither_run_nor_believed(
    redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(module, "_away_until", 0.0)
    mark = tmp_path / "burgled"
    forged = {"pickle": pickle.dumps(Burglar(mark)), "json": json.dumps(["x"]).encode(), "text": b"?", "empty": b""}
    cache = ForgetfulRedisCache(redis_url, {"KEY_PREFIX": "gravity"})
    with redis.Redis.from_url(redis_url) as client:
        client.set(cache.make_and_validate_key("name"), forged[kind])
        assert cache.get("name", "nothing") == "nothing"
        assert cache.get_many(["name"]) == {}
        assert not mark.exists()
        cache.set("name", ["ours"])
        assert cache.get("name") == ["ours"]
        assert b"ours" in client.get(cache.make_and_validate_key("name"))  # type: ignore[operator]


def test_workers_take_no_message_but_json(tmp_path: Path) -> None:
    content_type, encoding, payload = dumps(Burglar(tmp_path / "burgled"), serializer="pickle")
    with pytest.raises(ContentDisallowed):
        loads(payload, content_type, encoding, accept=app.conf.accept_content)
    assert not (tmp_path / "burgled").exists()
    assert app.conf.accept_content == app.conf.result_accept_content == ["json"]
    assert app.conf.worker_enable_remote_control is False
    assert settings.SESSION_SERIALIZER == "django.contrib.sessions.serializers.JSONSerializer"
