"""The limit on writes: who runs into it, what they read, and what it leaves alone."""

from http import HTTPStatus

import pytest
import rest_framework.throttling  # noqa: F401 - it keeps the clock that it finds when it is first imported
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from accounts.models import User
from games.models import Game
from gravitysite.ratelimit import MANY
from gravitysite.settings import WRITE_LIMITS
from tests.flows.addresses import ROLES, ROWS
from tests.flows.people import Offer, SignIn

LIMITS = {"": 3, "game_preview": 5}


@pytest.fixture(autouse=True)
def _low_limits(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.WRITE_LIMITS = LIMITS
    monkeypatch.setattr("time.time", lambda: 1_800_000_010.0)  # ten seconds into a minute


def write(browser: Client, **headers: str) -> int:
    return browser.post(reverse("create_game"), {}, headers=headers).status_code


def test_whoever_writes_too_often_is_asked_to_wait(ada: User, as_user: SignIn) -> None:
    browser = as_user(ada)
    assert [write(browser) for _ in range(3)] == [HTTPStatus.UNPROCESSABLE_ENTITY] * 3
    response = browser.post(reverse("create_game"), {})
    assert response.status_code == HTTPStatus.TOO_MANY_REQUESTS
    assert response["Retry-After"] == "50"
    assert "Please wait 50 seconds, then try again." in response.content.decode()
    assert "<h1>Slow down a little</h1>" in response.content.decode()


def test_a_refused_write_changes_nothing(ada: User, as_user: SignIn, transactional_db: None) -> None:
    browser = as_user(ada)
    terms = {"size": "2", "visibility": "public"}
    statuses = [browser.post(reverse("create_game"), terms).status_code for _ in range(5)]
    assert statuses[3:] == [HTTPStatus.TOO_MANY_REQUESTS] * 2
    assert Game.objects.count() == 3


def test_reading_is_never_limited(ada: User, as_user: SignIn) -> None:
    browser = as_user(ada)
    assert {browser.get(reverse("about")).status_code for _ in range(10)} == {HTTPStatus.OK}


def test_each_person_has_their_own_count(ada: User, bo: User, as_user: SignIn) -> None:
    first, second = as_user(ada), as_user(bo)
    assert [write(first) for _ in range(4)][-1] == HTTPStatus.TOO_MANY_REQUESTS
    assert write(second) == HTTPStatus.UNPROCESSABLE_ENTITY


def test_the_next_minute_starts_afresh(ada: User, as_user: SignIn, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = as_user(ada)
    assert [write(browser) for _ in range(4)][-1] == HTTPStatus.TOO_MANY_REQUESTS
    monkeypatch.setattr("time.time", lambda: 1_800_000_070.0)
    assert write(browser) == HTTPStatus.UNPROCESSABLE_ENTITY


def test_trying_out_a_turn_is_counted_apart(ada: User, bo: User, offer: Offer, as_user: SignIn) -> None:
    browser = as_user(ada)
    address = reverse("game_preview", args=[offer(ada, bo).key])
    assert [write(browser) for _ in range(4)][-1] == HTTPStatus.TOO_MANY_REQUESTS
    statuses = [browser.post(address, {"seq": "0", "steps": ""}).status_code for _ in range(6)]
    assert HTTPStatus.TOO_MANY_REQUESTS not in statuses[:5]
    assert statuses[5] == HTTPStatus.TOO_MANY_REQUESTS


def test_htmx_gets_only_the_words_for_the_messages_of_the_open_page(ada: User, as_user: SignIn) -> None:
    browser = as_user(ada)
    for _ in range(3):
        write(browser)
    response = browser.post(reverse("create_game"), {}, headers={"HX-Request": "true"})
    assert response.status_code == HTTPStatus.TOO_MANY_REQUESTS
    assert (response["HX-Retarget"], response["HX-Reswap"]) == ("#messages", "innerHTML")
    assert response.content.decode().strip().startswith('<p class="notice warning">')


def test_without_a_cache_nobody_is_held_up(ada: User, as_user: SignIn, settings: Settings) -> None:
    settings.CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:1/0"}
    }
    cache_type = type(cache._connections["default"])  # type: ignore[attr-defined]
    assert cache_type.__name__ == "RedisCache"
    browser = as_user(ada)
    assert {write(browser) for _ in range(6)} == {HTTPStatus.UNPROCESSABLE_ENTITY}


def test_guests_are_counted_by_network_where_they_may_post(settings: Settings) -> None:
    settings.WRITE_LIMITS = {"": 3, "lesson_preview": 2}
    address = reverse("lesson_preview", args=["down"])
    here, there = Client(REMOTE_ADDR="192.0.2.1"), Client(REMOTE_ADDR="198.51.100.1")
    assert [here.post(address, {}).status_code for _ in range(2 * MANY)] == [HTTPStatus.UNPROCESSABLE_ENTITY] * 2 * MANY
    assert here.post(address, {}).status_code == HTTPStatus.TOO_MANY_REQUESTS
    assert there.post(address, {}).status_code == HTTPStatus.UNPROCESSABLE_ENTITY


def test_whatever_a_guest_is_answered_for_a_post_has_a_limit() -> None:
    guest = ROLES.index("guest")
    answered = {row.name for row in ROWS if row.method == "POST" and row.statuses[guest] == HTTPStatus.OK}
    ours = {name for name in answered if not name.startswith("account_")}
    assert {"lesson_turn", "try_turn"} <= ours
    assert ours <= WRITE_LIMITS.keys()
