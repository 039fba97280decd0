"""Plans at which several workers look at once, while their owner plays or a worker dies: a turn is played once."""

import pytest

from tests.games.site import Site
from tests.services import PATIENCE, wait_until

pytestmark = [pytest.mark.pg, pytest.mark.slow]


@pytest.fixture
def game(site: Site) -> str:
    """A game of Ada and Bo in which it is the turn of the one of them who has planned it."""
    key = site.run("create", "2")
    site.run("join", key, "Bo", "1")
    first = site.mover(key)
    second = {"Ada": "Bo", "Bo": "Ada"}[first]
    assert site.run("play", key, first, "0", "R+") == "1"
    assert site.run("play", key, second, "1", "R+") == "2"
    site.run("plan", key, second, "2", "C")
    assert site.run("play", key, first, "2", "C") == "3"
    return key


def plans(site: Site, key: str) -> list[str]:
    query = (
        "SELECT p.state FROM games_plan p JOIN games_seat s ON s.id = p.seat_id "
        "JOIN games_game g ON g.id = s.game_id WHERE key = %s"
    )
    return [state for (state,) in site.rows(query, key)]


def planned(site: Site, key: str) -> list[int]:
    query = "SELECT e.seq FROM games_entry e JOIN games_game g ON g.id = e.game_id WHERE planned AND key = %s"
    return [seq for (seq,) in site.rows(query, key)]


def test_two_workers_that_look_at_once_play_a_plan_once(site: Site, game: str) -> None:
    assert plans(site, game) == ["due"]
    assert site.race(game, ("look", game), ("look", game), ("look", game)) == ["4", "None", "None"]
    assert (planned(site, game), plans(site, game)) == ([4], [])
    site.verify()


def test_of_a_plan_and_its_owners_own_turn_the_first_is_played_and_no_other(site: Site, game: str) -> None:
    owner = site.mover(game)
    outcomes = site.race(game, ("look", game), ("play", game, owner, "3", "H<"), ("play", game, owner, "3", "L<"))
    entries = site.entries(game)
    assert len(entries) <= 4, outcomes
    assert plans(site, game) == ([] if len(entries) == 4 else ["due"])
    site.verify()


def test_a_plan_at_which_a_worker_died_is_played_by_the_next(site: Site, game: str) -> None:
    with site.holding("SELECT 1 FROM games_game WHERE key = %s FOR UPDATE", game):
        worker = site.start("tests.games.site_process", "look", game)
        wait_until(lambda: site.waiting() == 1, what="the worker", seconds=PATIENCE)
        worker.kill()
    wait_until(lambda: site.waiting() == 0, what="the end of the worker", seconds=PATIENCE)
    assert (plans(site, game), planned(site, game)) == (["due"], [])
    assert [site.run("look", game), site.run("look", game)] == ["4", "None"]
    assert planned(site, game) == [4]
    site.verify()


def test_plans_made_at_once_are_no_more_than_there_may_be(site: Site, game: str) -> None:
    site.run("look", game)
    owner = {"Ada": "Bo", "Bo": "Ada"}[site.mover(game)]
    outcomes = site.race(game, *[("plan", game, owner, "4", turn) for turn in ("R+", "R-", "R=", "D", "WD")])
    assert outcomes == ["None"] * 3 + ["too-many-plans"] * 2
    assert len(plans(site, game)) == 3
