"""A whole game of Acorns in the browser, from the form of a new game to its end, with script and without."""

from collections.abc import Callable, Iterator
from random import Random

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from games import commands
from games.models import Game
from games.models.choices import Status
from tests.another_game.play import start_acorns
from tests.flows.play import NOW, make_user, mover_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

type OpenPage = Callable[[User, bool], Page]


@pytest.fixture
def open_page(browser: Browser, live_server: LiveServer) -> Iterator[OpenPage]:
    """Return a function that opens a browser of someone who is signed in, with script or without."""
    contexts = []

    def open_for(user: User, script: bool) -> Page:
        client = Client()
        client.force_login(user)
        context = browser.new_context(java_script_enabled=script, base_url=live_server.url)
        cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
        context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": live_server.url}])
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        return page

    yield open_for
    for context in contexts:
        context.close()


def play_in(page: Page, game: Game) -> None:
    """Play a turn: the first step that is offered."""
    page.goto(f"/games/{game.key}/")
    page.locator('button[name="step"]').first.click()
    page.locator("#confirm").click()
    word, end = page.get_by_text("Your turn has been played."), page.get_by_role("heading", name="Final ranking")
    expect(word.or_(end).first).to_be_visible()


@pytest.mark.parametrize("script", [True, False])
def test_a_game_is_created_by_the_form_joined_and_played_to_its_end(script: bool, open_page: OpenPage) -> None:
    ada, bo = make_user("Ada"), make_user("Bo")
    pages = {user.pk: open_page(user, script) for user in (ada, bo)}
    creating, joining = pages[ada.pk], pages[bo.pk]
    creating.goto("/games/new/")
    creating.get_by_role("link", name="Acorns").click()
    creating.locator("label.pill", has=creating.locator('input[name="size"][value="2"]')).click()
    creating.locator('select[name="winter"]').select_option("hard")
    creating.get_by_role("button", name="Create the game").click()
    expect(creating.get_by_role("button", name="Cancel the game")).to_be_visible()
    game = Game.objects.get()
    assert (game.ruleset, game.options, game.status) == ("acorns-1", {"winter": "hard"}, Status.OPEN)

    joining.goto("/lobby/")
    expect(joining.get_by_text("hard winter")).to_be_visible()
    joining.get_by_role("button", name="Join").click()
    expect(joining.get_by_text("You took the last seat: the game has started.").first).to_be_visible()

    for _turn in range(20):
        if Game.objects.get(pk=game.pk).status == Status.FINISHED:
            break
        play_in(pages[mover_of(game).pk], game)
    for page in pages.values():
        page.goto(f"/games/{game.key}/")
        expect(page.get_by_text("is best prepared").first).to_be_visible()
        expect(page.get_by_role("heading", name="Final ranking")).to_be_visible()


@pytest.mark.parametrize("script", [True, False])
def test_a_game_against_a_computer_player_is_played_to_its_end(script: bool, open_page: OpenPage) -> None:
    ada = make_user("Ada")
    game = start_acorns([ada], bots=["random"])
    page = open_page(ada, script)
    for _turn in range(20):
        now = Game.objects.get(pk=game.pk)
        if now.status == Status.FINISHED:
            break
        if now.bot_to_move:
            commands.play_bot_turn(game_id=now.pk, seq=now.seq, rng=Random(now.seq), now=NOW)
        else:
            play_in(page, game)
    page.goto(f"/games/{game.key}/")
    expect(page.get_by_text("is best prepared").first).to_be_visible()
