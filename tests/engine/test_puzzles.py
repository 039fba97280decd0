"""A puzzle's claim holds: one turn is clearly best, all that is as good solves, and it is about what it says."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.contract import Event, Puzzle
from engine.errors import RulesError
from engine.gravity.events import EventKind
from engine.gravity.match import Match, begin
from engine.gravity.notation import hide_cards
from engine.gravity.puzzles import AS_GOOD, CLEAR, LEAST, LONG_FALL, SOLVERS, Theme, Way, find, rating_of, ways_of
from engine.gravity.reasons import Reason
from engine.gravity.state import State
from engine.puzzles import read_puzzle
from tests.engine.command import run_here
from tests.engine.play import (
    GRAVITY,
    ROOM,
    budget,
    drawn_on,
    random_turn,
    scene,
    states,
    with_seat,
)

SHORT = 120
"""Playouts that find puzzles in self-play."""
LONGER = 300
"""Playouts that look at them anew."""
SLACK = 0.05
"""By so much a deeper look may find a difference smaller."""


def last_turn(*faces: Sequence[str], seats: int = 2, **keys: dict[tuple[int, int], str]) -> State:
    """Return a game with few stars left whose last turn is to be played; its seat has two cards."""
    state = scene(*faces, players=seats, **keys)
    state = replace(state, seat=seats - 1, round=9, turns=9 * seats - 1)
    return with_seat(state, seats, pawn="2,5,S", hand="LD", up="HRW")


def to_win(*stars: tuple[int, int]) -> State:
    """Return a last turn in which a star wins, with those stars on the board, each in a walled-off place beside."""
    marks = {f"x{x}y{y}": "*" for x, y in stars}
    face = drawn_on(ROOM, **marks, wx1y5="|", wx4y5="|")
    state = last_turn(face, ROOM, stars=dict.fromkeys(stars, "b"))
    return with_seat(with_seat(state, 2, loot="b3y2"), 1, loot="p3g2o1", pawn="9,5,S")


def robbed_pair() -> State:
    """Return a last turn in which a rival must be robbed of a colour that it has two of."""
    state = last_turn(drawn_on(ROOM, wx4y5="|"))
    return with_seat(with_seat(state, 2, loot="o2w2"), 1, loot="b2y2p1g1", pawn="3,5,S")


def two_in_a_row() -> State:
    """Return a last turn in which both rivals must be ejected."""
    state = with_seat(last_turn(seats=3), 3, loot="o2w2")
    state = with_seat(state, 1, loot="b2y2p1g1", pawn="3,5,S")
    return with_seat(state, 2, loot="b2y2p1g1", pawn="4,5,S")


def door_to_shut() -> State:
    """Return a last round in which a rival will enter, and win with the star by the open door.

    The pawn can fall past that door, so that the rival enters on the other tile.
    """
    face = drawn_on(ROOM, x5y5=" ", x3y2="<", wx3y2="|", wx2y1="|", nx2y2="-")
    state = scene(drawn_on(face, x1y4="*"), face, stars={(1, 4): "b"})
    state = with_seat(replace(state, round=9, turns=16), 1, pawn="2,1,S", hand="L", up="HDRW", loot="b3y2")
    return with_seat(state, 2, pawn="", hand="L", up="HDRW", loot="b1y2p1g1")


def puzzle_in(state: State) -> Puzzle:
    found = find(state, Random(1), SHORT)
    assert found is not None
    return found


# --- Made by hand -----------------------------------------------------------------------------------------------------


def test_to_end_the_game_as_its_winner_is_a_puzzle():
    found = puzzle_in(to_win((1, 5)))
    assert {hide_cards(turn) for turn in found.solutions} == {"S<(?)"}
    assert [one.chances for one in (found.best, found.other)] == [(0, 1), (1, 0)]
    assert found.reason == Reason.WON
    assert set(found.themes) == {Theme.LAST_ROUND}
    assert found.easy


def test_where_two_turns_are_as_good_there_is_no_puzzle():
    assert find(to_win((1, 5), (3, 5)), Random(1), SHORT) is None


def test_where_a_rival_has_a_card_face_down_there_is_no_puzzle():
    state = to_win((1, 5))
    assert find(with_seat(state, 1, hand="LHDR", down="W"), Random(1), SHORT) is None
    assert find(with_seat(state, 1, hand="LHDR", up="W"), Random(1), SHORT) is not None
    assert find(with_seat(state, 2, up="HR", down="W"), Random(1), SHORT) is not None, "one's own card is known"


def test_where_nothing_can_be_won_any_more_there_is_no_puzzle():
    assert find(with_seat(to_win((1, 5)), 1, loot="p9g9"), Random(1), SHORT) is None


def test_to_eject_two_at_once_is_a_puzzle_whatever_is_stolen():
    state = two_in_a_row()
    found = puzzle_in(state)
    assert all(turn.startswith("L> x1") for turn in found.solutions)
    assert set(found.themes) == {Theme.DOUBLE_EJECTION, Theme.LAST_ROUND}
    assert found.reason == Reason.WON
    for first in "bypg":
        assert GRAVITY.judge_answer(state, found, f"L> x1{first} x2b").solved
    assert not GRAVITY.judge_answer(state, found, "S>(D) x1b").solved


def test_what_is_stolen_may_decide():
    state = robbed_pair()
    found = puzzle_in(state)
    assert {turn[-3:] for turn in found.solutions} == {"x1b", "x1y"}
    assert Theme.THEFT in found.themes
    for item, solved in {"b": True, "y": True, "p": False, "g": False}.items():
        answer = GRAVITY.judge_answer(state, found, f"S>(D) x1{item}")
        assert (answer.solved, answer.lost) == (solved, 0 if solved else 0.5)


def test_a_door_that_moves_on_in_time_is_a_puzzle():
    state = door_to_shut()
    found = puzzle_in(state)
    assert {hide_cards(turn) for turn in found.solutions} == {"S>(?)"}
    assert set(found.themes) == {Theme.DOOR_TIMING, Theme.LAST_ROUND}
    assert not found.easy
    elsewhere = replace(state, door=1)
    assert find(elsewhere, Random(1), SHORT) is None, "the door is not passed, and nothing is to be feared"


def test_an_answer_that_is_not_listed_solves_if_it_is_as_good():
    state = robbed_pair()
    found = replace(puzzle_in(state), solutions=("S>(D) x1b",))
    assert GRAVITY.judge_answer(state, found, "S>(L) x1b").solved, "another card lies face down"
    assert GRAVITY.judge_answer(state, found, "S>(L) x1y").solved, "it wins as well"
    with pytest.raises(RulesError, match="not-in-loot"):
        GRAVITY.judge_answer(state, found, "S>(D) x1w")


# --- Found in games ---------------------------------------------------------------------------------------------------


@cache
def found_in_games() -> tuple[tuple[State, Puzzle], ...]:
    plain = Match(("nova:6",) * 2, expert=False, goodies="", seed=1)
    rich = Match(("nova:6",) * 3, expert=True, goodies="PJT", seed=2)
    many = Match(("nova:6",) * 4, expert=False, goodies="", seed=3)
    places = (*places_in(plain, 1, 0, 15), *places_in(rich, 3, 32), *places_in(many, 1, 1))
    return tuple((state, puzzle_in(state)) for state in places)


def places_in(match: Match, number: int, *turns: int) -> Iterator[State]:
    """Yield the states after so many turns of a game between computer players."""
    state, rng = begin(match, number)
    while state.turns <= max(turns):
        if state.turns in turns:
            yield state
        turn = GRAVITY.choose_turn(match.bots[state.seat], state, rng)
        state = GRAVITY.apply_turn(state, turn).state


def test_each_claim_is_proved_anew_by_a_deeper_search_with_other_chance():
    for state, puzzle in found_in_games():
        me = state.seat
        found = GRAVITY.assess(state, Random(987), playouts=LONGER, played=puzzle.other.turn)
        way = next(way for way in ways_of(state) if hide_cards(puzzle.best.turn) in looks_of(way))
        its_own = [one for one in found if hide_cards(one.turn) in looks_of(way)]
        rest = [one for one in found if one not in its_own]
        assert found[0] in its_own
        assert found[0].chances[me] >= LEAST - SLACK
        assert puzzle.other.turn in {one.turn for one in rest}
        assert all(found[0].chances[me] - one.chances[me] >= CLEAR - SLACK for one in rest)
        assert not any(GRAVITY.judge_answer(state, puzzle, one.turn).solved for one in rest)


def looks_of(way: Way) -> set[str]:
    return {hide_cards(one.turn) for one in way}


def test_a_claim_is_what_it_says():
    for state, puzzle in found_in_games():
        me = state.seat
        assert puzzle.best.chances[me] - puzzle.other.chances[me] >= CLEAR
        assert puzzle.reason not in {Reason.SAME, Reason.ALONE}
        assert min(SOLVERS.values()) - 800 < puzzle.rating < max(SOLVERS.values()) + 800
        assert puzzle.playouts == SHORT
        assert {player.face_down for i, player in enumerate(state.players) if i != me} == {0}


def test_themes_are_what_the_best_turn_does():
    made = [(state, puzzle_in(state)) for state in (to_win((1, 5)), robbed_pair(), two_in_a_row())]
    for state, puzzle in (*found_in_games(), *made):
        applied = GRAVITY.apply_turn(state, puzzle.best.turn)
        kinds = [event.kind for event in applied.events]
        ejected = kinds.count(EventKind.EJECTED)
        said = set(puzzle.themes)
        assert (Theme.LONG_FALL in said) == (longest_fall(applied.events) >= LONG_FALL)
        assert (Theme.OVER_THE_EDGE in said) == (EventKind.WRAPPED in kinds)
        assert (Theme.EJECTION in said) == (ejected == 1)
        assert (Theme.DOUBLE_EJECTION in said) == (ejected > 1)
        assert (Theme.SECOND_ACTION in said) == ("&" in puzzle.best.turn)
        assert (Theme.ROTATION in said) == (EventKind.ROTATED in kinds)
        assert (Theme.GOODIE in said) == (EventKind.PASSED in kinds)
        assert Theme.THEFT not in said or EventKind.STOLE in kinds
        assert Theme.DOOR_TIMING not in said or EventKind.DOOR_MOVED in kinds
        assert (Theme.LAST_ROUND in said) == ends_with_its_round(applied.state)


def longest_fall(events: Sequence[Event]) -> int:
    """Return the most spaces that are fallen through with no other step of the pawn in between."""
    steps = [event.kind for event in events if event.kind in {"fell", "moved", "laid", "token_spent", "passed"}]
    runs, run = [0], 0
    for kind in steps:
        run = run + 1 if kind == EventKind.FELL else 0
        runs.append(run)
    return max(runs)


def ends_with_its_round(state: State) -> bool:
    """Return whether the game is over once all others have played so that as many stars as can be are left."""
    if state.setup.expert:
        return state.finished or state.reached
    number = state.round
    while not state.finished and state.round == number:
        turns = [one.after for way in ways_of(state) for one in way]
        state = max(turns, key=lambda after: (not after.finished, after.stars_left))
    return state.finished


def test_the_same_chance_finds_the_same_and_chance_has_a_say_in_the_rating_alone():
    state, puzzle = found_in_games()[1]
    again, other = find(state, Random(5), SHORT), find(state, Random(6), SHORT)
    assert find(state, Random(5), SHORT) == again
    assert again is not None
    assert other is not None
    assert replace(again, rating=puzzle.rating) == replace(other, rating=puzzle.rating) == puzzle


@given(state=states(), seed=st.integers(0, 1000))
@budget(40)
def test_every_legal_turn_belongs_to_a_way(state, seed):
    assume(not state.finished)
    turn = " ".join(random_turn(state, Random(seed)))
    ways = ways_of(state)
    homes = [way for way in ways if hide_cards(turn) in {hide_cards(one.turn) for one in way}]
    assert len(homes) >= 1
    assert all(one.chance >= two.chance for way in ways for one, two in pairwise(way))
    after = GRAVITY.apply_turn(state, turn).state
    home = homes[0][0].after
    assert [player.pawn for player in home.players] == [player.pawn for player in after.players]
    assert (home.cells, home.door) == (after.cells, after.door)


def test_a_puzzle_that_fewer_solve_has_a_higher_rating():
    never = dict.fromkeys(SOLVERS, 0.0)
    ratings = [rating_of(never | dict.fromkeys(list(SOLVERS)[weakest:], 1.0)) for weakest in range(len(SOLVERS) + 1)]
    assert ratings == sorted(ratings)
    assert len(set(ratings)) == len(ratings)
    assert rating_of(dict.fromkeys(SOLVERS, 0.5)) == pytest.approx(1050, abs=30)


def test_the_command_line_prints_puzzles_that_can_be_read_back():
    ran = run_here("puzzles", "--players", "2", "--games", "1", "--seed", "1", "--playouts", "60", "--jobs", "1")
    assert (ran.status, ran.err) == (0, "")
    lines = [json.loads(line) for line in ran.out.splitlines()]
    assert lines
    for line in lines:
        state, puzzle = read_puzzle(GRAVITY, line)
        assert line["setup"]["players"] == ["Player 1", "Player 2"]
        assert line["seat"] == GRAVITY.summary(state).seat
        assert GRAVITY.judge_answer(state, puzzle, puzzle.best.turn).solved
        assert puzzle.best.chances[state.seat] - puzzle.other.chances[state.seat] > AS_GOOD
