"""Reading, reacting and the spectators' room in a real browser, with script and without; all of it accessible."""

from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import BrowserContext, expect

from accounts.models import User
from games import commands
from games.log.talk import Thing
from games.models import Game, ReactionKind, SeenMark
from tests.browser.test_pages import assert_accessible_and_fits
from tests.browser.test_play import ask_for_news, watch
from tests.flows.play import NOW, make_user, play_randomly, start_game

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
type Session = Callable[..., BrowserContext]


@pytest.fixture
def game() -> Game:
    return start_game([make_user("Ada"), make_user("Bo")], seed=5)


def person(name: str) -> User:
    return User.objects.get(display_name=name)


def say(game: Game, name: str, text: str) -> None:
    commands.write_message(game_key=game.key, user=person(name), text=text, now=NOW)


def test_a_new_message_stands_beside_the_board_until_it_came_into_sight(game: Game, open_session: Session) -> None:
    page = open_session(person("Ada"), viewport={"width": 390, "height": 700}).new_page()
    complaints = watch(page)
    page.goto(f"/games/{game.key}/")
    expect(page.locator(".talk-line")).to_have_count(0)
    say(game, "Bo", "See you tomorrow")
    ask_for_news(page)
    expect(page.locator(".talk-line")).to_contain_text("See you tomorrow")
    assert not SeenMark.objects.exists()
    page.locator(".talk-line").click()
    expect(page.locator("#talk-new form")).to_have_count(0)
    expect(page.locator(".talk-line")).to_have_count(0)
    assert SeenMark.objects.get().user == person("Ada")
    assert complaints == []


def test_reactions_are_chosen_and_taken_back_in_place(game: Game, open_session: Session) -> None:
    play_randomly(game, 1, Random(1))
    mover, other = ("Ada", "Bo") if game.entries.get().seat == game.seats.get(name="Ada").number else ("Bo", "Ada")
    say(game, mover, "Your turn")
    page = open_session(person(other)).new_page()
    complaints = watch(page)
    page.goto(f"/games/{game.key}/")
    for place in (page.locator("#talk .reactions"), page.locator(".game-log .reactions")):
        place.get_by_role("link", name="React").click()
        place.get_by_role("button", name="a heart").click()
        given = place.get_by_role("button", name="a heart 1")
        expect(given).to_have_attribute("aria-pressed", "true")
        given.click()
        expect(place.get_by_role("button")).to_have_count(0)
        expect(place.get_by_role("link", name="React")).to_be_visible()
    assert page.url.endswith(f"/games/{game.key}/")
    assert complaints == []


def test_all_of_it_works_without_script(game: Game, open_session: Session) -> None:
    say(game, "Bo", "Hello")
    page = open_session(person("Ada"), java_script_enabled=False).new_page()
    page.goto(f"/games/{game.key}/")
    page.locator("#talk").get_by_role("link", name="React").click()
    page.get_by_role("button", name="a star").click()
    expect(page.locator("#talk").get_by_role("button", name="a star 1")).to_be_visible()
    page.get_by_role("button", name="Mark as read").click()
    expect(page.get_by_role("button", name="Mark as read")).to_have_count(0)
    page.get_by_role("link", name="All messages, and muting").click()
    page.get_by_role("button", name="Mute Bo in this game").click()
    expect(page.locator("main")).not_to_contain_text("Hello")
    page.get_by_role("button", name="Show the messages of Bo again").click()
    expect(page.locator("main")).to_contain_text("Hello")


@pytest.mark.parametrize("script", [True, False])
def test_spectators_write_to_each_other(script: bool, game: Game, open_session: Session) -> None:
    cy, dee = (open_session(make_user(name), java_script_enabled=script).new_page() for name in ("Cy", "Dee"))
    for page in (cy, dee):
        page.goto(f"/games/{game.key}/")
        page.get_by_role("link", name="Spectators’ messages").click()
    cy.get_by_label("Your message").fill("See https://example.org/rules")
    cy.get_by_role("button", name="Send").click()
    expect(cy.locator("#talk-list").get_by_role("link", name="example.org/rules")).to_be_visible()
    if script:
        dee.get_by_label("Your message").fill("Half of")
        ask_for_news(dee)
    else:
        dee.reload()
    expect(dee.locator("#talk-list")).to_contain_text("See example.org/rules")
    if script:
        expect(dee.get_by_label("Your message")).to_have_value("Half of")
    dee.locator("#talk-list").get_by_role("link", name="React").click()
    dee.get_by_role("button", name="laughter").click()
    expect(dee.locator("#talk-list").get_by_role("button", name="laughter 1")).to_be_visible()


def test_pages_with_all_of_it_are_accessible_and_fit(game: Game, open_session: Session) -> None:
    cy = make_user("Cy")
    for number in range(3):
        say(game, "Bo", f"{number} https://example.org/{'x' * 80} " + "word" * 40)
        commands.write_to_spectators(game_key=game.key, user=cy, text=f"{number} " + "word" * 60, now=NOW)
    message = game.messages.latest("pk")
    for kind in ReactionKind:
        commands.react(
            game_key=game.key, user=person("Ada"), thing=Thing.MESSAGE, number=message.pk, kind=kind, now=NOW
        )
    addresses = {
        "Ada": [f"/games/{game.key}/", "/my-games/", f"/games/{game.key}/messages/{message.pk}/react/"],
        "Cy": [f"/games/{game.key}/spectators/"],
    }
    for name, pages in addresses.items():
        page = open_session(person(name), color_scheme="light").new_page()
        for address in pages:
            assert_accessible_and_fits(page, address)
