"""Computer players against themselves: the figures are true, the same for everyone, and printed as promised."""

import re
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.contract import Event
from engine.gravity.bots import BOTS
from engine.gravity.events import EventKind
from engine.gravity.match import Match
from engine.gravity.selfplay import Tally, falls_of, play_game, play_games, report
from tests.engine.command import run_here
from tests.engine.play import GRAVITY, budget
from tests.engine.subjects import SUBJECTS, new_game, random_steps

MATCH = Match(bots=("greedy", "greedy"), expert=False, goodies="", seed=1)
QUIET = Tally(
    turns=10,
    steps=15,
    falls=(1, 3),
    stars=8,
    tokens=2,
    ejections=0,
    choices=(5, 6),
    points=(4, 6),
    ranking=(2, 1),
    faces=("1a", "2b"),
)
LINES = [
    "games of",
    "turns a player",
    "steps a turn",
    "length of falls",
    "falls a turn",
    "stars a turn",
    "tokens a turn",
    "ejections a game",
    "legal actions",
    "points",
    "wins by seat",
    "95% intervals",
    "first seat",
    "seat 1 by face",
    "seat 2 by face",
]


def lines_of(*tallies, **keys):
    printed = list(report(replace(MATCH, **keys), tallies))
    return {name: line.removeprefix(name).strip() for name, line in zip(LINES, printed, strict=True)}


def test_selfplay_prints_every_promised_figure():
    ran = run_here("selfplay", "--players", "3", "--games", "4", "--seed", "5", "--jobs", "1")
    lines = ran.out.splitlines()
    assert (ran.status, ran.err) == (0, "")
    assert lines[0] == "4 games of 3 greedy players, base game, goodies none, seed 5"
    assert [line[:18].rstrip() for line in lines[1:]] == [*LINES[1:], "seat 3 by face"]
    assert re.fullmatch(r"1: [\d.]+%  2: [\d.]+%  3: [\d.]+%", lines[-6][18:])
    assert re.fullmatch(r"1: [\d.]+% to [\d.]+%  2: [\d.]+% to [\d.]+%  3: [\d.]+% to [\d.]+%", lines[-5][18:])
    assert re.fullmatch(r"[+-][\d.]+ points over even, [+-][\d.]+ to [+-][\d.]+", lines[-4][18:])
    assert re.fullmatch(r"(\d[ab]: [\d.]+%  )*\d[ab]: [\d.]+%; chi-squared [\d.]+ of \d+", lines[-1][18:])


def test_selfplay_takes_the_bot_the_expert_game_and_goodies():
    ran = run_here(
        "selfplay", "--bot", "random", "--expert", "--goodies", "TJ", "--games", "2", "--players", "2", "--jobs", "1"
    )
    assert ran.out.startswith("2 games of 2 random players, expert game, goodies JT, seed 1\n")


