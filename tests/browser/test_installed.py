"""The site as an app: what makes it one, a badge on its icon, and a page that says when there is no connection."""

import json

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from tests.flows.play import start_game

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

BADGES = """
window.badges = [];
navigator.setAppBadge = async (count) => window.badges.push(count);
navigator.clearAppBadge = async () => window.badges.push(0);
"""


INSTALLED = """
const inBrowser = window.matchMedia.bind(window);
window.matchMedia = (asked) => asked === "(display-mode: standalone)" ? { matches: true } : inBrowser(asked);
"""


def open_app(context: BrowserContext, path: str) -> Page:
    """Open a page as the installed app does."""
    context.add_init_script(INSTALLED)
    page = context.new_page()
    page.goto(path)
    return page


def test_the_manifest_names_all_that_an_app_needs() -> None:
    path = finders.find("icons/site.webmanifest")
    assert path is not None
    with open(path) as file:  # noqa: PTH123 - the finder gives a string
        manifest = json.load(file)
    assert {"id", "name", "short_name", "start_url", "scope", "display"} <= set(manifest)
    assert {icon["sizes"] for icon in manifest["icons"]} >= {"192x192", "512x512"}
    assert all(finders.find(f"icons/{icon['src']}") for icon in manifest["icons"])


@pytest.mark.parametrize(("language", "words"), [("en", "No connection"), ("de", "Keine Verbindung")])
def test_without_a_connection_the_app_says_so_and_shows_no_game(
    browser: Browser, live_server: LiveServer, language: str, words: str
) -> None:
    context = browser.new_context(base_url=live_server.url, locale=language)
    page = open_app(context, reverse("rules"))
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    context.set_offline(True)
    page.goto(reverse("lobby"))
    assert page.locator("h1").inner_text() == words
    assert page.locator("html").get_attribute("lang") == language
    assert page.evaluate("getComputedStyle(document.body).fontFamily").startswith(("Outfit", '"', "system"))
    context.set_offline(False)
    page.get_by_role("link").click()
    assert page.locator("h1").inner_text() != words
    context.close()


def test_in_a_tab_no_worker_is_registered(browser: Browser, live_server: LiveServer) -> None:
    context = browser.new_context(base_url=live_server.url)
    page = context.new_page()
    page.goto(reverse("rules"))
    page.wait_for_load_state("networkidle")
    assert page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0
    context.close()


def test_the_icon_says_how_many_games_wait(browser: Browser, live_server: LiveServer, ada: User, bo: User) -> None:
    start_game([ada, bo], now=timezone.now())
    context = browser.new_context(base_url=live_server.url)
    client = Client()
    client.force_login(ada)
    cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": live_server.url}])
    context.add_init_script(BADGES)
    page = open_app(context, reverse("rules"))
    page.wait_for_function("() => window.badges.at(-1) === 1")
    page.evaluate("document.querySelector('#waiting').innerHTML = ''")
    page.wait_for_function("() => window.badges.at(-1) === 0")
    page.goto(reverse("rules"))
    page.wait_for_function("() => window.badges.at(-1) === 1")
    context.clear_cookies()
    page.goto(reverse("rules"))
    page.wait_for_function("() => window.badges.at(-1) === 0")
    context.close()
