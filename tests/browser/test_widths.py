"""Every text in its place on a narrow phone, in every language: the longest words are not English."""

from collections.abc import Callable
from random import Random
from typing import Any, Final

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from accounts.names import MAX_LENGTH
from games import commands
from games.models import Game, Message
from games.models.game import NAME_LENGTH
from tests.browser.conftest import OpenSession
from tests.browser.test_pages import addresses, addresses_signed_in
from tests.flows.play import mover_of, random_turn, start_game, state_of

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

WIDTHS: Final = (320, 390)
MEASURE: Final = """() => {
    const root = document.documentElement, faults = [];
    const unseen = "svg, .visually-hidden, .skip-link, .brand, select, textarea, input";
    const scrolls = box => box !== root && box !== null
        && (["auto", "scroll"].includes(getComputedStyle(box).overflowX) || scrolls(box.parentElement));
    const beyond = root.scrollWidth - root.clientWidth;
    if (beyond > 0) faults.push(`the page, by ${beyond}`);
    for (const box of document.body.querySelectorAll("*")) {
        if (!box.checkVisibility() || box.closest(unseen)) continue;
        const style = getComputedStyle(box);  // a long name is cut with an ellipsis, on purpose
        if (style.display === "inline" || style.textOverflow === "ellipsis" || scrolls(box)) continue;
        if (style.clipPath !== "none") continue;  // for the ear alone
        const own = [...box.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
        const beside = Math.round(box.getBoundingClientRect().right - root.clientWidth);
        if (box.clientWidth && own && box.scrollWidth > box.clientWidth + 1 || beside > 0)
            faults.push(`<${box.localName} class="${box.className}"> ${box.textContent.trim().slice(0, 40)}`);
    }
    return faults;
}"""
"""What is wider than its place: the page than the screen, a box's text than the box, a box past the screen's edge."""


@pytest.fixture
def people(db: None) -> tuple[User, User]:
    ada = User.objects.create_user("ada@example.org", "starlight", display_name="Ada")
    return ada, User.objects.create_user("bo@example.org", display_name="Bo of the Longest Name of Alls")


@pytest.fixture
def games(people: tuple[User, User]) -> dict[str, Game]:
    """A game that waits with all options, one in play, and one that is over."""
    ada, bo = people
    options: dict[str, Any] = {"expert": True, "goodies": "PJT"}
    now = timezone.now()

    def create(size: int, bots: list[str], *others: User) -> Game:
        game = commands.create_game(
            user=ada, ruleset="gravity-1", size=size, options=options, public=True, bots=bots, now=now
        )
        for other in others:
            game = commands.join_game(game_key=game.key, user=other, now=now)
        return game

    made = {"open": create(6, ["nova:1", "nova:8"]), "active": create(2, [], bo), "finished": create(2, [], bo)}
    made["finished"] = commands.resign(game_key=made["finished"].key, user=bo, seq=0, now=now)
    return made


def too_wide(page: Page, address: str) -> list[str]:
    page.goto(address)
    found = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        found += [f"{width} {address}: {fault}" for fault in page.evaluate(MEASURE)]
        page.evaluate("document.querySelectorAll('details').forEach(menu => menu.open = true)")
        found += [f"{width} {address}, opened: {fault}" for fault in page.evaluate(MEASURE)]
        page.evaluate("document.querySelectorAll('details').forEach(menu => menu.open = false)")
    return found


def too_wide_in_turn(page: Page, address: str) -> list[str]:
    """Measure the page of a game while a turn is composed."""
    page.goto(address)
    page.locator("button.pay:visible").first.click()
    page.wait_for_selector(".steps")
    found = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        found += [f"{width} {address}, composing: {fault}" for fault in page.evaluate(MEASURE)]
    return found


def test_what_is_too_wide_is_found(browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 320, "height": 800})
    page.set_content('<p>fits</p><button style="width: 3rem; overflow: hidden">Spielbrettbeschreibung</button>')
    assert [fault for fault in page.evaluate(MEASURE) if "Spielbrett" in fault]
    page.set_content('<div style="width: 400px">wide</div>')
    assert len(page.evaluate(MEASURE)) == 2
    page.close()


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_no_text_is_wider_than_its_place(
    language: str,
    browser: Browser,
    live_server: LiveServer,
    open_session: Callable[..., BrowserContext],
    people: tuple[User, User],
    games: dict[str, Game],
) -> None:
    User.objects.update(language=language)
    guest, signed_in = browser.new_context(base_url=live_server.url), open_session(people[0])
    guest.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": live_server.url}])
    page, own = guest.new_page(), signed_in.new_page()
    found = [fault for address in addresses(games) for fault in too_wide(page, address)]
    found += [fault for address in addresses_signed_in(games) for fault in too_wide(own, address)]
    found += too_wide(own, "/no/such/page/")
    in_turn = open_session(mover_of(games["active"]))
    found += too_wide_in_turn(in_turn.new_page(), reverse("game", args=[games["active"].key]))
    guest.close()
    assert found == []


