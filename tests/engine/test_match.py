"""Matches between computer players: everyone sits everywhere, and the figures say no more than was seen."""

import json
from dataclasses import replace
from itertools import pairwise

import pytest

from engine.gravity import match as matches
from engine.gravity.bots import BOTS
from engine.gravity.estimate import share
from engine.gravity.match import Game, Match, begin, play_match, report, results
from engine.gravity.rules import wins_of
from tests.engine.command import run_here

PAIR = Match(bots=("greedy", "random"), expert=False, goodies="", seed=1)
WON = Game(wins=(1.0, 0.0), points=(9, 4), turns=(5, 5), seconds=(0.5, 0.1), longest=(0.2, 0.1), cut=False)
LOST = replace(WON, wins=(0.0, 1.0), points=(3, 6))


def untimed(played):
    """Return the games without what depends on the machine."""
    return [[replace(game, seconds=(), longest=()) for game in set_up] for set_up in played]


@pytest.fixture
def watched(monkeypatch):
    """Two players that note what they are asked: their name, the set-up, the seat, whether it begins the game."""
    asked = []

    def watch(name):
        def turn(known, rng):
            asked.append((name, known.setup, known.seat, known.turns == 0))
            return BOTS["random"](known, rng)

        return turn

    for name in ("one", "two", "three"):
        monkeypatch.setitem(BOTS, name, watch(name))
    return asked


def test_each_set_up_is_played_in_all_rotations(watched):
    played = play_match(Match(("one", "two", "three"), expert=False, goodies="", seed=3), games=6, jobs=1)
    assert [len(set_up) for set_up in played] == [3, 3]
    assert [name for name, _, _, begins in watched if begins] == ["one", "two", "three"] * 2
    drawn = [setup for _, setup, _, begins in watched if begins]
    assert drawn[0] == drawn[1] == drawn[2] != drawn[3] == drawn[4] == drawn[5]
    seats = {(drawn.index(setup), name, seat) for name, setup, seat, _ in watched}
    assert seats == {(i, name, seat) for i in (0, 3) for name in ("one", "two", "three") for seat in range(3)}


def test_the_order_of_the_players_stays_as_seats_rotate(watched):
    play_match(Match(("one", "two", "three"), expert=False, goodies="", seed=3), games=3, jobs=1)
    after = {"one": "two", "two": "three", "three": "one"}
    assert all(second[0] == after[first[0]] for first, second in pairwise(watched) if not second[3])


def test_games_are_rounded_up_to_whole_rotations():
    assert [matches.set_ups(PAIR, games) for games in (1, 2, 3, 4)] == [1, 1, 2, 2]


def test_self_play_and_every_match_of_a_seed_draw_the_same_set_ups():
    drawn = [begin(Match(bots, expert=False, goodies="", seed=7), 4)[0] for bots in (("a", "b"), ("c", "d"))]
    assert drawn[0] == drawn[1]
    assert drawn[0] != begin(replace(PAIR, seed=8), 4)[0] != begin(replace(PAIR, seed=8), 5)[0]


def test_the_number_of_processes_and_a_second_run_change_no_game():
    first = untimed(play_match(PAIR, 6, jobs=1))
    assert first == untimed(play_match(PAIR, 6, jobs=2)) == untimed(play_match(PAIR, 6, jobs=1))
    assert first != untimed(play_match(replace(PAIR, seed=2), 6, jobs=1))


def test_wins_points_and_times_follow_the_player_wherever_it_sits():
    played = play_match(PAIR, 8, jobs=1)
    assert all(game.wins == (1.0, 0.0) and game.points[0] > game.points[1] for set_up in played for game in set_up)
    assert all(abs(game.turns[0] - game.turns[1]) <= 1 for set_up in played for game in set_up)
    assert all(game.seconds[0] > game.seconds[1] for set_up in played for game in set_up)


def test_players_of_one_name_play_games_of_their_own_in_each_rotation():
    (set_up,) = untimed(play_match(Match(("random", "random"), expert=False, goodies="", seed=1), 2, jobs=1))
    assert set_up[0].turns != set_up[1].turns


def test_a_shared_first_place_counts_as_its_fraction():
    assert wins_of((1, 3, 1)) == (0.5, 0.0, 0.5)
    assert wins_of((2, 1)) == (0.0, 1.0)


def test_seats_of_one_name_are_counted_together():
    games = [
        replace(WON, wins=wins, points=(9, 3, 6), turns=(2, 1, 3), seconds=(0.8, 0.1, 0.3), longest=(0.6, 0.1, 0.2))
        for wins in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.5, 0.5))
    ]
    greedy, random = results(Match(("greedy", "random", "random"), expert=False, goodies="", seed=1), [games])
    assert (greedy.bot, greedy.seats, greedy.fair, greedy.points) == ("greedy", 1, 1 / 3, 9.0)
    assert (random.bot, random.seats, random.fair, random.points) == ("random", 2, 2 / 3, 4.5)
    assert [greedy.wins.value, random.wins.value] == pytest.approx([1 / 3, 2 / 3])
    assert [greedy.milliseconds, greedy.longest] == pytest.approx([400, 600])
    assert [random.milliseconds, random.longest] == pytest.approx([100, 200])


