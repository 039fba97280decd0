"""Back shows nothing of a person who has signed out, and no list from before a move, in a real browser."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import BrowserType, Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from games.models import Game
from tests.browser.test_play import take
from tests.conftest import CHROMIUM_ARGS
from tests.flows.play import make_user, start_game
from tests.services import find_chromium

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def game() -> Game:
    return start_game([make_user("Ada"), make_user("Bo")], seed=5)


@pytest.fixture
def remembering(browser_type: BrowserType, live_server: LiveServer, game: Game) -> Iterator[Page]:
    """Return Ada's page in a browser that keeps left pages alive, which the driver else tells it not to do."""
    path = find_chromium()
    options = {"executable_path": path, "args": CHROMIUM_ARGS}
    browser = browser_type.launch(**options, ignore_default_args=["--disable-back-forward-cache"])  # type: ignore[arg-type]
    context = browser.new_context(base_url=live_server.url)
    client = Client()
    client.force_login(User.objects.get(display_name="Ada"))
    cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": live_server.url}])
    yield context.new_page()
    browser.close()


def sign_out(page: Page) -> None:
    page.goto("/accounts/logout/")
    page.locator("main").get_by_role("button", name="Sign out").click()


def go_back_from_home(page: Page) -> None:
    """Go back two pages at once; going back by itself, the driver loses a page that the browser had kept alive."""
    page.evaluate("setTimeout(() => history.go(-2))")
    page.wait_for_url(lambda url: urlsplit(url).path != "/")


def test_back_after_signing_out_shows_no_page_of_the_person(remembering: Page) -> None:
    page = remembering
    page.goto("/my-games/")
    expect(page.locator("main")).to_contain_text("Bo")
    sign_out(page)
    go_back_from_home(page)
    expect(page.locator("body")).not_to_contain_text("My games")


def test_back_after_a_move_shows_the_list_as_it_is_now(remembering: Page, game: Game) -> None:
    page = remembering
    page.goto("/my-games/")
    before = page.locator("main").inner_text()
    page.goto(f"/games/{game.key}/")
    take(page, "R=")
    page.get_by_role("button", name="Confirm turn").click()
    expect(page.locator("#say")).to_contain_text("Your turn has been played.")
    page.go_back()
    expect(page.locator("main")).not_to_have_text(before)


@pytest.mark.parametrize("address", ["/rules/", "/my-games/", "/games/{key}/"])
def test_a_page_that_was_kept_alive_is_asked_for_anew(remembering: Page, game: Game, address: str) -> None:
    page = remembering
    page.goto(address.format(key=game.key))
    page.evaluate("window.left = true")
    page.goto("/about/")
    page.go_back()
    page.wait_for_function("window.left === undefined")
    sign_out(page)
    go_back_from_home(page)
    expect(page.locator("body")).not_to_contain_text("My games")
