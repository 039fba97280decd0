"""An open page follows a game over its stream, in sight or not, and asks by itself again where the stream ends."""

import time
from random import Random

import pytest
from playwright.sync_api import Browser, Page

from tests.services import HOST, PATIENCE, RedisServer
from tests.stack.people import Database, Person, make_people
from tests.stack.stack import SITE_HOST, Stack

pytestmark = [pytest.mark.pg, pytest.mark.redis, pytest.mark.browser, pytest.mark.slow]

SOON = 2.0
"""Seconds in which a page that hears of a turn shows it, on a machine that is busy with other tests.

A page that has a stream asks by itself once a minute only.
"""
COUNT_STREAMS = """
window.streams = [];
const Stream = window.EventSource;
window.EventSource = class extends Stream {
  constructor(address) { super(address); window.streams.push(this); }
};
"""


@pytest.fixture
def site(stack: Stack, redis_server: RedisServer) -> Stack:
    """The whole site by the server of streams, as a development machine may have it."""
    stack.redis_url, stack.port = f"{redis_server.url}/0", stack.live_port
    address = f"http://{HOST}:{stack.live_port}"
    stack.start(
        "live", more={"DEBUG": "1", "SITE_URL": address, "ALLOWED_HOSTS": f"{HOST},{SITE_HOST}", "PROXY_COUNT": "0"}
    )
    stack.wait(lambda: stack.is_healthy("live"), what="the server of streams")
    return stack


def open_page(browser: Browser, site: Stack, person: Person, path: str) -> Page:
    """Open a page in a browser in which a person is signed in."""
    context = browser.new_context(base_url=f"http://{HOST}:{site.live_port}")
    cookie = {"name": "sessionid", "value": person.cookies["sessionid"].value, "url": f"http://{HOST}:{site.live_port}"}
    context.add_cookies([cookie])  # type: ignore[list-item]
    page = context.new_page()
    page.add_init_script(COUNT_STREAMS)
    page.goto(path)
    page.wait_for_function("() => streams.length && streams.at(-1).readyState === EventSource.OPEN")
    return page


def play(site: Stack, database: Database, key: str) -> int:
    """Play a turn for whoever is to move, by another process, and return the number of its entry."""
    row = database.game(key)
    turn = database.choose_turn(key, Random(1))
    code = (
        "from django.utils import timezone; from accounts.models import User; from games import commands;"
        f"commands.play_turn(game_key={key!r}, user=User.objects.get(pk={row['mover_id']}), seq={row['seq']},"
        f" turn={turn!r}, now=timezone.now())"
    )
    result = site.manage("shell", "--verbosity", "0", "-c", code)
    assert result.returncode == 0, result.stderr
    return int(row["seq"]) + 1


def shows(page: Page, key: str, version: int, seconds: float) -> float:
    """Wait until the page shows a version of the game, and return how long that took."""
    began = time.monotonic()
    page.wait_for_function(
        "([key, version]) => document.querySelector(`#live[data-game='${key}']`)?.dataset.version >= version",
        arg=[key, version],
        timeout=1000 * seconds,
    )
    return time.monotonic() - began


def test_an_open_page_shows_a_turn_as_soon_as_it_is_played(
    site: Stack, database: Database, browser: Browser, redis_server: RedisServer
) -> None:
    ada, bo = make_people(site, "Ada", "Bo")
    key = new_game(site, database)
    game, other = open_page(browser, site, ada, f"/games/{key}/"), open_page(browser, site, bo, "/rules/")
    for _turn in range(2):
        play(site, database, key)
        version = database.game(key)["version"]
        assert shows(game, key, version, PATIENCE) < SOON
        waits = database.game(key)["mover"] == "Bo"
        other.wait_for_function(
            "n => document.querySelector('#waiting .count')?.textContent == n || !n", arg=1 if waits else None
        )
    assert game.evaluate("streams.filter(one => one.readyState === EventSource.OPEN).length") == 1
    redis_server.stop()
    game.wait_for_function("() => streams.at(-1).readyState !== EventSource.OPEN")
    play(site, database, key)
    shows(game, key, database.game(key)["version"], PATIENCE)


def new_game(site: Stack, database: Database) -> str:
    """Make a running game of Ada and Bo."""
    code = (
        "from django.utils import timezone; from accounts.models import User; from games import commands;"
        "now = timezone.now(); ada, bo = User.objects.order_by('pk');"
        "game = commands.create_game(user=ada, ruleset='gravity-1', size=2, options={}, public=True, bots=[], now=now);"
        "commands.join_game(game_key=game.key, user=bo, now=now)"
    )
    result = site.manage("shell", "--verbosity", "0", "-c", code)
    assert result.returncode == 0, result.stderr
    return str(database.rows("SELECT key FROM games_game")[0]["key"])
