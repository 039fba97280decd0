"""The rules on one screen: over the board by a key or a link, as a page without script, on one sheet of paper."""

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.conftest import OpenSession
from tests.browser.test_compose import begin, open_game
from tests.browser.test_pages import AXE, TAGS
from tests.browser.test_play import watch
from tests.flows.play import mover_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SCREENS = ({"width": 1280, "height": 800}, {"width": 390, "height": 844})


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.id"))


@pytest.mark.parametrize("screen", SCREENS, ids=["wide", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_rules_come_up_over_the_board_and_go_again(
    open_session: OpenSession, screen: dict[str, int], scheme: str
) -> None:
    page = open_game(open_session, begin(2), viewport=screen, color_scheme=scheme)
    complaints = watch(page)
    link, dialog = page.locator("#open-reference"), page.locator("#reference-dialog")
    link.click()
    expect(dialog).to_be_visible()
    assert focused(page) == "reference-title"
    expect(dialog).to_contain_text("4 stars or fewer")
    page.evaluate(AXE)
    found = page.evaluate("tags => axe.run('#reference-dialog', {runOnly: tags})", TAGS)
    assert [fault["id"] for fault in found["violations"]] == []
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert focused(page) == "open-reference"
    assert page.url.endswith("/")
    assert complaints == []


def test_a_key_brings_up_the_rules_and_leaves_the_turn_alone(open_session: OpenSession) -> None:
    page = open_game(open_session, begin(2), viewport=SCREENS[0])
    page.keyboard.press("r")
    expect(page.locator("#pick-R")).to_be_checked()
    page.keyboard.press("Shift+R")
    dialog = page.locator("#reference-dialog")
    expect(dialog).to_be_visible()
    scrolls = dialog.evaluate("box => box.scrollHeight > box.clientHeight + 1")
    assert not scrolls, "all of it is seen at once"
    page.keyboard.press("d")
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()
    expect(page.locator("#pick-R")).to_be_checked()


def test_who_only_looks_on_presses_the_small_letter(browser: Browser, live_server: LiveServer) -> None:
    page = browser.new_page(base_url=live_server.url)
    page.goto(reverse("game", args=[begin(2).key]))
    expect(page.locator("#open-reference[data-htmx-powered]")).to_have_count(1)  # before, it is a link to the page
    page.keyboard.press("r")
    expect(page.locator("#reference-dialog")).to_be_visible()
    page.close()


def test_without_script_the_rules_are_a_page_that_fits_a_screen(open_session: OpenSession) -> None:
    game = begin(2)
    page = open_session(mover_of(game), java_script_enabled=False, viewport=SCREENS[0]).new_page()
    page.goto(reverse("game", args=[game.key]))
    page.get_by_role("link", name="The rules on one page").click()
    page.wait_for_url(f"**{reverse('game_reference', args=[game.key])}")
    bottom = page.locator(".reference").bounding_box()
    assert bottom is not None
    assert bottom["y"] + bottom["height"] <= SCREENS[0]["height"]


def test_on_paper_there_is_no_navigation_and_the_ground_is_white(browser: Browser, live_server: LiveServer) -> None:
    page = browser.new_page(base_url=live_server.url, color_scheme="dark")
    page.emulate_media(media="print")
    for name in ("rules", "reference"):
        page.goto(reverse(name))
        for gone in (".site-header", ".site-footer", ".toc", ".page-head .button"):
            assert not any(one.is_visible() for one in page.locator(gone).all())
        colours = page.evaluate("""() => ["body", "main"].map(name => getComputedStyle(document.querySelector(name)))
            .map(style => [style.backgroundColor, style.color])""")
        assert colours[0] == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"]
    page.close()
