"""Messages in a real browser: a poll brings them and wipes nothing, with script and without; all of it accessible."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from games import commands
from games.models import Game
from tests.browser.test_pages import assert_accessible_and_fits
from tests.browser.test_play import ask_for_news, take, watch
from tests.flows.play import NOW, make_user, start_game

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
type Session = Callable[..., BrowserContext]


@pytest.fixture
def game() -> Game:
    return start_game([make_user("Ada"), make_user("Bo")], seed=5)


def open_as(name: str, game: Game, open_session: Session, **options: object) -> Page:
    page = open_session(game.seats.get(name=name).user, **options).new_page()
    page.goto(f"/games/{game.key}/")
    return page


def test_a_poll_brings_messages_and_keeps_the_one_that_is_half_written(game: Game, open_session: Session) -> None:
    ada, bo = open_as("Ada", game, open_session), open_as("Bo", game, open_session)
    complaints = [watch(page) for page in (ada, bo)]
    take(ada, "R=")
    expect(ada.locator(".steps li")).to_have_count(1)
    for page, words in ((ada, "Half of a"), (bo, "Hold on")):
        page.get_by_label("Your message").press_sequentially(words)
    bo.get_by_role("button", name="Send").click()
    expect(bo.locator("#talk-list")).to_contain_text("Hold on")
    expect(bo.get_by_label("Your message")).to_have_value("")
    expect(bo.get_by_label("Your message")).to_be_focused()
    ask_for_news(ada)
    expect(ada.locator("#talk-list")).to_contain_text("Hold on")
    expect(ada.get_by_label("Your message")).to_have_value("Half of a")
    expect(ada.locator(".steps li")).to_have_count(1)
    ada.get_by_role("button", name="Confirm turn").click()
    expect(ada.locator("#say")).to_contain_text("Your turn has been played.")
    expect(ada.get_by_label("Your message")).to_have_value("Half of a")
    bo.get_by_label("Your message").fill("And I")
    ask_for_news(bo)
    expect(bo.locator(".turn-sign")).to_contain_text("Your turn")
    expect(bo.locator("#talk-list li")).to_have_count(1)
    expect(bo.get_by_label("Your message")).to_have_value("And I")
    assert complaints == [[], []]


def test_a_refused_message_stays_in_its_field_with_the_reason(game: Game, open_session: Session) -> None:
    page = open_as("Ada", game, open_session)
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#talk")).to_contain_text("Write something first.")
    page.get_by_label("Your message").fill("Better")
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#talk-list")).to_contain_text("Better")
    expect(page.locator("#talk")).not_to_contain_text("Write something first.")
    expect(page.locator("#trouble")).to_be_hidden()


def test_who_is_signed_out_meanwhile_reads_so_and_keeps_their_words(game: Game, open_session: Session) -> None:
    page = open_as("Ada", game, open_session)
    page.get_by_label("Your message").fill("Anyone there?")
    page.context.clear_cookies(name="sessionid")
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#trouble")).to_be_visible()
    expect(page.get_by_label("Your message")).to_have_value("Anyone there?")


def test_messages_are_written_and_read_without_script(game: Game, open_session: Session) -> None:
    page = open_as("Ada", game, open_session, java_script_enabled=False)
    page.get_by_label("Your message").fill("No script here")
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#talk-list")).to_contain_text("No script here")
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#talk")).to_contain_text("Write something first.")


def test_pages_with_messages_and_invitations_are_accessible_and_fit(game: Game, open_session: Session) -> None:
    people = {seat.name: seat.user for seat in game.seats.all() if seat.user is not None}
    for number in range(60):
        name = "Ada" if number % 3 else "Bo"
        commands.write_message(game_key=game.key, user=people[name], text=f"{number} " + "word" * 50, now=NOW)
    waiting = commands.create_game(
        user=people["Ada"], ruleset="gravity-1", size=3, options={}, public=True, bots=[], now=NOW
    )
    commands.invite(game_key=waiting.key, user=people["Ada"], name="Bo", now=NOW)
    addresses = {
        "Ada": [f"/games/{game.key}/", f"/games/{game.key}/messages/", f"/games/{waiting.key}/invitation/"],
        "Bo": ["/my-games/", f"/games/{waiting.key}/invitation/"],
    }
    for name, pages in addresses.items():
        page = open_session(people[name], color_scheme="light").new_page()
        for address in pages:
            assert_accessible_and_fits(page, address)
