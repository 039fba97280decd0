"""Looking back in a browser: keys, slider, swipes, the whole game played, and a turn so far that outlives all of it."""

import re
from random import Random

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from accounts.models import User
from games.models import Game
from tests.browser.conftest import OpenSession
from tests.browser.test_play import watch
from tests.flows.play import mover_of, play_randomly, start_game

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def game(people: list[User]) -> Game:
    game = start_game(people, seed=4)
    play_randomly(game, 15, Random(4))
    return Game.objects.get(pk=game.pk)


def waiter_of(game: Game, people: list[User]) -> User:
    """Return who is not to move."""
    mover = mover_of(game)
    return next(user for user in people if user != mover)


def open_at(session: BrowserContext, game: Game, at: int) -> Page:
    page = session.new_page()
    page.goto(f"/games/{game.key}/?at={at}")
    return page


def expect_at(page: Page, game: Game, at: int) -> None:
    expect(page.locator(".position-number")).to_have_text(f"Move {at} of {game.seq}")
    latest = at == game.seq
    expect(page).to_have_url(re.compile(rf"/games/{game.key}/{'' if latest else rf'\?at={at}'}$"))


def test_keys_go_through_the_positions_unless_they_are_off(
    open_session: OpenSession, game: Game, people: list[User]
) -> None:
    page = open_at(open_session(waiter_of(game, people)), game, 7)
    complaints = watch(page)
    for key, at in (("ArrowLeft", 6), ("ArrowRight", 7), ("Home", 0), ("ArrowRight", 1), ("End", game.seq)):
        page.keyboard.press(key)
        expect_at(page, game, at)
    page.locator("#talk-form textarea").focus()
    page.keyboard.press("ArrowLeft")
    page.evaluate("localStorage.setItem('keys', 'off'); document.activeElement.blur()")
    page.keyboard.press("ArrowLeft")
    page.wait_for_timeout(300)
    expect_at(page, game, game.seq)
    assert complaints == []


def test_back_and_forward_run_no_script_again(open_session: OpenSession, game: Game, people: list[User]) -> None:
    page = open_at(open_session(waiter_of(game, people)), game, 7)
    complaints = watch(page)
    for at in (6, 5):
        page.keyboard.press("ArrowLeft")
        expect_at(page, game, at)
    for leave, at in ((page.go_back, 6), (page.go_back, 7), (page.go_forward, 6)):
        leave()
        expect_at(page, game, at)
    page.keyboard.press("ArrowRight")
    expect_at(page, game, 7)
    page.wait_for_timeout(300)
    expect_at(page, game, 7)
    assert complaints == []


def test_the_slider_goes_where_it_is_let_go_and_nothing_moves(
    open_session: OpenSession, game: Game, people: list[User]
) -> None:
    page = open_at(open_session(waiter_of(game, people)), game, 7)
    places = (
        "[...document.querySelectorAll('.positions > *')].map((one) => JSON.stringify(one.getBoundingClientRect()))"
    )
    before = page.evaluate(places)
    page.locator("#position").focus()
    for key, at in (("ArrowRight", 8), ("Home", 0), ("End", game.seq)):
        page.keyboard.press(key)
        expect_at(page, game, at)
        expect(page.locator("#position")).to_be_focused()
        assert page.evaluate(places) == before


def test_the_whole_game_is_played_by_the_dozen_and_the_page_goes_to_where_it_stops(
    open_session: OpenSession, game: Game, people: list[User]
) -> None:
    page = open_at(open_session(waiter_of(game, people)), game, 1)
    complaints, asked = watch(page), list[str]()
    page.on("request", lambda request: asked.append(request.url) if "/moves?" in request.url else None)
    page.locator("#speed").select_option("2")
    page.get_by_role("button", name="Play all moves").click()
    expect(page.locator(".position-number")).to_have_text(f"Move 3 of {game.seq}", timeout=15_000)
    assert [url.partition("?")[2] for url in asked] == ["first=2&last=13", f"first=14&last={game.seq}"]
    page.get_by_role("button", name="Pause").click()
    expect(page).to_have_url(re.compile(r"\?at=[34]$"))
    expect(page.locator(".stage")).to_have_count(0)
    expect(page.get_by_role("button", name="Play all moves")).to_be_visible()
    assert page.locator("#speed").input_value() == "2"
    page.reload()
    assert page.locator("#speed").input_value() == "2"
    page.goto(f"/games/{game.key}/?at={game.seq - 1}")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Space")
    expect_at(page, game, game.seq)
    expect(page.locator(".stage")).to_have_count(0, timeout=15_000)
    assert complaints == []


def test_a_look_back_loses_no_composed_turn(open_session: OpenSession, game: Game) -> None:
    page = open_session(mover_of(game)).new_page()
    page.goto(f"/games/{game.key}/")
    expect(page.locator(".stage")).to_have_count(0, timeout=15_000)
    page.locator("button.way:enabled, .pay").first.click()
    steps = page.locator("#compose [name=steps]")
    expect(steps).not_to_have_value("")
    composed = steps.input_value()
    page.get_by_role("link", name="First position").click()
    expect_at(page, game, 0)
    expect(steps).to_have_count(0)
    page.locator("#position").focus()
    page.keyboard.press("End")
    expect(steps).to_have_value(composed)


@pytest.mark.parametrize("width", [320, 390])
def test_on_a_phone_the_buttons_stay_one_line_and_the_board_can_be_swiped(
    open_session: OpenSession, game: Game, people: list[User], width: int
) -> None:
    session = open_session(waiter_of(game, people), viewport={"width": width, "height": 800}, has_touch=True)
    page = open_at(session, game, 7)
    shown = "[...document.querySelectorAll('.positions > *')].filter((one) => one.checkVisibility())"
    tops = page.evaluate(
        f"{shown}.map((one) => one.getBoundingClientRect()).map((box) => [box.y + box.height / 2, box.right])"
    )
    assert len({round(middle) for middle, _right in tops}) == 1
    assert max(right for _middle, right in tops) <= width
    sizes = page.evaluate(
        f"{shown}.filter((one) => one.matches('.button')).map((one) => one.getBoundingClientRect().width)"
    )
    assert min(sizes) >= 44
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    board = page.locator(".board-scroll")
    if board.evaluate("(one) => one.scrollWidth > one.clientWidth"):
        return
    box = board.bounding_box()
    assert box is not None
    touch, y = page.context.new_cdp_session(page), box["y"] + box["height"] / 2
    for start, end, at in ((250, 120, 8), (120, 250, 7)):
        for kind, points in (("touchStart", [start]), ("touchMove", [end]), ("touchEnd", [])):
            where = [{"x": x, "y": y} for x in points]
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": where})
        expect_at(page, game, at)
