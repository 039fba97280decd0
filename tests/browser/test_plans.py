"""Planning a turn in a browser: composed on the board, saved, withdrawn, and played while its owner looks on."""

from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from games import commands
from games.models import Entry, Game, Plan
from tests.browser.conftest import OpenSession
from tests.browser.test_play import ask_for_news, take, watch
from tests.flows.play import NOW, make_user, play, start_game

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE: Final[dict[str, Any]] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
TOO_SMALL: Final = """() => [...document.querySelectorAll(":is(.game-plans, .game-outcome) :is(a, button, label)")]
    .map((one) => [one.outerText, one.getBoundingClientRect().height]).filter(([, height]) => height < 43.5)"""


@pytest.fixture
def game() -> Game:
    """A game in which Ada has played her first turn, and Bo is to move."""
    game = start_game([make_user("Ada"), make_user("Bo")], seed=1)
    play(game, "D")
    return Game.objects.get(pk=game.pk)


def page_of(open_session: OpenSession, game: Game, number: int = 1, **options: Any) -> Page:
    user = game.seats.get(number=number).user
    assert user is not None
    page = open_session(user, **options).new_page()
    page.goto(f"/games/{game.key}/")
    expect(page.locator(".stage")).to_have_count(0, timeout=15_000)
    return page


def save_plan(page: Page, step: str) -> None:
    page.locator("#plan-turn").click()
    take(page, step)
    page.get_by_role("button", name="Plan this turn").click()
    expect(page.get_by_role("heading", name="When may this turn be played?")).to_be_visible()
    page.get_by_role("button", name="Save plan").click()
    expect(page.get_by_text("Your plan is saved.")).to_be_visible()


@pytest.mark.parametrize("options", [{}, PHONE, {"java_script_enabled": False}], ids=["wide", "phone", "no script"])
def test_a_plan_is_set_and_withdrawn(open_session: OpenSession, game: Game, options: dict[str, Any]) -> None:
    page = page_of(open_session, game, **options)
    complaints = watch(page)
    page.locator("#plan-turn").click()
    if page.locator("#show-dull").count() and options.get("java_script_enabled", True):
        page.locator("#show-dull").check()
    page.locator('button[name="step"][value="WD"]').first.click()
    page.get_by_role("button", name="Plan this turn").click()
    boxes = page.locator(".plan-conditions input")
    expect(boxes.first).to_be_disabled()
    expect(boxes.first).to_be_checked()
    boxes.nth(1).uncheck()
    ticked = boxes.evaluate_all("(all) => all.filter((one) => one.checked).map((one) => one.value)")
    if options.get("java_script_enabled", True):
        assert page.evaluate(TOO_SMALL) == []
    page.get_by_role("button", name="Save plan").click()
    expect(page.locator(".plans > li")).to_have_count(1)
    assert Plan.objects.get().conditions == ticked
    if options.get("java_script_enabled", True):
        assert page.evaluate(TOO_SMALL) == []
    page.get_by_role("button", name="Withdraw plan 1").click()
    expect(page.get_by_text("Your plan is withdrawn.")).to_be_visible()
    expect(page.locator(".plans")).to_have_count(0)
    assert not Plan.objects.exists()
    assert complaints == []


def test_a_place_on_the_board_composes_on_after_the_turn_was_chosen(open_session: OpenSession, game: Game) -> None:
    page = page_of(open_session, game)
    complaints = watch(page)
    page.locator("#plan-turn").click()
    take(page, "WD")
    page.get_by_role("button", name="Plan this turn").click()
    page.locator("#change-turn").click()
    expect(page.locator(".steps li")).to_have_count(1)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".steps li")).to_have_count(0)
    assert complaints == []


def test_a_plan_is_played_while_its_owner_looks_on(open_session: OpenSession, game: Game) -> None:
    page, rival = page_of(open_session, game), page_of(open_session, game, 2)
    complaints = watch(page), watch(rival)
    save_plan(page, "R+")
    # What was planned is no turn in progress any more.
    page.locator("#plan-turn").click()
    page.wait_for_load_state("networkidle")
    expect(page.locator(".steps li")).to_have_count(0)
    page.locator("#back-to-game").click()
    expect(rival.locator(".game-plans")).to_have_count(0)
    play(game, "R=")
    ask_for_news(page)
    expect(page.locator("#plans-due")).to_be_visible()
    assert commands.play_plan(game_id=game.pk, now=NOW) is not None
    expect(page.locator("#plans-due")).to_have_count(0)
    expect(page.locator(".plans")).to_have_count(0)
    for each in (page, rival):
        ask_for_news(each)
        expect(each.locator(".log")).to_contain_text("Played by a plan.")
    assert Entry.objects.get(game=game, seq=3).planned
    assert complaints == ([], [])