@pytest.mark.parametrize(
    "arguments",
    [("--goodies", "PX"), ("--players", "7"), ("--bot", "best"), ("--games", "0"), ("--jobs", "0"), ("--games", "-1")],
)
def test_selfplay_refuses_what_no_game_has(arguments):
    ran = run_here("selfplay", *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert arguments[0] in ran.err


def test_the_number_of_processes_does_not_change_the_games():
    assert play_games(MATCH, 6, jobs=2) == play_games(MATCH, 6, jobs=1)


def test_each_game_and_each_seed_has_its_own_chance():
    games = [play_game(replace(MATCH, seed=seed), number) for seed in (1, 2) for number in (0, 1, 2)]
    assert len({game.choices for game in games}) == 6


def test_stars_and_points_of_a_game_agree():
    for tally in play_games(MATCH, 5, jobs=1):
        assert tally.turns == len(tally.choices)
        assert tally.turns % 2 == 0
        assert tally.steps >= tally.turns
        assert tally.stars <= sum(tally.points) <= 2 * tally.stars + tally.tokens
        assert sorted(tally.ranking) in ([1, 1], [1, 2])


def test_a_shared_win_counts_in_parts():
    shared = replace(QUIET, ranking=(1, 1))
    assert lines_of(QUIET, shared)["wins by seat"] == "1: 25.0%  2: 75.0%"


def test_the_first_seat_is_compared_with_an_even_share():
    lines = lines_of(*[QUIET] * 5, *[replace(QUIET, ranking=(1, 2))] * 5)
    assert lines["95% intervals"] == "1: 23.7% to 76.3%  2: 23.7% to 76.3%"
    assert lines["first seat"] == "+0.0 points over even, -26.3 to +26.3"


def test_a_seat_is_compared_face_by_face():
    other = replace(QUIET, ranking=(1, 2), faces=("1b", "2b"))
    lines = lines_of(*[QUIET] * 8, *[other] * 8)
    assert lines["seat 1 by face"] == "1a: 0.0%  1b: 100.0%  2b: 50.0%; chi-squared 16.0 of 3"
    assert lines_of(QUIET, QUIET)["seat 2 by face"] == "1a: 100.0%  2b: 100.0%; chi-squared 0.0 of 2"


def test_every_player_can_play_against_itself(monkeypatch):
    monkeypatch.setitem(BOTS, "nova:5", BOTS["random"])
    ran = run_here("selfplay", "--bot", "nova:5", "--games", "1", "--jobs", "1")
    assert ran.out.startswith("1 games of 2 nova:5 players, base game, goodies none, seed 1\n")


def test_the_figures_are_means_over_games_turns_and_falls():
    busy = replace(QUIET, turns=20, steps=45, falls=(2,), stars=7, ejections=3)
    lines = lines_of(QUIET, busy)
    assert lines["turns a player"] == "7.50 (sd 3.54), 5.0 to 10.0"
    assert lines["steps a turn"] == "2.00"
    assert lines["length of falls"] == "2.00 (sd 1.00), longest 3 spaces"
    assert lines["falls a turn"] == "0.10"
    assert lines["stars a turn"] == "0.50"
    assert lines["ejections a game"] == "1.50 (sd 2.12), at least one in 50.0%"
    assert lines["legal actions"] == "5.5 on average, fewer than 6 in 50.0% of turns"


def test_games_without_a_fall_say_so():
    assert lines_of(replace(QUIET, falls=()))["length of falls"] == "none, longest 0 spaces"


def test_a_fall_is_not_broken_by_what_happens_on_the_way_but_by_the_next_move():
    kinds = [
        EventKind.MOVED,
        EventKind.FELL,
        EventKind.COLLECTED,
        EventKind.WRAPPED,
        EventKind.FELL,
        EventKind.DOOR_MOVED,
        EventKind.EJECTED,
        EventKind.CARDS_RETURNED,
        EventKind.FELL,
        EventKind.LAID,
        EventKind.FELL,
        EventKind.TILE_TURNED,
        EventKind.FELL,
        EventKind.ROUND_ENDED,
        EventKind.PLACED,
    ]
    why = {EventKind.CARDS_RETURNED: "ejected"}
    assert list(falls_of([Event(kind, 1, {"why": why.get(kind)}) for kind in kinds])) == [3, 1, 1]
    returned = [Event(kind, 1, {"why": "complete"}) for kind in (EventKind.FELL, EventKind.CARDS_RETURNED, kinds[1])]
    assert list(falls_of(returned)) == [1, 1], "who completes the hand may fall once more"


@budget(25)
@given(st.integers(0, 2**32))
def test_each_fall_of_a_game_is_one_whatever_it_meets(seed):
    rng = Random(seed)
    state = new_game(SUBJECTS[0], rng)
    events: list[Event] = []
    falls: list[int] = []
    for _ in range(60):
        if state.finished:
            break
        steps = random_steps(SUBJECTS[0], state, rng)
        told = len(begun(state, ()))
        for count in range(1, len(steps) + 1):
            whole = begun(state, steps[:count])
            falls += falls_of_a_step(whole[told:])
            told = len(whole)
        applied = GRAVITY.apply_turn(state, " ".join(steps))
        events += applied.events
        state = applied.state
    assert list(falls_of(events)) == falls


def begun(state, steps):
    """Return what happens in the first steps of a turn."""
    return list(GRAVITY.play_steps(state, steps).events)


def falls_of_a_step(events):
    """Return the lengths of the falls of one step: between two of them the pawn moves."""
    falls = [0]
    for event in events:
        if event.kind == EventKind.MOVED:
            falls.append(0)
        falls[-1] += event.kind == EventKind.FELL
    return [length for length in falls if length]
