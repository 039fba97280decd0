"""Turns played on the board of an open page: on demand, by themselves once, and not at all where nothing shall move."""

from random import Random
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from accounts.models import User
from games import commands
from games.models import Game
from tests.browser.conftest import OpenSession
from tests.browser.test_play import ask_for_news, take, watch
from tests.flows.play import NOW, play_randomly, random_turn, start_game, state_of

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

MOVING = "document.getAnimations().filter(one => one.effect?.target?.closest?.('.stage')).length"
PLACES = """() => [...document.querySelectorAll("#game *")]
    .filter((one) => !one.closest("svg, .stage, .stage-caption") && one.checkVisibility())
    .map((one) => [one.localName, one.getBoundingClientRect()])
    .map(([name, { x, y }]) => JSON.stringify([name, x, y + scrollY]))"""
COVERED = """() => {
  const words = document.querySelector(".stage-caption"), box = words.getBoundingClientRect();
  const apart = ({ left, right, top, bottom }) =>
    left >= box.right || right <= box.left || top >= box.bottom - 0.5 || bottom <= box.top + 0.5;
  return [...document.querySelectorAll("#game *")]
    .filter((one) => !one.contains(words) && !words.contains(one) && !one.closest("svg") && one.checkVisibility())
    .filter((one) => !apart(one.getBoundingClientRect())).map((one) => one.className || one.localName);
}"""
STANDING = "getComputedStyle(document.querySelector('.board-frame > .gravity-board')).visibility"


@pytest.fixture
def game(people: list[User]) -> Game:
    game = start_game(people, seed=4)
    play_randomly(game, 4, Random(4))
    return Game.objects.get(pk=game.pk)


def open_past(session: BrowserContext, game: Game) -> Page:
    """Open a position that plays nothing by itself."""
    page = session.new_page()
    page.goto(f"/games/{game.key}/?at={game.seq - 1}")
    return page


def play_for(page: Page, game: Game) -> None:
    """Let whoever is to move do so, and the page learn of it."""
    now = Game.objects.get(pk=game.pk)
    seat = now.seats.get(number=now.to_move)
    assert seat.user is not None
    commands.play_turn(
        game_key=now.key, user=seat.user, seq=now.seq, turn=random_turn(state_of(now), Random(1)), now=NOW
    )
    ask_for_news(page)


def test_the_button_plays_the_shown_turn_and_leaves_the_page_as_it_was(
    open_session: OpenSession, game: Game, people: list[User]
) -> None:
    page = open_past(open_session(people[0]), game)
    complaints = watch(page)
    button = page.get_by_role("button", name="Play this turn")
    button.focus()
    before = page.locator("#game").bounding_box()
    page.keyboard.press("Enter")
    expect(page.locator(".stage-caption")).not_to_be_empty()
    page.wait_for_function(f"{MOVING} > 0")
    assert page.evaluate(STANDING) == "hidden"
    assert page.locator(".stage").count() == 1
    assert page.locator("#game").bounding_box() == before
    expect(page.locator(".stage")).to_have_count(0)
    assert page.evaluate(STANDING) == "visible"
    expect(button).to_be_focused()
    assert complaints == []


@pytest.mark.parametrize(
    "viewport", [{"width": 390, "height": 844}, {"width": 844, "height": 390}, {"width": 1280, "height": 800}]
)
def test_what_is_said_of_a_turn_lies_over_nothing_and_moves_nothing(
    open_session: OpenSession, game: Game, people: list[User], viewport: dict[str, int]
) -> None:
    page = open_session(people[0], viewport=viewport).new_page()
    for address in (f"/games/{game.key}/?at=3", "/learn/down/"):
        page.goto(address)
        if "learn" in address:
            take(page, "R-")
            page.locator("#confirm").click()
            expect(page.locator(".stage-caption")).not_to_be_empty()
        expect(page.locator(".stage")).to_have_count(0, timeout=10_000)
        before = page.evaluate(PLACES)
        page.evaluate("document.getElementById('play').click()")
        expect(page.locator(".stage-caption")).not_to_be_empty()
        assert page.evaluate(PLACES) == before
        page.evaluate("scrollTo(0, 0)")  # elsewhere the board slides over what is below it
        assert page.evaluate(COVERED) == []
        page.keyboard.press("Escape")


@pytest.mark.parametrize("how", ["key", "board", "caption"])
def test_a_key_and_a_click_skip_to_the_end(open_session: OpenSession, game: Game, people: list[User], how: str) -> None:
    page = open_past(open_session(people[0]), game)
    page.get_by_role("button", name="Play this turn").click()
    expect(page.locator(".stage-caption")).not_to_be_empty()
    if how == "key":
        page.keyboard.press("Escape")
    else:
        page.locator({"board": ".stage", "caption": ".stage-caption"}[how]).click(position={"x": 3, "y": 3})
    assert page.locator(".stage, .stage-caption").count() == 0
    assert page.evaluate(STANDING) == "visible"
    assert page.evaluate(MOVING) == 0


