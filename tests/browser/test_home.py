"""The board on the home page plays its game's last turns, where it may, and can be stopped."""

from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from games.models import Game
from tests.browser.test_play import watch
from tests.flows.play import make_user, play_randomly, start_game

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]
STANDING = "getComputedStyle(document.querySelector('.board-frame > .gravity-board')).visibility"


@pytest.fixture
def game() -> Game:
    game = start_game([make_user("Ada"), make_user("Bo")], seed=4)
    play_randomly(game, 8, Random(4))
    return Game.objects.get(pk=game.pk)


def test_the_last_turns_are_played_one_after_the_other(page: Page, live_server: LiveServer, game: Game) -> None:
    complaints = watch(page)
    page.goto(live_server.url)
    for seq in (game.seq - 5, game.seq - 4):
        expect(page.locator("#play")).to_have_attribute("data-seq", str(seq), timeout=15_000)
    expect(page.locator(".curtain")).to_have_count(1)
    assert page.evaluate(STANDING) == "hidden"
    assert complaints == []


def test_a_board_that_plays_by_itself_moves_no_page(page: Page, live_server: LiveServer, game: Game) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(live_server.url)
    expect(page.locator(".stage svg")).to_have_count(1)
    assert page.evaluate("scrollY") == 0


def test_whoever_presses_pause_sees_the_board_as_it_is(page: Page, live_server: LiveServer, game: Game) -> None:
    page.goto(live_server.url)
    expect(page.locator(".stage svg")).to_have_count(1)
    page.get_by_role("button", name="Pause").click()
    expect(page.locator(".stage, .curtain")).to_have_count(0)
    assert page.evaluate(STANDING) == "visible"
    page.wait_for_timeout(1_000)
    expect(page.locator(".stage")).to_have_count(0)
    page.get_by_role("button", name="Play on").click()
    expect(page.locator(".stage svg")).to_have_count(1)


def test_a_press_on_the_board_is_a_pause(page: Page, live_server: LiveServer, game: Game) -> None:
    page.goto(live_server.url)
    page.locator(".stage svg").click()
    expect(page.get_by_role("button", name="Play on")).to_be_visible()
    expect(page.locator(".stage, .curtain")).to_have_count(0)


@pytest.mark.parametrize("terms", [{"reduced_motion": "reduce"}, {"java_script_enabled": False}])
def test_where_nothing_may_move_the_board_stands(
    browser: Browser, live_server: LiveServer, game: Game, terms: dict[str, str | bool]
) -> None:
    page = browser.new_page(**terms)  # type: ignore[arg-type]
    page.goto(live_server.url)
    page.wait_for_timeout(2_500)
    expect(page.locator(".stage")).to_have_count(0)
    expect(page.locator(".gravity-board")).to_be_visible()
    assert not page.locator("#pause, #play").all()[0].is_visible()
    assert page.locator("#play").get_attribute("data-seq") == "0"
    page.close()


def test_what_was_played_here_is_still_news_on_the_page_of_the_game(
    page: Page, live_server: LiveServer, game: Game
) -> None:
    page.goto(live_server.url)
    expect(page.locator("#play")).to_have_attribute("data-seq", str(game.seq - 5))
    assert page.evaluate("sessionStorage.getItem(`played:${document.getElementById('play').dataset.moves}`)") in {
        "0",
        None,
    }
