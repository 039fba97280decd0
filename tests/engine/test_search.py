"""The search: it sees what is to be seen a few turns ahead, and keeps its books."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.contract import Event
from engine.gravity import Gravity, rules
from engine.gravity.bots import LEVELS, levels
from engine.gravity.bots.levels import EYES, Eyes
from engine.gravity.bots.looks import LONG_GAME, look, search_turn
from engine.gravity.bots.search import Plan, grow
from engine.gravity.bots.turns import Breadth, turns_of
from engine.gravity.chances import FEATURES
from engine.gravity.events import EventKind
from engine.gravity.match import Match, begin
from engine.gravity.setup import GOODIE_CARDS
from engine.gravity.view import known_to
from tests.engine.play import ROOM, budget, drawn_on, scene, states, with_seat, without_star

GRAVITY = Gravity()
SHORT = Plan(playouts=24)
WIDE = Breadth(seconds=1000, gain=0, all_wild=True)


@given(state=states(), seed=st.integers(0, 1000))
@budget(40)
def test_the_turns_of_a_search_are_legal_and_lead_where_they_say(state, seed):
    assume(not state.finished)
    found = turns_of(state, WIDE)
    assert len({turn for turn, _ in found}) == len(found)
    turn, after = Random(seed).choice(found)
    assert rules.apply_turn(state, " ".join(turn)) == after


@given(state=states())
@budget(25)
def test_every_first_action_is_looked_at_but_for_what_lies_face_down(state):
    assume(not state.finished)
    begun = rules.begin_turn(state)
    assume(not begun.victims)
    wanted = {GRAVITY.view_turn(text, own=False) for text in rules.legal_steps(begun)}
    assert wanted == {GRAVITY.view_turn(turn[0], own=False) for turn, _ in turns_of(state, WIDE)}


@given(state=states())
@budget(25)
def test_a_tree_keeps_its_books(state):
    assume(not state.finished)
    root = grow(state, SHORT, Random(1))
    nodes = [root]
    for node in nodes:
        nodes += [child for child in node.children if child is not None]
        assert sum(node.visits) == node.total
        assert node.mine == [value[node.seat] for value in node.value]
        assert node.mine[node.best] == max(node.mine)
        assert all(sum(value) == pytest.approx(1) for value in node.value)
        for child, visits, after in zip(node.children, node.visits, node.after, strict=True):
            assert child is None or child.total == visits - 1
            assert visits == 0 or child is not None or after.finished
    assert root.total == (SHORT.playouts if len(root.turns) > 1 else 0)
    assert len(nodes) <= SHORT.playouts + 1


@given(state=states(), seed=st.integers(0, 1000))
@budget(25)
def test_the_same_chance_gives_the_same_looks(state, seed):
    assume(not state.finished)
    known = known_to(state, state.seat + 1)
    assert look(known, Random(seed), SHORT) == look(known, Random(seed), SHORT)


def to_win_or_lose():
    """Return a game of two in which seat 2 is to move, and may end it as its winner or as its loser."""
    face = drawn_on(ROOM, x1y5="*", x4y0="*", x3y2="*")
    state = without_star(scene(face), (7, 5))
    return with_seat(replace(state, seat=1), 2, pawn="2,5,S")


@pytest.mark.parametrize("level", [6, 7])
def test_a_game_is_ended_by_who_wins_it_and_not_by_who_loses_it(level):
    ahead = with_seat(with_seat(to_win_or_lose(), 2, pawn="2,5,S", loot="b3y3"), 1, loot="p3")
    behind = with_seat(to_win_or_lose(), 1, loot="b3y3p3")
    for state, ends in ((ahead, True), (behind, False)):
        turn = GRAVITY.choose_turn(f"nova:{level}", state, Random(1))
        assert rules.apply_turn(state, turn).finished == ends


def test_a_second_action_that_ejects_is_seen_from_afar():
    # The pawn turns, falls beside its rival, and steps on: neither of the two actions alone brings anything.
    state = with_seat(with_seat(scene(ROOM), 1, pawn="2,0,N", loot="r1"), 2, pawn="3,5,S", loot="b2")
    turn = search_turn(known_to(state, 1), Random(1), SHORT)
    events: list[Event] = []
    rules.apply_turn(state, turn, events)
    assert any(event.kind == EventKind.EJECTED for event in events)


def test_thinking_ahead_wins_against_not_doing_so():
    wins = 0
    for seed in range(6):
        for rotation in range(2):
            rng = Random(seed)
            state = GRAVITY.set_up(["Ada", "Bo"], {}, rng)
            while not state.finished and state.round < 60:
                plan = Plan(playouts=40 if state.seat == rotation else 1)
                state = rules.apply_turn(state, search_turn(known_to(state, state.seat + 1), rng, plan))
            wins += rules.ranking(state)[rotation] == 1
    assert wins >= 7


def test_a_long_game_comes_to_an_end():
    for seed in range(4):
        rng = Random(seed)
        state = GRAVITY.set_up(["Ada", "Bo"], {"goodies": GOODIE_CARDS}, rng)
        while not state.finished and state.round <= 4 * LONG_GAME:
            state = rules.apply_turn(state, GRAVITY.choose_turn("nova:6", state, rng))
        assert state.finished


@pytest.mark.parametrize("number", [19, 42])
def test_two_who_would_rob_each_other_in_turn_for_ever_come_to_an_end(number):
    state, rng = begin(Match(("nova:7", "nova:7"), expert=False, goodies="", seed=1), number)
    while not state.finished and state.round <= 2 * LONG_GAME:
        state = rules.apply_turn(state, GRAVITY.choose_turn("nova:7", state, rng))
    assert state.finished


# --- Levels


def test_levels_are_offered_from_the_weakest_on():
    assert list(LEVELS) == [f"nova:{level}" for level in range(1, 9)]
    assert sorted([*levels.EYES, *levels.PLANS]) == list(range(1, 9))


def test_each_level_sees_at_least_what_the_one_below_sees():
    for low, high in zip(list(EYES.values())[:-1], list(EYES.values())[1:], strict=True):
        assert low.heeds <= high.heeds
        assert low.far <= high.far
        assert [low.long, low.wrap, low.turned, low.second] <= [high.long, high.wrap, high.turned, high.second]


NOT_FAR = Eyes(far=2, long=0.0, wrap=0.0, turned=0.0, second=0.0, heeds=frozenset(FEATURES))


def glance(state, seed):
    return levels._glance(known_to(state, 1), Random(seed), NOT_FAR).split(" ")[0]


def test_a_beginner_overlooks_a_long_fall_but_not_a_short_one():
    # From a ledge at the top one falls five spaces on one side, and steps onto a star on the other.
    face = drawn_on(ROOM, nx2y1="-", nx3y1="-", x1y5="*", x3y0="*")
    state = with_seat(scene(face, stars={(1, 5): "b", (3, 0): "g"}), 1, pawn="2,0,S", hand="L", up="HDRW")
    state = with_seat(state, 2, pawn="9,5,S", hand="L", up="HDRW")
    assert glance(state, 1) == "S>(L)"
    bare = without_star(state, (3, 0))
    assert {glance(bare, seed) for seed in range(8)} != {"S<(L)"}


def test_a_player_without_eyes_for_anything_still_takes_a_turn():
    state = with_seat(scene(ROOM), 1, pawn="2,0,N", hand="R", up="LHDW")
    assert grow(state, SHORT, Random(1)).turns
    assert glance(state, 1) in rules.legal_steps(state)
