"""Every page in a real browser, light and dark, wide and narrow: accessible, quiet, nothing beside the screen."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page
from pytest_django.live_server_helper import LiveServer

from accounts.guests import make_guest
from accounts.models import User
from accounts.names import MAX_LENGTH, fold_name
from games import commands
from games.models import Game, Seat
from games.notices.kinds import NoticeKind
from games.notices.preferences import unsubscribe_token

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text("utf-8")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
"""The rules of `TAGS` that look at colours. No other depends on the scheme: sheets know of it by `light-dark` alone."""
SCHEMES = ("light", "dark")
SETTLED = """() => new Promise((settled, failed) => {
  const late = performance.now() + 10000;
  const look = () => {
    const ends = (one) => one.playState === "running" && one.effect.getComputedTiming().endTime < Infinity;
    const [moving] = document.getAnimations().filter(ends);
    if (!moving) return settled(null);
    const what = moving.effect.target?.outerHTML.slice(0, 150);
    if (performance.now() > late) return failed(new Error(`still moves: ${what}`));
    requestAnimationFrame(() => {});  // time goes on for animations as long as frames are drawn
    setTimeout(look, 20);
  };
  look();
})"""
"""Wait until nothing is on its way any more but what never ends."""
WIDTHS = {"wide": 1280, "narrow": 320}

# What stands out of the screen, where the page can be moved sideways.
BESIDE = """() => document.documentElement.scrollWidth <= document.documentElement.clientWidth ? []
  : [...document.querySelectorAll("main *, header *")]
    .filter(one => one.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5
      && !one.closest(".table-wrap, .board-scroll > *, .visually-hidden"))
    .map(one => one.outerHTML.slice(0, 90))"""

REFUSED = "the server responded with a status of 422"

type Open = Callable[..., Page]


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada@example.org", "starlight", display_name="Ada")


@pytest.fixture
def bo() -> User:
    return User.objects.create_user("bo@example.org", display_name="Bo of the Longest Name of Alls")


@pytest.fixture
def games(ada: User, bo: User) -> dict[str, Game]:
    """One game of each status, all of Ada's."""

    def create(*others: User, **terms: Any) -> Game:
        game = commands.create_game(
            user=ada,
            ruleset="gravity-1",
            size=terms.get("size", 2),
            options=terms.get("options", {}),
            public=True,
            bots=terms.get("bots", ()),
            now=timezone.now(),
        )
        for other in others:
            game = commands.join_game(game_key=game.key, user=other, now=timezone.now())
        return game

    options = {"expert": True, "goodies": "PJT"}
    made = {"open": create(size=6, options=options, bots=["nova:1", "nova:2"]), "active": create(bo)}
    finished = create(bo, options=options)
    made["finished"] = commands.resign(game_key=finished.key, user=bo, seq=0, now=timezone.now())
    return made


def told(line: ConsoleMessage) -> str:
    return f"{line.text} {line.location['url']}"


@pytest.fixture
def open_page(browser: Browser, live_server: LiveServer) -> Iterator[Open]:
    """Open a browser of a person's own; what it complains of, beside refusals that were asked for, fails the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_for(user: User | None, **options: Any) -> Page:
        context = browser.new_context(base_url=live_server.url, **options)
        contexts.append(context)
        if user is not None:
            client = Client()
            client.force_login(user)
            cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
            context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": live_server.url}])
        page = context.new_page()
        page.on("console", lambda line: complaints.append(told(line)) if line.type in {"error", "warning"} else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield open_for
    for context in contexts:
        context.close()
    assert [line for line in complaints if REFUSED not in line] == []


def faults_for_readers(page: Page) -> list[str]:
    """Return what keeps somebody from using the page as it stands."""
    return faults_by(page, TAGS)


def faint_words(page: Page) -> list[str]:
    """Return the words that stand out from their ground less than seven to one (large ones: four and a half)."""
    return faults_by(page, {"type": "rule", "values": ["color-contrast-enhanced"]})


def faults_by(page: Page, rules: list[str] | dict[str, Any]) -> list[str]:
    """Return what axe finds by these rules: its tags, or what it is told to run only."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    page.evaluate(SETTLED)
    found = page.evaluate("rules => axe.run(document, {runOnly: rules})", rules)
    assert found["passes"], "axe looked at nothing"
    return [f"{fault['id']}: {node['html'][:150]}" for fault in found["violations"] for node in fault["nodes"]]


def show_in(page: Page, scheme: str) -> None:
    """Show a page that is open in another scheme, as where the reader's system changes it."""
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.evaluate(SETTLED)


def assert_accessible_and_fits(page: Page, address: str) -> None:
    """Open a page once, and look at it on both screens and in both schemes."""
    light, dark = SCHEMES
    page.set_viewport_size({"width": WIDTHS["narrow"], "height": 800})
    page.goto(address)
    for name, width in reversed(WIDTHS.items()):
        page.set_viewport_size({"width": width, "height": 800})
        beside = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert beside <= 0, f"{address}, {name}"
    assert faults_for_readers(page) == [], f"{address}, {light}"
    show_in(page, dark)
    assert faults_by(page, COLOURS) == [], f"{address}, {dark}"
    show_in(page, light)


def addresses(games: dict[str, Game]) -> list[str]:
    named = (
        "home",
        "learn",
        "puzzles",
        "daily_puzzles",
        "lobby",
        "leaderboards",
        "rules",
        "reference",
        "notation",
        "about",
        "account_login",
        "account_signup",
    )
    creator = games["open"].creator
    assert creator is not None
    return [
        *map(reverse, (*named, "account_reset_password")),
        reverse("game_reference", args=[games["open"].key]),
        reverse("invitation", args=[games["open"].key]),
        reverse("player_named", args=["Ada"]),
        *(reverse("lesson", args=[name]) for name in ("down", "the-end", "goodies")),
        reverse("unsubscribe", args=[unsubscribe_token(creator, [NoticeKind.TURN])]),
    ]


