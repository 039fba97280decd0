"""Several processes of the site at once on PostgreSQL, and some that die in the middle: one outcome, never half."""

import pytest

from tests.games.site import Site
from tests.services import PATIENCE, wait_until

pytestmark = [pytest.mark.pg, pytest.mark.slow]


@pytest.fixture
def game(site: Site) -> str:
    """A game of Ada and Bo that has just started."""
    key = site.run("create", "2")
    site.run("join", key, "Bo")
    return key


@pytest.fixture
def bots_game(site: Site) -> str:
    """A game in which a computer player is to move first."""
    while True:
        key = site.run("create", "4", "nova:1", "nova:1", "nova:1")
        if site.mover(key) != "Ada":
            return key


def test_of_several_turns_submitted_at_once_exactly_one_is_played(site: Site, game: str) -> None:
    mover = site.mover(game)
    outcomes = site.race(game, *[("play", game, mover, "0", turn) for turn in ("R+", "R-", "R=", "WR+", "WR=")])
    assert outcomes == ["1", "stale", "stale", "stale", "stale"]
    assert site.entries(game) == [(1, "player")]
    site.verify()


def test_one_turn_submitted_many_times_at_once_is_played_once_and_all_get_it(site: Site, game: str) -> None:
    outcomes = site.race(game, *[("play", game, site.mover(game), "0", "R+")] * 4)
    assert outcomes == ["1", "1", "1", "1"]
    assert site.entries(game) == [(1, "player")]


def test_the_last_seat_goes_to_one_of_those_who_want_it_at_once(site: Site) -> None:
    key = site.run("create", "2")
    outcomes = site.race(key, *[("join", key, name) for name in ("Bo", "Cy", "Di")])
    assert outcomes == sorted([key, "not-open", "not-open"])
    seats = "SELECT count(*) FROM games_seat WHERE game_id = (SELECT id FROM games_game WHERE key = %s)"
    assert site.rows(seats, key) == [(2,)]


def test_several_workers_at_one_computer_players_turn_play_it_once(site: Site, bots_game: str) -> None:
    outcomes = site.race(bots_game, *[("bot", bots_game, "0")] * 4)
    assert outcomes == ["1", "None", "None", "None"]
    assert site.entries(bots_game) == [(1, "bot")]
    site.verify()


def kill_in_the_middle(site: Site, key: str, *call: str) -> None:
    """Run a command on a game that has just started, and kill its process between its entry and its commit."""
    seats = "SELECT 1 FROM games_seat WHERE game_id = (SELECT id FROM games_game WHERE key = %s) FOR UPDATE"
    with site.holding(seats, key):
        process = site.start("tests.games.site_process", *call)
        wait_until(lambda: site.waiting() == 1, what="the process in the middle of its turn", seconds=PATIENCE)
        process.kill()
        process.wait()
    wait_until(lambda: site.waiting() == 0, what="the end of the killed process")


def test_a_worker_killed_during_a_turn_leaves_nothing_and_the_next_one_plays(site: Site, bots_game: str) -> None:
    kill_in_the_middle(site, bots_game, "bot", bots_game, "0")
    assert site.entries(bots_game) == []
    assert site.run("bot", bots_game, "0") == "1"
    assert site.entries(bots_game) == [(1, "bot")]
    site.verify()


def test_a_server_killed_during_a_turn_leaves_nothing_and_the_same_request_plays_it(site: Site, game: str) -> None:
    call = ("play", game, site.mover(game), "0", "R+")
    kill_in_the_middle(site, game, *call)
    assert site.entries(game) == []
    assert site.run(*call) == "1"
    assert site.entries(game) == [(1, "player")]
    site.verify()
