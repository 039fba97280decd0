"""What the browser tests share: sessions of people who are signed in."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, BrowserContext
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from tests.flows.play import make_user

type OpenSession = Callable[..., BrowserContext]


@pytest.fixture
def people(db: None) -> list[User]:
    """Return two people."""
    return [make_user("Ada"), make_user("Bo")]


@pytest.fixture
def open_session(browser: Browser, live_server: LiveServer) -> Iterator[Callable[..., BrowserContext]]:
    """Return a function that opens a browser session in which someone is signed in."""
    contexts: list[BrowserContext] = []

    def open_for(user: User, **options: Any) -> BrowserContext:
        client = Client()
        client.force_login(user)
        context = browser.new_context(base_url=live_server.url, **options)
        cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
        context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": live_server.url}])
        contexts.append(context)
        return context

    yield open_for
    for context in contexts:
        context.close()
