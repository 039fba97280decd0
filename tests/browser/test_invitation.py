"""An invitation in a browser: its link is copied by one press, and a newcomer takes a seat by another."""

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from games import commands
from games.models import Game
from tests.browser.conftest import OpenSession
from tests.browser.test_play import watch

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def offer(host: User) -> Game:
    terms = {"ruleset": "gravity-1", "size": 3, "options": {}, "public": False, "bots": [], "name": "Friday night"}
    return commands.create_game(user=host, now=timezone.now(), **terms)  # type: ignore[arg-type]


@pytest.mark.parametrize("width", [1280, 390])
def test_the_link_is_copied(open_session: OpenSession, people: list[User], width: int) -> None:
    session = open_session(people[0], viewport={"width": width, "height": 844})
    session.grant_permissions(["clipboard-read", "clipboard-write"])
    page = session.new_page()
    complaints = watch(page)
    page.goto(reverse("invitation", args=[offer(people[0]).key]))
    expect(page.locator("#copied")).to_be_hidden()
    page.get_by_role("button", name="Copy the link").click()
    expect(page.locator("#copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.locator("#link").input_value()
    assert complaints == []


def test_the_link_is_shared_where_the_device_can(open_session: OpenSession, people: list[User]) -> None:
    page = open_session(people[0]).new_page()
    page.add_init_script("navigator.share = async (shared) => { window.shared = shared; };")
    page.goto(reverse("invitation", args=[offer(people[0]).key]))
    page.get_by_role("button", name="Share").click()
    assert page.evaluate("window.shared.url") == page.locator("#link").input_value()


@pytest.mark.parametrize("script", [True, False])
def test_a_newcomer_takes_a_seat_by_one_press(
    browser: Browser, live_server: LiveServer, people: list[User], script: bool
) -> None:
    page = browser.new_page(base_url=live_server.url, java_script_enabled=script)
    page.goto(reverse("invitation", args=[offer(people[0]).key]))
    expect(page.get_by_role("heading", level=1)).to_have_text("Friday night")
    page.get_by_role("button", name="Play as a guest").click()
    expect(page.get_by_text("You have a seat.", exact=False).first).to_be_visible()
    page.close()
