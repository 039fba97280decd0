"""Whole games through the page in a real browser: two people with htmx, one person against computers without script."""

import re
from collections.abc import Callable
from random import Random
from typing import Final

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from games import commands
from games.models import Game
from tests.flows.play import NOW, RULES, make_user, mover_of, start_game, state_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LONGEST: Final = 400
"""Turns after which a game would certainly have ended."""


def watch(page: Page) -> list[str]:
    """Return a list that gathers all that the page complains about: broken scripts, refused styles, failed requests."""
    complaints: list[str] = []
    page.on(
        "console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))
    return complaints


def compose(page: Page, game: Game, rng: Random) -> None:
    """Press the buttons of a turn that a good player would play, and confirm it."""
    turn = RULES.choose_turn(RULES.autopilot, state_of(game), rng)
    for number, step in enumerate(turn.split(), start=1):
        take(page, step)
        expect(page.locator(".steps li")).to_have_count(number)
    page.get_by_role("button", name="Confirm turn").click()


def take(page: Page, step: str) -> None:
    """Press the button of a step, which may be among those that gain nothing now."""
    if page.locator("#show-dull").count():
        page.locator("#show-dull").check()
    page.locator(f'button[name="step"][value="{step}"]').first.click()


def ask_for_news(page: Page) -> None:
    """Let an open page look for news now, not after its pause."""
    page.evaluate("document.body.dispatchEvent(new CustomEvent('board:poll'))")


def played(page: Page) -> Locator:
    """Return what is said after a turn: that it was played, or how the game has ended."""
    word, end = page.get_by_text("Your turn has been played."), page.get_by_role("heading", name="Final ranking")
    return word.or_(end).first


def test_two_people_play_a_game_to_its_end_in_two_open_pages(open_session: Callable[..., BrowserContext]) -> None:
    people = [make_user("Ada"), make_user("Bo")]
    game = start_game(people, seed=4)
    pages = {user.pk: open_session(user).new_page() for user in people}
    complaints = [watch(page) for page in pages.values()]
    for page in pages.values():
        page.goto(f"/games/{game.key}/")
        page.evaluate("window.neverLoadedAnew = true")
    rng = Random(4)
    for _turn in range(LONGEST):
        mover = pages[mover_of(game).pk]
        ask_for_news(mover)
        expect(mover.locator(".turn-sign")).to_contain_text("Your turn")
        compose(mover, game, rng)
        expect(played(mover)).to_be_visible()
        if RULES.summary(state_of(game)).finished:
            break
    for page in pages.values():
        ask_for_news(page)
        expect(page.get_by_role("heading", name="Final ranking")).to_be_visible()
        assert page.evaluate("window.neverLoadedAnew")
    assert complaints == [[], []]


def test_an_open_page_follows_the_game_by_itself(open_session: Callable[..., BrowserContext]) -> None:
    people = [make_user("Ada"), make_user("Bo")]
    game = start_game(people, seed=5)
    page = open_session(people[1]).new_page()
    page.goto(f"/games/{game.key}/")
    expect(page.locator(".turn-sign")).to_contain_text("It is Ada's turn.")
    turn = RULES.choose_turn(RULES.autopilot, state_of(game), Random(5))
    commands.play_turn(game_key=game.key, user=people[0], seq=0, turn=turn, now=NOW)
    expect(page.locator(".turn-sign")).to_contain_text("Your turn", timeout=15_000)


def test_news_do_not_wipe_a_turn_that_is_being_composed(open_session: Callable[..., BrowserContext]) -> None:
    people = [make_user("Ada"), make_user("Bo")]
    game = start_game(people, seed=5)
    page = open_session(people[0]).new_page()
    page.goto(f"/games/{game.key}/")
    take(page, "R=")
    expect(page.locator(".steps li")).to_have_count(1)
    commands.play_turn(game_key=game.key, user=people[0], seq=0, turn="R-", now=NOW)
    ask_for_news(page)
    expect(page.locator("#news")).to_contain_text("The game has moved on while you were composing your turn.")
    expect(page.locator(".steps li")).to_have_count(1)
    page.get_by_role("button", name="Confirm turn").click()
    expect(page.locator("#say")).to_contain_text("The game has moved on since this page was shown.")
    expect(page.locator("#say")).to_contain_text("R=")
    expect(page.locator(".turn-sign")).to_contain_text("It is Bo's turn.")


def test_a_place_on_the_board_and_the_keyboard_alone_lead_to_a_turn(
    open_session: Callable[..., BrowserContext],
) -> None:
    people = [make_user("Ada"), make_user("Bo")]
    game = start_game(people, seed=6)
    page = open_session(people[0]).new_page()
    complaints = watch(page)
    page.goto(f"/games/{game.key}/")
    page.locator("button.spot").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#next")).not_to_have_text(re.compile("Choose a card"))
    expect(page.locator("#next, .at-spot .pay").and_(page.locator(":focus"))).to_have_count(1)
    assert complaints == []


def test_a_page_that_is_not_a_board_does_not_take_its_place(open_session: Callable[..., BrowserContext]) -> None:
    people = [make_user("Ada"), make_user("Bo")]
    game = start_game(people, seed=6)
    page = open_session(people[0]).new_page()
    page.goto(f"/games/{game.key}/")
    answer = {"status": 503, "content_type": "text/html", "body": "<h1>Come back later</h1>"}
    page.route("**/preview", lambda route: route.fulfill(**answer))
    take(page, "R=")
    expect(page.locator("#trouble")).to_be_visible()
    expect(page.locator(".gravity-board").first).to_be_visible()
    page.unroute("**/preview")
    take(page, "R=")
    expect(page.locator(".steps li")).to_have_count(1)
    expect(page.locator("#trouble")).to_be_hidden()


def test_one_person_plays_three_computers_to_the_end_without_script(
    open_session: Callable[..., BrowserContext],
) -> None:
    ada = make_user("Ada")
    game = commands.create_game(
        user=ada, ruleset="gravity-1", size=4, options={}, public=True, bots=["nova:2"] * 3, now=NOW
    )
    page = open_session(ada, java_script_enabled=False, viewport={"width": 390, "height": 844}).new_page()
    complaints = watch(page)
    page.goto(f"/games/{game.key}/")
    rng = Random(7)
    for _turn in range(LONGEST):
        game = Game.objects.get(pk=game.pk)
        if game.status == "finished":
            break
        if game.bot_to_move:
            commands.play_bot_turn(game_id=game.pk, seq=game.seq, rng=rng, now=NOW)
            continue
        page.goto(f"/games/{game.key}/")
        expect(page.locator(".position-number")).to_contain_text(f"Move {game.seq} of")
        compose(page, game, rng)
        expect(played(page)).to_be_visible()
    page.goto(f"/games/{game.key}/")
    expect(page.get_by_role("heading", name="Final ranking")).to_be_visible()
    page.get_by_role("link", name="First position").click()
    expect(page.locator(".position-number")).to_contain_text("Move 0 of")
    assert complaints == []


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("size", [2, 3, 6])
def test_the_page_is_never_wider_than_the_screen(
    open_session: Callable[..., BrowserContext], width: int, size: int
) -> None:
    people = [make_user(name) for name in ("Ada", "Bo", "Cy", "Di", "Eve", "Flo")[:size]]
    game = start_game(people, seed=8)
    page = open_session(people[0], viewport={"width": width, "height": 844}).new_page()
    page.goto(f"/games/{game.key}/")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    piece = page.locator(".look-here").bounding_box()
    frame = page.locator(".board-scroll").bounding_box()
    assert piece is not None
    assert frame is not None
    assert frame["x"] <= piece["x"] <= frame["x"] + frame["width"]
