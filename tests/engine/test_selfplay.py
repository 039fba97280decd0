"""Self-play: the same seed gives the same figures, however many processes share the work."""

import re
from dataclasses import replace

import pytest

from engine.gravity.selfplay import Match, play_match, play_matches, report
from tests.engine.command import run_apart, run_here

RANDOM_2 = ("selfplay", "--players", "2", "--bot", "random", "--games", "3", "--seed", "5")


def test_selfplay_prints_its_figures():
    ran = run_here(*RANDOM_2, "--jobs", "1")
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "3 games of 2 random players, base game, goodies none, seed 5"
    names = [re.split(r"\s{2,}", line)[0] for line in lines[1:]]
    assert names == [
        "turns a player", "steps a turn", "length of falls", "falls a turn", "stars a turn", "tokens a turn",
        "ejections a game", "legal actions", "points", "wins by seat",
    ]  # fmt: skip


def test_the_number_of_processes_changes_nothing():
    assert run_apart(*RANDOM_2, "--jobs", "2").out == run_here(*RANDOM_2, "--jobs", "1").out


def test_another_seed_gives_other_games():
    one, two = (play_matches(Match(2, "random", False, "", seed), 2, 1) for seed in (1, 2))
    assert one != two


def test_a_game_is_counted_to_its_end():
    tally = play_match(Match(3, "random", True, "PJT", 9), 0)
    assert max(tally.points) >= 20, "someone had the 24 points that end it"
    assert len(tally.choices) == tally.turns
    assert tally.steps >= tally.turns
    assert min(tally.falls) >= 1
    assert min(tally.ranking) == 1


def test_games_without_a_fall_say_so():
    tally = replace(play_match(Match(2, "random", False, "", 1), 0), falls=())
    assert "length of falls   none spaces, longest 0" in list(report(Match(2, "random", False, "", 1), [tally]))


def test_shares_of_wins_add_up_to_all_games():
    match = Match(4, "random", False, "J", 3)
    wins = list(report(match, play_matches(match, 3, 1)))[-1]
    shares = [float(share) for share in re.findall(r"([\d.]+)%", wins)]
    assert len(shares) == 4
    assert sum(shares) == pytest.approx(100, abs=0.3)


@pytest.mark.parametrize(
    "wrong",
    [("--players", "7"), ("--games", "0"), ("--games", "-3"), ("--games", "x"), ("--goodies", "Q"), ("--bot", "god")],
)
def test_selfplay_refuses_what_makes_no_games(wrong):
    ran = run_here("selfplay", *wrong)
    assert (ran.status, ran.out) == (2, "")
    assert wrong[0] in ran.err