def test_where_nothing_shall_move_the_way_is_numbered(
    open_session: OpenSession, game: Game, people: list[User]
) -> None:
    page = open_session(people[0], reduced_motion="reduce").new_page()
    complaints = watch(page)
    page.goto(f"/games/{game.key}/")
    assert page.locator(".stage").count() == 0
    page.get_by_role("button", name="Play the last turn").click()
    expect(page.locator(".stage-caption")).not_to_be_empty()
    assert page.evaluate(MOVING) == 0
    assert page.evaluate(STANDING) == "visible"
    assert page.locator(".stage .stop").count() == page.locator(".stage .stop text").count()
    page.keyboard.press("Escape")
    expect(page.locator(".stage")).to_have_count(0)
    play_for(page, game)
    expect(page.locator(".position-number")).to_have_text("Move 5 of 5")
    page.wait_for_timeout(300)
    assert page.locator(".stage").count() == 0
    assert complaints == []


def asked(page: Page) -> list[str]:
    """Return a list that gathers what the page asks to play."""
    found: list[str] = []

    def note(request: Any) -> None:
        if "/moves?" in request.url:
            found.append(request.url.partition("/moves?")[2])

    page.on("request", note)
    return found


def test_what_came_since_the_readers_own_turn_is_played_once(
    open_session: OpenSession, game: Game, people: list[User]
) -> None:
    page = open_session(people[0]).new_page()
    complaints, moves = watch(page), asked(page)
    page.goto(f"/games/{game.key}/")
    expect(page.locator(".stage")).to_have_count(0, timeout=10_000)
    assert moves == ["first=4&last=4"]
    page.reload()
    page.wait_for_timeout(300)
    assert len(moves) == 1
    play_for(page, game)
    play_for(page, game)
    expect(page.locator(".position-number")).to_have_text("Move 6 of 6")
    expect(page.locator(".stage")).to_have_count(0, timeout=10_000)
    assert moves[-1].endswith("last=6")
    asked_for = len(moves)
    page.reload()
    page.wait_for_timeout(300)
    assert len(moves) == asked_for
    assert complaints == []


def test_a_question_without_news_disturbs_no_turn_that_is_played(
    open_session: OpenSession, game: Game, people: list[User]
) -> None:
    page = open_session(people[0]).new_page()
    page.goto(f"/games/{game.key}/")
    expect(page.locator(".stage")).to_have_count(0, timeout=10_000)
    page.get_by_role("button", name="Play the last turn").click()
    expect(page.locator(".stage-caption")).not_to_be_empty()
    with page.expect_response("**/board*") as answer:
        ask_for_news(page)
    page.evaluate("new Promise((go) => requestAnimationFrame(() => setTimeout(go)))")
    assert answer.value.status == 304
    assert page.locator(".stage").count() == 1


def test_a_turn_that_other_news_cut_short_is_played_again(
    open_session: OpenSession, game: Game, people: list[User]
) -> None:
    page = open_session(people[0]).new_page()
    page.goto(f"/games/{game.key}/")
    expect(page.locator(".stage")).to_have_count(0, timeout=10_000)
    moves = asked(page)
    play_for(page, game)
    expect(page.locator(".stage-caption")).not_to_be_empty()
    commands.write_message(game_key=game.key, user=people[1], text="Look!", now=NOW)
    with page.expect_response("**/board*") as answer:
        ask_for_news(page)
    assert answer.value.status == 200
    expect(page.locator(".stage-caption")).not_to_be_empty()
    expect(page.locator(".stage")).to_have_count(0, timeout=10_000)
    assert len(moves) > 1  # the page asks by itself too
    assert set(moves) == {"first=5&last=5"}


def test_a_guest_is_played_only_what_comes_while_they_look(
    browser: Any, live_server: Any, game: Game, people: list[User]
) -> None:
    context = browser.new_context(base_url=live_server.url)
    page = context.new_page()
    moves = asked(page)
    page.goto(f"/games/{game.key}/")
    page.wait_for_timeout(300)
    assert moves == []
    play_for(page, game)
    expect(page.locator(".stage-caption")).not_to_be_empty()
    assert moves == ["first=5&last=5"]
    context.close()


def test_an_act_that_the_script_does_not_know_leaves_the_position_standing(
    open_session: OpenSession, game: Game, people: list[User]
) -> None:
    page = open_past(open_session(people[0]), game)
    complaints = watch(page)

    def reword(route: Any) -> None:
        response = route.fetch()
        document = response.json()
        document["moves"][0]["acts"].append({"kind": "explode", "wait": 0, "ms": 0})
        route.fulfill(response=response, json=document)

    page.route("**/moves?*", reword)
    with page.expect_response("**/moves?*"):
        page.get_by_role("button", name="Play this turn").click()
    expect(page.locator(".stage, .stage-caption")).to_have_count(0)
    assert page.evaluate(STANDING) == "visible"
    assert complaints == []