def addresses_signed_in(games: dict[str, Game]) -> list[str]:
    named = ("home", "lobby", "create_game", "my_games", "profile", "account_email", "account_change_password")
    return [
        *map(
            reverse,
            (
                *named,
                "holidays",
                "delete_account",
                "notices",
                "deliveries",
                "mfa_index",
                "usersessions_list",
                "access_tokens",
                "bots",
            ),
        ),
        reverse("game_time_control", args=[games["active"].key]),
        reverse("invitation", args=[games["open"].key]),
        reverse("game", args=[games["active"].key]),
        reverse("game", args=[games["finished"].key]),
        reverse("try_out", args=[games["active"].key]),
    ]


def test_every_page_is_accessible_to_guests_and_fits(open_page: Open, games: dict[str, Game]) -> None:
    page = open_page(None, color_scheme="light")
    for address in addresses(games):
        assert_accessible_and_fits(page, address)


def test_every_page_is_accessible_to_who_is_signed_in_and_fits(
    open_page: Open, games: dict[str, Game], ada: User
) -> None:
    page = open_page(ada, color_scheme="light")
    for address in addresses_signed_in(games):
        assert_accessible_and_fits(page, address)


def test_more_contrast_is_seven_to_one(open_page: Open, games: dict[str, Game], ada: User) -> None:
    page = open_page(ada)
    page.goto(reverse("home"))
    page.get_by_role("group", name="Contrast").get_by_role("button", name="more").click()
    assert page.locator("link[href*='contrast'][media]").count() == 0
    for address in (*addresses_signed_in(games), reverse("rules"), reverse("lesson", args=["down"])):
        page.goto(address)
        for scheme in SCHEMES:
            show_in(page, scheme)
            assert faint_words(page) == [], f"{address}, {scheme}"


def test_every_page_is_accessible_to_guest_accounts_and_fits(open_page: Open, games: dict[str, Game]) -> None:
    page = open_page(make_guest(language="en", now=timezone.now()), color_scheme="light")
    named = ("home", "lobby", "my_games", "create_game", "keep_games", "profile", "account_logout")
    for address in (*map(reverse, named), reverse("invitation", args=[games["open"].key])):
        assert_accessible_and_fits(page, address)


@pytest.mark.parametrize("letter", ["W", "ש"])
def test_a_name_without_a_blank_widens_no_page(
    letter: str, open_page: Open, games: dict[str, Game], ada: User, bo: User
) -> None:
    for person, name in ((ada, letter * MAX_LENGTH), (bo, "M" + letter * (MAX_LENGTH - 1))):
        User.objects.filter(pk=person.pk).update(display_name=name, name_key=fold_name(name))
        Seat.objects.filter(user=person).update(name=name)
    game = games["active"]
    for text in ("x" * 500, "see https://example.org/" + "y" * 300):
        commands.write_message(game_key=game.key, user=bo, text=text, now=timezone.now())
    commands.propose_cancel(game_key=game.key, user=bo, now=timezone.now())
    commands.invite(
        game_key=games["open"].key, user=ada, name=User.objects.get(pk=bo.pk).display_name, now=timezone.now()
    )
    signed_in, rival = open_page(ada), open_page(bo)
    wide = []
    for page, pages in ((signed_in, addresses_signed_in(games)), (rival, [*map(reverse, ("lobby", "my_games"))])):
        for address in [*pages, reverse("player", args=[ada.pk]), reverse("messages", args=[game.key])]:
            page.goto(address)
            for width in (320, 390):
                page.set_viewport_size({"width": width, "height": 800})
                wide += [f"{address} {width}: {one}" for one in page.evaluate(BESIDE)]
    assert wide == []


def test_a_page_with_errors_is_accessible(open_page: Open, ada: User) -> None:
    page = open_page(ada, color_scheme="light")
    page.goto(reverse("create_game"))
    page.get_by_text("Only certain players").click()
    page.get_by_label("Rating from").fill("1800")
    page.get_by_label("Rating up to").fill("1500")
    with page.expect_response(lambda response: response.request.is_navigation_request()) as answered:
        page.get_by_role("button", name="Create the game").click()  # the summary asks by POST, too
    assert answered.value.status == 422
    assert faults_for_readers(page) == []
    show_in(page, "dark")
    assert faults_by(page, COLOURS) == []


def test_the_keyboard_reaches_the_content_first_and_the_menus(
    open_page: Open, games: dict[str, Game], ada: User
) -> None:
    page = open_page(ada)
    page.goto(reverse("lobby"))
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip-link"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"
    menu = page.locator("details.menu", has_text="Ada").locator("summary")
    menu.focus()
    page.keyboard.press("Enter")
    assert page.get_by_role("button", name="Sign out").is_visible()


def test_a_game_is_created_joined_and_started_without_script(
    open_page: Open, live_server: LiveServer, ada: User, bo: User
) -> None:
    host, visitor = open_page(ada, java_script_enabled=False), open_page(bo, java_script_enabled=False)
    host.goto(reverse("create_game"))
    host.get_by_label("2", exact=True).check()
    host.get_by_label("Only people you give the link to").check()
    host.get_by_role("button", name="Create the game").click()
    link = host.get_by_label("Give this link").input_value()
    assert link.startswith(settings.SITE_URL)
    visitor.goto(urlsplit(link).path)
    assert visitor.get_by_text("Ada invites you to play").is_visible()
    visitor.get_by_role("button", name="Join").click()
    game = Game.objects.get()
    assert visitor.url == live_server.url + reverse("game", args=[game.key])
    assert not game.public
