"""What an open game page does with focus, with words that must be seen, and with what happens in other tabs."""

import re
from collections.abc import Callable
from datetime import timedelta
from random import Random
from urllib.parse import urljoin

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, expect

from accounts.models import User
from games import commands
from games.models import Game
from games.words.time import format_until
from tests.browser.test_play import take
from tests.flows.play import RULES, RULESET, make_user, start_game, state_of

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]
PHONE = {"viewport": {"width": 390, "height": 700}}

type OpenSession = Callable[..., BrowserContext]


@pytest.fixture
def people() -> list[User]:
    return [make_user("Ada"), make_user("Bo")]


@pytest.fixture
def game(people: list[User]) -> Game:
    return start_game(people, seed=4)


def compose(page: Page, game: Game) -> None:
    turn = RULES.choose_turn(RULES.autopilot, state_of(game), Random(4))
    for number, step in enumerate(turn.split(), start=1):
        take(page, step)
        expect(page.locator(".steps li")).to_have_count(number)


def confirm(page: Page) -> None:
    page.get_by_role("button", name="Confirm turn").click()


def sign_in_elsewhere(context: BrowserContext, user: User) -> None:
    """Give the browser what signing in in another tab gives it: a new session, and a new token."""
    client = Client()
    client.force_login(user)
    url = urljoin(context.pages[0].url, "/")
    cookies = {settings.SESSION_COOKIE_NAME: client.cookies[settings.SESSION_COOKIE_NAME].value, "csrftoken": "a" * 32}
    context.add_cookies([{"name": name, "value": value, "url": url} for name, value in cookies.items()])


def test_focus_goes_on_from_the_sentence_that_says_whose_turn_it_is(
    open_session: OpenSession, game: Game, people: list[User]
) -> None:
    page = open_session(people[0]).new_page()
    page.goto(f"/games/{game.key}/")
    compose(page, game)
    confirm(page)
    expect(page.locator("#say")).to_contain_text("Your turn has been played.")
    expect(page.locator("#turn-sign")).to_be_focused()


def test_trouble_is_said_where_the_finger_is(open_session: OpenSession, game: Game, people: list[User]) -> None:
    page = open_session(people[0], **PHONE).new_page()
    page.goto(f"/games/{game.key}/")
    compose(page, game)
    page.route("**/turn", lambda route: route.fulfill(status=500, body="<h1>Broken</h1>"))
    button = page.get_by_role("button", name="Confirm turn")
    button.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    button.click()
    expect(page.locator("#trouble")).to_be_in_viewport(ratio=1)
    assert page.evaluate("scrollY") == before
    expect(page.locator(".steps li")).not_to_have_count(0)


def test_a_new_sign_in_in_another_tab_costs_one_press(
    open_session: OpenSession, game: Game, people: list[User]
) -> None:
    context = open_session(people[0], **PHONE)
    page = context.new_page()
    page.goto(f"/games/{game.key}/")
    compose(page, game)
    sign_in_elsewhere(context, people[0])
    confirm(page)
    expect(page.locator("#signed-in-again")).to_contain_text("now as Ada")
    expect(page.locator("#signed-in-again")).to_be_in_viewport(ratio=1)
    confirm(page)
    expect(page.locator("#say")).to_contain_text("Your turn has been played.")
    expect(page.locator("#signed-in-again")).to_be_hidden()


def test_a_turn_is_there_again_after_signing_in(open_session: OpenSession, game: Game, people: list[User]) -> None:
    context = open_session(people[0])
    page = context.new_page()
    page.goto(f"/games/{game.key}/")
    compose(page, game)
    steps = page.locator(".steps li").all_inner_texts()
    context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    confirm(page)
    page.locator("#say").get_by_role("link", name="Sign in").click()
    page.locator("[name=login]").fill(people[0].email)
    page.locator("[name=password]").fill("starlight")
    page.keyboard.press("Enter")
    expect(page.locator("#say")).to_contain_text("as you left it")
    assert page.locator(".steps li").all_inner_texts() == steps
    confirm(page)
    expect(page.locator("#say")).to_contain_text("Your turn has been played.")