@pytest.mark.parametrize(
    ("parts", "low", "high"),
    [
        # Worked out by hand. All or nothing is Wilson's interval itself: of 5 in 10; of 0 in 4; of one.
        ([0.0, 1.0] * 5, 0.2366, 0.7634),
        ([0.0] * 4, 0.0, 0.4899),
        ([1.0], 0.2065, 1.0),
        # Both games of each pair shared: d = 0.5 / (5 · 0.25) = 0.4, so m = 10, as above.
        ([0.5] * 4, 0.2366, 0.7634),
        # Σ (x - p)² = 4 · 0.0625 = 0.25, v = 0.1875, d = 0.625 / (5 · 0.1875) = 2/3, m = 6.
        ([0.5, 1.0, 0.5, 1.0], 0.3648, 0.9400),
    ],
)
def test_the_interval_is_that_of_set_ups(parts, low, high):
    found = share(parts)
    assert found.value == sum(parts) / len(parts)
    assert [found.low, found.high] == pytest.approx([low, high], abs=5e-5)


@pytest.mark.parametrize("parts", [[0.0], [1.0] * 300, [0.5], [0.2] * 7, [0.0, 0.5, 1.0], [1 / 3] * 2])
def test_an_interval_holds_the_share_and_stays_between_nothing_and_all(parts):
    found = share(parts)
    assert 0 <= found.low <= found.value <= found.high <= 1
    assert found.low < found.high


def test_games_of_a_set_up_that_agree_count_as_one():
    alike = results(PAIR, [[WON, WON], [LOST, LOST]] * 10)[0].wins
    apart = results(PAIR, [[WON, LOST]] * 20)[0].wins
    assert alike.value == apart.value == 0.5
    assert alike.high - alike.low > 2 * (apart.high - apart.low)


def test_a_game_without_end_is_cut_off_and_counts_as_it_stands(monkeypatch):
    monkeypatch.setattr(matches, "MOST_ROUNDS", 2)
    match = Match(("random", "random"), expert=False, goodies="", seed=1)
    ((first, second),) = play_match(match, 2, jobs=1)
    assert (first.cut, first.turns, second.cut, second.turns) == (True, (2, 2), True, (2, 2))
    assert sum(first.wins) == sum(second.wins) == 1
    assert list(report(match, [(first, second)]))[-1] == "cut off after 2 rounds: 2"


def test_a_match_prints_a_line_for_each_player():
    assert list(report(PAIR, [[WON, LOST], [WON, WON]])) == [
        "4 games, 2 set-ups, of greedy, random: base game, goodies none, seed 1",
        "          wins  95% interval      fair  points  ms a turn  longest",
        "greedy   75.0%   21.4% to  97.1%   50.0%    7.50      100.0    200.0",
        "random   25.0%    2.9% to  78.6%   50.0%    4.50       20.0    100.0",
    ]


def test_the_command_plays_the_match():
    ran = run_here("match", "--bots", "greedy,random", "--games", "3", "--expert", "--goodies", "TJ", "--jobs", "1")
    lines = ran.out.splitlines()
    assert (ran.status, ran.err, len(lines)) == (0, "", 4)
    assert lines[0] == "4 games, 2 set-ups, of greedy, random: expert game, goodies JT, seed 1"


def test_the_command_prints_one_object_of_json():
    command = ("match", "--bots", "greedy,random,random", "--games", "3", "--seed", "9", "--jobs", "1", "--json")
    found = json.loads(run_here(*command).out)
    assert {name: value for name, value in found.items() if name != "results"} == {
        "bots": ["greedy", "random", "random"],
        "games": 3,
        "set_ups": 1,
        "expert": False,
        "goodies": "",
        "seed": 9,
        "cut": 0,
    }
    greedy, random = found["results"]
    assert (greedy["bot"], greedy["seats"], random["bot"], random["seats"]) == ("greedy", 1, "random", 2)
    assert greedy["wins"] + random["wins"] == pytest.approx(1)
    assert greedy["wins_low"] < greedy["wins"] <= greedy["wins_high"]
    assert 0 < random["ms_turn"] <= random["ms_longest"]


@pytest.mark.parametrize(
    ("bots", "why"),
    [
        ("greedy,best", f"--bots: there is no player 'best'; known: {', '.join(BOTS)}"),
        ("greedy,", f"--bots: there is no player ''; known: {', '.join(BOTS)}"),
        ("greedy", "--bots: 2 to 6 players, not 1"),
        (",".join(["random"] * 7), "--bots: 2 to 6 players, not 7"),
    ],
)
def test_a_match_refuses_players_in_one_line(bots, why):
    ran = run_here("match", "--bots", bots)
    assert (ran.status, ran.out, ran.err) == (2, "", f"{why}\n")


@pytest.mark.parametrize("arguments", [(), ("--bots", "random,greedy", "--games", "0"), ("--goodies", "X")])
def test_a_match_refuses_what_no_match_has(arguments):
    ran = run_here("match", *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert "--bots" in ran.err
