"""Pictures of every main state of the site, to be looked at: ``make screenshots`` makes them into ``screenshots/``.

Not a test: nothing is compared. Each state is taken wide and on a phone, by light and by dark.
"""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from engine.gravity.events import EventKind
from games import commands
from games.models import Game
from tests.browser.conftest import OpenSession
from tests.browser.test_states import begin_with_a_steal, compose_a_steal
from tests.flows.play import NOW, RULES, make_user, mover_of, play, play_randomly, start_game, state_of
from tests.flows.test_recap import play_until

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FOLDER: Final = Path(__file__).resolve().parents[2] / "screenshots"
SCREENS: Final = {"wide": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}
SCHEMES: Final = ("light", "dark")

type Take = Callable[..., None]


@pytest.fixture(params=[(screen, scheme) for screen in SCREENS for scheme in SCHEMES], ids="-".join)
def look(request: pytest.FixtureRequest) -> tuple[str, str]:
    """Return the screen and the scheme in which everything is taken."""
    FOLDER.mkdir(exist_ok=True)
    screen, scheme = request.param
    return screen, scheme


@pytest.fixture
def options(look: tuple[str, str]) -> dict[str, object]:
    """Return how a browser is opened for a look."""
    screen, scheme = look
    return {"viewport": SCREENS[screen], "color_scheme": scheme, "has_touch": screen == "phone"}


@pytest.fixture
def take(look: tuple[str, str]) -> Take:
    """Return a function that takes the page as it stands: what is on the screen, or ``whole``."""

    def picture(page: Page, name: str, *, whole: bool = False) -> None:
        page.wait_for_timeout(300)
        page.screenshot(path=FOLDER / f"{name}-{'-'.join(look)}.png", full_page=whole)

    return picture


def settled(page: Page) -> Page:
    expect(page.locator(".stage")).to_have_count(0, timeout=30_000)
    return page


@pytest.fixture
def people(db: None) -> list[User]:
    return [make_user(name) for name in ("Ada", "Bo", "Cleo", "Dan", "Eva", "Fay")]


def test_what_a_guest_sees(
    browser: Browser, live_server: LiveServer, options: dict[str, object], people: list[User], take: Take
) -> None:
    game = start_game(people[:4], seed=5)
    play_randomly(game, 9, Random(5))
    waiting = commands.create_game(
        user=people[0], ruleset=game.ruleset, size=4, options={"goodies": "PJT"}, public=True, bots=["nova:2"], now=NOW
    )
    page = browser.new_context(base_url=live_server.url, **options).new_page()  # type: ignore[arg-type]
    for name in (
        "home",
        "learn",
        "lobby",
        "leaderboards",
        "rules",
        "notation",
        "about",
        "account_login",
        "account_signup",
    ):
        page.goto(reverse(name))
        take(page, name, whole=name != "home")
    page.goto(reverse("invitation", args=[waiting.key]))
    take(page, "invitation", whole=True)
    page.goto(f"/games/{game.key}/")
    take(settled(page), "guest")


def test_what_a_player_sees(
    open_session: OpenSession, options: dict[str, object], people: list[User], take: Take
) -> None:
    for size, turns in ((2, 5), (4, 14), (6, 20)):
        game = start_game(people[:size], seed=size)
        play_randomly(game, turns, Random(size))
        page = open_session(mover_of(Game.objects.get(pk=game.pk)), **options).new_page()
        page.goto(f"/games/{game.key}/")
        take(settled(page), f"game-of-{size}")
    page = open_session(people[0], **options).new_page()
    for name in ("my_games", "create_game", "profile", "notices", "holidays"):
        page.goto(reverse(name))
        take(page, name, whole=True)


