"""Sweepers and players as real processes on PostgreSQL: each turn that is due has exactly one outcome."""

import time
from random import Random

import pytest

from tests.games.site import Site
from tests.services import PATIENCE, wait_until

pytestmark = [pytest.mark.pg, pytest.mark.slow]
PROCESS = "tests.games.sweep_process"
GAMES = 40
UNFINISHED = "SELECT count(*) FROM games_game WHERE status = 'active' AND seq = 0"
OUTCOMES = """
    SELECT g.id, array_agg(e.by ORDER BY e.seq), (SELECT sum(misses) FROM games_seat s WHERE s.game_id = g.id)
    FROM games_game g LEFT JOIN games_entry e ON e.game_id = g.id WHERE g.id > %s GROUP BY g.id
"""
OPEN_CLOCKS = "SELECT count(*) FROM games_seat WHERE game_id = %s AND since IS NOT NULL"


def fill(site: Site, games: int = GAMES) -> int:
    """Start games whose first turn is overdue, and return the id of the last game before them."""
    last = site.rows("SELECT coalesce(max(id), 0) FROM games_game")[0][0]
    said, _errors = site.start(PROCESS, "fill", str(games)).communicate(timeout=PATIENCE)
    assert said.split() == ["go", "ok"]
    return int(last)


def at_once(site: Site, *verbs: str) -> list[int]:
    """Run processes that begin at the same instant and return what they counted."""
    instant = str(time.time() + 1)
    processes = [site.start(PROCESS, verb, str(seed), instant) for seed, verb in enumerate(verbs)]
    return [int(process.communicate(timeout=PATIENCE)[0].split()[1]) for process in processes]


def check(site: Site, after: int, games: int = GAMES) -> list[str]:
    """Assert that each of the games has one entry and one open clock, and return who brought the entries about."""
    outcomes = site.rows(OUTCOMES, after)
    assert len(outcomes) == games
    for game, by, misses in outcomes:
        assert by in (["autopilot"], ["player"])
        assert misses == (by == ["autopilot"])
        assert site.rows(OPEN_CLOCKS, game) == [(1,)]
    site.verify()
    return [by[0] for _game, by, _misses in outcomes]


def test_three_sweepers_at_once_end_each_turn_once(site: Site) -> None:
    after = fill(site)
    counted = at_once(site, "sweep", "sweep", "sweep")
    assert sum(counted) == GAMES
    assert check(site, after) == ["autopilot"] * GAMES


def test_a_turn_that_arrives_as_its_time_is_ended_has_one_outcome(site: Site) -> None:
    after = fill(site)
    ended, played, ended_too = at_once(site, "sweep", "play", "sweep")
    outcomes = check(site, after)
    assert outcomes.count("player") == played
    assert outcomes.count("autopilot") == ended + ended_too
    assert played + ended + ended_too == GAMES


def test_a_sweep_killed_anywhere_leaves_nothing_half_done_and_the_next_goes_on(site: Site) -> None:
    after = fill(site)
    rng = Random(7)
    kills = 0
    while site.rows(UNFINISHED)[0][0] > GAMES // 4 and kills < 30:
        process = site.start(PROCESS, "sweep", str(kills))
        assert process.stdout.readline() == "go\n"
        time.sleep(rng.uniform(0.05, 0.4))
        process.kill()
        process.wait()
        process.stdout.close()
        kills += 1
    assert kills > 1
    at_once(site, "sweep", "sweep")
    assert check(site, after) == ["autopilot"] * GAMES


SEATS = "SELECT 1 FROM games_seat WHERE game_id = (SELECT max(id) FROM games_game) FOR UPDATE"
"""Keeps a turn of the newest game from writing its seats, which comes after its entry."""


def test_a_turn_that_arrives_while_its_time_is_being_ended_is_refused_as_too_late(site: Site) -> None:
    after = fill(site, 1)
    with site.holding(SEATS):
        sweeper = site.start(PROCESS, "sweep", "1")
        wait_until(lambda: site.waiting() == 1, what="the sweeper in the middle of a turn", seconds=PATIENCE)
        player = site.start(PROCESS, "play", "1")
        wait_until(lambda: site.waiting() == 2, what="the player", seconds=PATIENCE)
    assert [process.communicate(timeout=PATIENCE)[0].split()[1] for process in (sweeper, player)] == ["1", "0"]
    assert check(site, after, 1) == ["autopilot"]


def test_a_turn_that_is_being_played_is_left_alone_by_the_sweep(site: Site) -> None:
    after = fill(site, 1)
    with site.holding(SEATS):
        player = site.start(PROCESS, "play", "1")
        wait_until(lambda: site.waiting() == 1, what="the player in the middle of a turn", seconds=PATIENCE)
        assert site.start(PROCESS, "sweep", "1").communicate(timeout=PATIENCE)[0].split() == ["go", "0"]
    assert player.communicate(timeout=PATIENCE)[0].split() == ["go", "1"]
    assert check(site, after, 1) == ["player"]
