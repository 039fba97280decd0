"""A whole game of Acorns in the browser, with script and without."""

from random import Random

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from games import commands
from games.models import Game
from games.models.choices import Status
from tests.another_game.play import start_acorns
from tests.flows.play import NOW, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("script", [True, False])
def test_a_game_against_a_computer_player_is_played_to_its_end(
    browser: Browser, live_server: LiveServer, script: bool
) -> None:
    ada = make_user("Ada")
    game = start_acorns([ada], bots=["random"])
    client = Client()
    client.force_login(ada)
    context = browser.new_context(java_script_enabled=script, base_url=live_server.url)
    cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": live_server.url}])
    page = context.new_page()
    for _turn in range(20):
        now = Game.objects.get(pk=game.pk)
        if now.status == Status.FINISHED:
            break
        if now.bot_to_move:
            commands.play_bot_turn(game_id=now.pk, seq=now.seq, rng=Random(now.seq), now=NOW)
            continue
        page.goto(f"/games/{game.key}/")
        page.locator('button[name="step"]').first.click()
        page.locator("#confirm").click()
        expect(page.get_by_text("Your turn is played.").first).to_be_visible()
    page.goto(f"/games/{game.key}/")
    expect(page.get_by_text("The game is over.").first).to_be_visible()
    context.close()