def test_the_tab_says_whose_turn_it_is_by_its_title_and_its_icon(
    open_session: OpenSession, game: Game, people: list[User]
) -> None:
    page = open_session(people[0]).new_page()
    page.goto(f"/games/{game.key}/")
    icon = page.locator("#icon")
    expect(page).to_have_title(re.compile("^Your turn: .* · Gravity Superstar$"))
    expect(icon).to_have_attribute("href", re.compile("favicon-turn"))
    compose(page, game)
    confirm(page)
    expect(page).to_have_title(re.compile(f"^{people[0].display_name} and .* · Gravity Superstar$"))
    expect(icon).to_have_attribute("href", re.compile("favicon.svg"))


def test_only_what_scrolls_is_a_stop_of_the_keyboard(open_session: OpenSession, game: Game, people: list[User]) -> None:
    page = open_session(people[0]).new_page()
    for address in (f"/games/{game.key}/", reverse("notation"), reverse("rules"), f"/games/{game.key}/"):
        page.goto(address)
        idle = "e => e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight"
        stops = page.locator("[tabindex='0']").all()
        assert [stop.get_attribute("class") for stop in stops if stop.evaluate(idle)] == []
    page.set_viewport_size(PHONE["viewport"])  # type: ignore[arg-type]
    page.goto(reverse("notation"))
    frame = page.locator(".table-wrap").first
    scrolls = frame.evaluate("e => e.scrollWidth > e.clientWidth")
    assert (frame.get_attribute("tabindex") == "0") is scrolls


def test_the_countdown_goes_on_from_where_the_server_began(
    open_session: OpenSession, game: Game, people: list[User]
) -> None:
    page = open_session(people[0]).new_page()
    page.clock.install(time=timezone.now())
    page.goto(f"/games/{game.key}/")
    page.evaluate("document.getElementById('live').remove()")
    place = "document.querySelector('.deadline time')"
    rng = Random(1)
    days = [3 * 86_400, 3 * 86_400 - 1, 2 * 86_400, 2 * 86_400 - 1, 7_200, 7_199, 120, 119, 2, 1]
    now = timezone.now().replace(microsecond=0)
    for seconds in [*days, *(rng.randrange(1, 14 * 86_400) for _ in range(30))]:
        now += timedelta(minutes=1)
        page.clock.set_system_time(now)
        set_it = f"([now, due]) => {{ {place}.dataset.now = now; {place}.dateTime = due; }}"
        page.evaluate(set_it, [now.isoformat(), (now + timedelta(seconds=seconds)).isoformat()])
        page.clock.run_for(1_000)
        assert page.locator(".countdown").inner_text() in (format_until(seconds), format_until(seconds - 1))


def test_who_waits_for_players_is_taken_into_the_game(open_session: OpenSession, people: list[User]) -> None:
    ada, bo = people
    now = timezone.now()
    game = commands.create_game(user=ada, ruleset=RULESET, size=2, options={}, public=True, bots=(), now=now)
    page = open_session(ada).new_page()
    page.goto(f"/games/{game.key}/invitation/")
    commands.join_game(game_key=game.key, user=bo, now=now)
    page.evaluate("document.body.dispatchEvent(new CustomEvent('board:poll'))")
    page.wait_for_url(f"**/games/{game.key}/")
    expect(page.locator("#board, .game-board").first).to_be_visible()


def test_only_a_touched_page_says_that_its_reader_is_there(
    open_session: OpenSession, game: Game, people: list[User]
) -> None:
    page = open_session(people[1]).new_page()
    page.goto(f"/games/{game.key}/")

    def ask() -> str | None:
        with page.expect_request("**/board") as asked:
            page.evaluate("document.body.dispatchEvent(new CustomEvent('board:poll'))")
        asked.value.response()
        return asked.value.headers.get("x-touched")

    ask()  # what the pointer did as the page came
    assert ask() is None
    page.evaluate("scrollTo(0, 100)")
    assert ask() is None, "a page that moves by itself was not touched"
    page.keyboard.press("ArrowDown")
    assert ask() == "1", "a key"
    page.mouse.move(40, 60)
    page.mouse.move(80, 90)
    assert ask() == "1", "the pointer"
    page.mouse.wheel(0, 40)
    page.wait_for_function("scrollY > 100")
    assert ask() == "1", "the wheel"
    assert ask() is None
