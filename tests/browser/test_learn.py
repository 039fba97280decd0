"""Lessons and trying out in a browser: by mouse, by keys, without script, on a phone, and looked at by axe."""

from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from games.models import Game
from tests.browser.conftest import OpenSession
from tests.browser.test_pages import AXE, TAGS
from tests.browser.test_play import take, watch
from tests.flows.play import mover_of, play, start_game

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE: Final = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
DONE: Final = "Well done!"


@pytest.fixture
def visitor(browser: Browser, live_server: LiveServer) -> Any:
    """Return a function that opens the page of somebody who has no account."""
    contexts = []

    def open_page(**options: Any) -> Page:
        contexts.append(browser.new_context(base_url=live_server.url, **options))
        return contexts[-1].new_page()

    yield open_page
    for context in contexts:
        context.close()


def is_accessible(page: Page) -> None:
    page.evaluate(AXE)
    found = page.evaluate("tags => axe.run(document, {runOnly: tags})", TAGS)
    assert found["passes"]
    assert [f"{fault['id']}: {node['html'][:150]}" for fault in found["violations"] for node in fault["nodes"]] == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_a_lesson_is_played_by_mouse_missed_tried_again_and_completed(visitor: Any) -> None:
    page = visitor()
    complaints = watch(page)
    page.goto("/learn/")
    page.get_by_role("link", name="Begin with the first lesson").click()
    take(page, "R=")
    page.locator("[data-way='R-']").first.hover()
    expect(page.locator(".ghosts .ghost.lands")).to_have_count(1)
    page.get_by_role("button", name="Confirm turn").click()
    expect(page.locator(".stage")).to_have_count(1)
    expect(page.get_by_role("heading", name="A legal turn, but the goal is still open.")).to_be_visible()
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_role("heading", name="A legal turn, but the goal is still open.")).to_have_count(0)
    expect(page.locator(".steps li")).to_have_count(0)
    page.locator(".lesson-hint summary").click()
    page.get_by_role("button", name="Show it on the board").click()
    expect(page.locator(".steps li")).to_have_count(1)
    page.get_by_role("button", name="Confirm turn").click()
    expect(page.get_by_role("heading", name=DONE)).to_be_visible()
    expect(page.locator(".stage")).to_have_count(0, timeout=15_000)
    page.get_by_role("button", name="Play the last turn").click()
    expect(page.locator(".stage")).to_have_count(1)
    page.get_by_role("link", name="Next lesson").click()
    expect(page.get_by_role("heading", name="A simple move, and a fall")).to_be_visible()
    page.goto("/learn/")
    expect(page.locator(".is-done")).to_have_count(1)
    assert complaints == []


def test_a_lesson_is_played_by_keys(visitor: Any) -> None:
    page = visitor()
    page.goto("/learn/drop-rotate/")
    page.keyboard.press("d")
    page.locator("#step-D").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".steps li")).to_have_count(1)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name=DONE)).to_be_visible()
    assert page.evaluate("document.activeElement.id") == "turn-sign"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="The wild card")).to_be_visible()


def test_a_lesson_is_played_without_script(visitor: Any) -> None:
    page = visitor(java_script_enabled=False)
    page.goto("/learn/stealing/")
    page.locator("#step-D").click()
    page.locator("#step-x2o").click()
    page.locator("#confirm").click()
    expect(page.get_by_role("heading", name=DONE)).to_be_visible()
    page.get_by_role("link", name="Next lesson").click()
    page.get_by_role("link", name="All lessons").click()
    expect(page.locator(".is-done")).to_have_count(1)


def test_a_lesson_is_played_on_a_phone(visitor: Any) -> None:
    page = visitor(**PHONE)
    complaints = watch(page)
    page.goto("/learn/jumps/")
    page.locator(".spot[value='6,2']").tap()
    page.locator(".at-spot .pay").first.tap()
    expect(page.locator("#confirm")).to_be_enabled()
    page.locator("#confirm").tap()
    expect(page.get_by_role("heading", name=DONE)).to_be_visible()
    expect(page.locator(".stage")).to_have_count(0, timeout=15_000)
    assert page.locator(".lesson-met").evaluate("one => one.getBoundingClientRect().bottom") < 844
    assert complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_any_state_of_a_lesson(scheme: str, visitor: Any) -> None:
    page = visitor(color_scheme=scheme, viewport={"width": 320, "height": 700})
    page.goto("/learn/")
    is_accessible(page)
    page.goto("/learn/stealing/")
    is_accessible(page)
    page.locator(".lesson-hint summary").click()
    take(page, "D")
    expect(page.locator("#step-x2o")).to_be_visible()
    is_accessible(page)
    page.locator("#step-x2y").click()
    page.locator("#confirm").click()
    expect(page.locator(".stage")).to_have_count(0, timeout=15_000)
    expect(page.locator("#try-again")).to_be_visible()
    is_accessible(page)
    page.locator("#try-again").click()
    take(page, "D")
    page.locator("#step-x2o").click()
    page.locator("#confirm").click()
    expect(page.get_by_role("heading", name=DONE)).to_be_visible()
    expect(page.locator(".stage")).to_have_count(0, timeout=15_000)
    is_accessible(page)


def begun(people: list[User]) -> Game:
    game = start_game(people, seed=8)
    play(game, "S<(L)")
    return Game.objects.get(pk=game.pk)


def test_a_position_is_tried_out_for_both_and_left_as_it_was(open_session: OpenSession, people: list[User]) -> None:
    game = begun(people)
    page = open_session(mover_of(game)).new_page()
    complaints = watch(page)
    page.goto(f"/games/{game.key}/")
    expect(page.locator(".stage")).to_have_count(0, timeout=15_000)
    page.locator("#try-out").click()
    expect(page.get_by_text("Trying out a move for Bo")).to_be_visible()
    expect(page.get_by_text("Cards that you can't know are drawn as they could be.")).to_be_visible()
    is_accessible(page)
    take(page, "R=")
    page.locator("#confirm").click()
    expect(page.get_by_text("Trying out a move for Ada")).to_be_visible()
    expect(page.locator(".stage")).to_have_count(0, timeout=15_000)
    page.locator("#back").click()
    expect(page.get_by_text("Trying out a move for Bo")).to_be_visible()
    take(page, "D")
    page.locator("#confirm").click()
    expect(page.get_by_text("Trying out a move for Ada")).to_be_visible()
    page.locator("#start-over").click()
    expect(page.locator("#back")).to_be_disabled()
    page.locator("#back-to-game").click()
    page.wait_for_url(f"**/games/{game.key}/**")
    assert Game.objects.get(pk=game.pk).seq == 1
    assert complaints == []


def test_a_newcomers_hint_goes_away_and_stays_away(open_session: OpenSession, people: list[User]) -> None:
    game = start_game(people, seed=8)
    page = open_session(people[0], **PHONE).new_page()
    page.goto(f"/games/{game.key}/")
    expect(page.locator("#hint")).to_contain_text("Down is where your feet are")
    is_accessible(page)
    page.locator("#hint button").tap()
    expect(page.locator("#hint")).to_have_count(0)
    page.reload()
    expect(page.locator("#compose")).to_be_visible()
    expect(page.locator("#hint")).to_have_count(0)
