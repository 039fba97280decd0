"""The table of ratings: fitted to the wins of pairs, as sure as the set-ups allow."""

import json
import re
from dataclasses import replace
from math import sqrt

import pytest

from engine.gravity.bots import BOTS, LEVELS
from engine.gravity.estimate import Z
from engine.gravity.ladder import ANCHORED, POINTS, fit, markdown, play_ladder, table, usual_bots
from engine.gravity.match import Game
from tests.engine.command import run_here

FIRST = Game(wins=(1.0, 0.0), points=(9, 4), turns=(5, 4), seconds=(0.5, 0.1), longest=(0.2, 0.1), cut=False)
SECOND = replace(FIRST, wins=(0.0, 1.0))


def chance(ratings, low, high):
    return 1 / (1 + 10 ** ((ratings[high].value - ratings[low].value) / 400))


def test_two_players_are_as_far_apart_as_their_wins_say():
    # 9 set-ups of 39 and the one shared in addition: 9.5 of 40 wins, odds of 30.5 to 9.5.
    low, high = fit(2, {(0, 1): [1.0] * 9 + [0.0] * 30}, anchor=0)
    assert (low.value, low.margin) == (ANCHORED, 0)
    assert high.value == pytest.approx(1000 + 202.64, abs=0.01)
    # H = 40 p q; M = 9 q² + 30 p² + (p² + q²) / 2.
    p, q = 9.5 / 40, 30.5 / 40
    assert high.margin == pytest.approx(Z * POINTS * sqrt(9 * q * q + 30 * p * p + (p * p + q * q) / 2) / (40 * p * q))


def test_shared_wins_count_as_halves():
    assert [one.value for one in fit(2, {(0, 1): [0.5] * 8}, anchor=1)] == pytest.approx([1000, 1000])


def test_at_the_best_fit_each_player_wins_as_much_as_expected():
    shares = {(0, 1): [0.0, 0.5, 0.5, 0.0], (1, 2): [0.5, 1.0, 0.0, 0.5], (0, 2): [0.0, 0.0, 0.5, 0.0]}
    ratings = fit(3, shares, anchor=1)
    assert ratings[1].value == 1000
    for player in range(3):
        won = expected = 0.0
        for (low, high), seen in shares.items():
            if player in {low, high}:
                part = sum(seen) + 0.5
                won += part if player == low else len(seen) + 1 - part
                expected += (len(seen) + 1) * (
                    chance(ratings, low, high) if player == low else chance(ratings, high, low)
                )
        assert won == pytest.approx(expected)


def test_who_never_loses_has_a_rating_and_a_wide_interval():
    _, high = fit(2, {(0, 1): [0.0] * 20}, anchor=0)
    assert high.value == pytest.approx(1000 + 645.1, abs=0.1)  # odds of 20.5 to 0.5
    assert high.margin == pytest.approx(487, abs=1)


def test_a_long_ladder_of_one_sided_matches_is_fitted():
    shares = {(i, j): [0.0] * 50 for i in range(10) for j in range(i + 1, min(i + 3, 10))}
    values = [one.value for one in fit(10, shares, anchor=4)]
    assert values == sorted(values)
    assert values[4] == 1000


def test_more_set_ups_make_intervals_smaller_and_agreement_too():
    margins = [fit(2, {(0, 1): seen}, 0)[1].margin for seen in ([0.0, 1.0] * 20, [0.0, 1.0] * 80, [0.5] * 40)]
    assert margins[1] == pytest.approx(margins[0] / 2, rel=0.03)
    assert margins[2] < margins[0] / 5


def test_pairs_that_met_on_the_same_set_ups_are_not_taken_as_independent():
    # Between players 0 and 2 stands player 1: what one set-up does to both pairs adds up, or cancels out.
    together = fit(3, {(0, 1): [0.0, 1.0] * 20, (1, 2): [0.0, 1.0] * 20}, anchor=0)[2].margin
    against = fit(3, {(0, 1): [0.0, 1.0] * 20, (1, 2): [1.0, 0.0] * 20}, anchor=0)[2].margin
    assert together > 4 * against


def test_the_table_is_markdown_with_the_strongest_on_top():
    played = {(0, 1): [[SECOND, SECOND], [SECOND, FIRST]]}
    assert list(markdown(table(("random", "greedy"), played))) == [
        "| player | rating | wins against the one below | ms a turn |",
        "| --- | --- | --- | --- |",
        "| `greedy` | 1000 | 75.0% (21.4% to 97.1%) | 25.0 |",
        "| `random` | 880 ± 330 |  | 100.0 |",
    ]


def test_neighbours_and_next_but_one_play_on_the_same_set_ups(monkeypatch):
    setups: dict[str, set[object]] = {}
    for name in "abcd":

        def turn(known, rng, name=name):
            setups.setdefault(name, set()).add(known.setup.tiles)
            return BOTS["random"](known, rng)

        monkeypatch.setitem(BOTS, name, turn)
    played = play_ladder("abcd", games=3, seed=1, jobs=1)
    assert list(played) == [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)]
    assert all([len(set_up) for set_up in games] == [2, 2] for games in played.values())
    assert setups["a"] == setups["b"] == setups["c"] == setups["d"]


def test_the_usual_table_is_that_of_the_levels_and_what_they_are_measured_by():
    assert [bot for bot in usual_bots() if bot in LEVELS] == list(LEVELS)
    assert {"greedy", "playout"} == set(usual_bots()) - LEVELS.keys()


def test_the_command_plays_and_prints_the_table():
    command = ("ladder", "--bots", "random,greedy", "--games", "4", "--jobs", "1")
    ran = run_here(*command)
    assert (ran.status, ran.err) == (0, "")
    assert re.search(r"^\| `greedy` \| 1000 \| 100.0% \(34.2% to 100.0%\) \| [\d.]+ \|$", ran.out, re.MULTILINE)
    found = json.loads(run_here(*command, "--json").out)
    assert (found["games_a_pair"], found["seed"]) == (4, 1)
    greedy, random = found["players"]
    assert (greedy["bot"], greedy["rating"], greedy["wins"]) == ("greedy", 1000, 1.0)
    assert (random["bot"], random["wins"]) == ("random", None)
    assert random["rating"] < 1000 - random["margin"] / 2


@pytest.mark.parametrize(
    ("bots", "why"),
    [
        ("greedy", "at least two players, each once"),
        ("greedy,random,greedy", "at least two players, each once"),
        ("greedy,best", f"there is no player 'best'; known: {', '.join(BOTS)}"),
    ],
)
def test_a_ladder_refuses_players_in_one_line(bots, why):
    ran = run_here("ladder", "--bots", bots)
    assert (ran.status, ran.out, ran.err) == (2, "", f"--bots: {why}\n")