def test_people_among_each_other(
    open_session: OpenSession, options: dict[str, object], people: list[User], take: Take
) -> None:
    ada, bo, cleo, *_others = people
    for number in range(4):
        game = start_game([ada, bo, cleo][: 2 + number % 2], seed=number)
        play_randomly(game, 1_000, Random(number))
        commands.tally_game(game_id=game.pk)
    running, now = start_game([ada, bo, cleo], seed=9), timezone.now()
    commands.write_message(game_key=running.key, user=bo, text="Good luck! https://example.org/a/way", now=now)
    waiting = commands.create_game(
        user=ada, ruleset=running.ruleset, size=4, options={}, public=True, bots=[], now=now, series=3
    )
    commands.join_game(game_key=waiting.key, user=cleo, now=now)
    commands.invite_address(game_key=waiting.key, user=ada, address="dee@example.org", now=now)
    commands.add_friend(user=ada, name=bo.display_name, now=now)
    commands.block(user=ada, number=people[4].pk, now=now)
    page = open_session(ada, **options).new_page()
    for name, address in {
        "player": reverse("player", args=[ada.pk]),
        "head-to-head": f"{reverse('player', args=[ada.pk])}?against=Bo",
        "finished-games": reverse("past_games"),
        "friends": reverse("friends"),
        "open-game": reverse("invitation", args=[waiting.key]),
        "messages": reverse("messages", args=[running.key]),
        "report": reverse("report_player", args=[bo.pk]),
        "blocked": reverse("blocked_people"),
        "watch": reverse("watch"),
        "address": reverse("account_email"),
        "factors": reverse("mfa_index"),
        "sessions": reverse("usersessions_list"),
        "tokens": reverse("access_tokens"),
        "bots": reverse("bots"),
        "your-data": reverse("your_data"),
    }.items():
        page.goto(address)
        take(page, name, whole=True)
    page = open_session(people[3], **options).new_page()
    page.goto(reverse("spectators", args=[running.key]))
    take(page, "spectators", whole=True)


def test_a_turn_from_choosing_to_the_end(
    open_session: OpenSession, options: dict[str, object], people: list[User], take: Take
) -> None:
    game, step = begin_with_a_steal(people[:2])
    page = open_session(mover_of(game), **options).new_page()
    page.goto(f"/games/{game.key}/")
    take(settled(page), "turn-1-choosing")
    page.locator("[data-way]").first.hover()
    take(page, "turn-2-a-ghost")
    for number, state in enumerate(compose_a_steal(page, step), start=3):
        take(page, f"turn-{number}-{state}")
    page.locator("#confirm").click()
    expect(page.locator(".stage")).to_have_count(1)
    page.wait_for_timeout(500)
    take(page, "turn-6-playing")
    take(settled(page), "turn-7-played")
    page.locator("#go-back").click()
    expect(page.locator(".shown-move")).to_be_visible()
    take(page, "turn-8-looking-back")


def test_lessons_and_a_try_out(
    open_session: OpenSession, options: dict[str, object], people: list[User], take: Take
) -> None:
    game = start_game(people[:2], seed=8)
    page = open_session(people[0], **options).new_page()
    page.goto(f"/games/{game.key}/")
    take(settled(page), "hint")
    page.goto("/learn/stealing/")
    take(page, "lesson-1-begun")
    for turn, name in (("D x2y", "lesson-2-missed"), ("D x2o", "lesson-3-done")):
        page.goto("/learn/stealing/")
        for step in turn.split():
            page.locator(f"[id='step-{step}']").click()
        page.locator("#confirm").click()
        expect(page.locator("#turn-sign")).to_be_visible()
        take(settled(page), name)
    page.goto(f"/games/{game.key}/try/")
    page.locator("[id='step-D']").click()
    page.locator("#confirm").click()
    expect(page.locator("#back")).to_be_enabled()
    take(settled(page), "try-out")


def test_what_happened_and_how_it_ends(
    open_session: OpenSession, options: dict[str, object], people: list[User], take: Take
) -> None:
    game, victim = play_until(start_game(people[:3]), EventKind.EJECTED, Random(1))
    page = open_session(game.seats.get(number=victim).user, **options).new_page()
    page.goto(f"/games/{game.key}/")
    take(settled(page), "recap")
    rng = Random(4)
    while Game.objects.get(pk=game.pk).status == "active":
        play(game, RULES.choose_turn("greedy", state_of(game), rng))
    page.goto(f"/games/{game.key}/")
    take(settled(page), "end", whole=True)
    page.goto(f"/games/{game.key}/chart/")
    take(page, "chart")