@pytest.fixture
def written(people: tuple[User, User]) -> dict[str, Game]:
    """Games, one that waits and one that is rated, in which all that people have written is one long word."""
    ada, bo = people
    bo.display_name = "W" * MAX_LENGTH
    bo.save()
    now = timezone.now()
    terms: dict[str, Any] = {"name": "W" * NAME_LENGTH, "rated": True}
    ended, waiting = start_game([ada, bo], now=now, **terms), start_game([ada], now=now, size=3, **terms)
    for seq in range(2):
        turn = random_turn(state_of(ended), Random(1))
        commands.play_turn(game_key=ended.key, user=mover_of(ended), seq=seq, turn=turn, now=now)
    commands.write_message(game_key=ended.key, user=bo, text="W" * 300, now=now)
    commands.resign(game_key=ended.key, user=bo, seq=2, now=now)
    commands.settle_game(game_id=ended.pk, now=now)
    commands.join_game(game_key=waiting.key, user=bo, now=now)
    commands.add_friend(user=ada, name=bo.display_name, now=now)
    return {"ended": ended, "waiting": waiting}


def test_no_long_word_of_a_person_is_wider_than_its_place(
    people: tuple[User, User], written: dict[str, Game], open_session: OpenSession
) -> None:
    ada, bo = people
    ended, waiting = written["ended"].key, written["waiting"].key
    addresses = [
        *map(reverse, ("my_games", "create_game", "friends", "leaderboards", "lobby", "watch")),
        f"{reverse('watch')}?list=finished",
        *(reverse(name, args=[ended]) for name in ("game", "messages", "game_note", "report_in_game", "try_out")),
        *(reverse(name, args=[bo.pk]) for name in ("player", "report_player")),
        reverse("report_message", args=[ended, Message.objects.get().pk]),
        reverse("invitation", args=[waiting]),
    ]
    page = open_session(ada).new_page()
    found = [fault for address in addresses for fault in too_wide(page, address)]
    commands.block(user=ada, number=bo.pk, now=timezone.now())
    found += [fault for address in map(reverse, ("blocked_people", "my_games")) for fault in too_wide(page, address)]
    assert found == []


BROKEN: Final = """() => [...document.querySelectorAll(".hand-title")].flatMap(title => {
    const text = title.firstChild, range = document.createRange();
    return [...text.data.matchAll(/\\S+/g)].filter(found => {
        range.setStart(text, found.index);
        range.setEnd(text, found.index + found[0].length);
        const [word, card] = [range.getBoundingClientRect(), title.closest(".hand-card").getBoundingClientRect()];
        return range.getClientRects().length > 1 || word.left < card.left || word.right > card.right;
    }).map(found => found[0]);
})"""
"""The words on cards that go on in a second line or beyond the card."""


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_no_word_on_a_card_is_broken(
    people: tuple[User, User], games: dict[str, Game], open_session: OpenSession, language: str
) -> None:
    mover = mover_of(games["active"])
    User.objects.update(language=language)
    page = open_session(mover).new_page()
    page.goto(f"/games/{games['active'].key}/")
    for width in (*WIDTHS, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(BROKEN) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_staff_reads_what_was_reported_to_its_end(
    people: tuple[User, User], written: dict[str, Game], open_session: OpenSession
) -> None:
    staff = User.objects.create_superuser("staff@example.org", "a fine long password", display_name="Sam")
    message = Message.objects.get()
    report = commands.report_message(
        user=people[0], game_key=written["ended"].key, message_id=message.pk, text="", now=timezone.now()
    )
    page = open_session(staff).new_page()
    page.goto(reverse("admin:games_report_change", args=[report.pk]))
    beyond = "[...document.querySelectorAll('.readonly')].filter(one => one.getBoundingClientRect().right > innerWidth)"
    assert page.locator(".readonly", has_text=message.text).count() == 2
    assert page.evaluate(f"{beyond}.length") == 0
