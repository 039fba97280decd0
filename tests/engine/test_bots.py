"""Computer players: legal turns, only from what their seat knows, and some sense."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.play import (
    CASES,
    GRAVITY,
    ROOM,
    budget,
    case_states,
    drawn_on,
    scene,
    states,
    with_seat,
)
from tests.engine.test_views import other_hidden_cards


@pytest.mark.parametrize("bot", GRAVITY.bots)
@budget(25)
@given(state=states(), seed=st.integers(0, 2**32))
def test_a_computer_player_plays_a_legal_turn_that_its_chance_decides(bot, state, seed):
    if state.finished:
        return
    turn = GRAVITY.choose_turn(bot, state, Random(seed))
    assert GRAVITY.apply_turn(state, turn).state.turns == state.turns + 1
    assert GRAVITY.choose_turn(bot, state, Random(seed)) == turn


@pytest.mark.parametrize("bot", GRAVITY.bots)
@pytest.mark.parametrize("name", CASES[4:12])
def test_a_computer_player_plays_the_same_whatever_lies_face_down_before_others(bot, name):
    state = case_states(name)[len(case_states(name)) // 2]
    others = [i for i in range(len(state.players)) if i != state.seat and state.players[i].face_down]
    turn = GRAVITY.choose_turn(bot, state, Random(1))
    for index in others:
        for other in other_hidden_cards(state, index):
            assert GRAVITY.choose_turn(bot, other, Random(1)) == turn


def test_the_random_player_takes_many_different_turns():
    state = case_states("15-5p-goodies-PJT")[20]
    assert len({GRAVITY.choose_turn("random", state, Random(seed)) for seed in range(20)}) > 5


def test_the_greedy_player_takes_the_move_that_collects_most():
    face = drawn_on(ROOM, x2y5="*", x1y5="*", x4y5="*")
    state = with_seat(with_seat(scene(face), 1, pawn="3,5,S", hand="L", down="HDRW"), 2, pawn="11,5,S")
    assert GRAVITY.choose_turn("greedy", state, Random(1)) == "L<"


def test_the_greedy_player_steals_what_makes_it_best_off():
    state = with_seat(scene(drawn_on(ROOM, x0y0="*"), ROOM), 1, pawn="4,5,S", loot="y1")
    state = with_seat(state, 2, pawn="3,5,S", loot="b1y1r1")
    turn = GRAVITY.choose_turn("greedy", state, Random(1))
    assert "x2y" in turn.split()


def test_the_greedy_player_spends_a_token_for_a_second_action_that_pays():
    face = drawn_on(ROOM, x2y5="*", x1y5="*", x0y5="*", x3y1="*", x3y2="*", x3y3="*")
    state = with_seat(scene(face, players=3), 1, pawn="3,5,S", hand="LHDRW", loot="r1")
    turn = GRAVITY.choose_turn("greedy", state, Random(1))
    after = GRAVITY.apply_turn(state, turn).state
    assert "&" in turn.split()
    assert sum(after.players[0].loot[:6]) >= 4


@pytest.mark.parametrize(("loot", "ends"), [("g6o2", True), ("", False)])
def test_the_last_seat_takes_the_star_that_ends_the_game_only_if_it_wins_so(loot, ends):
    # Five stars are left; the one beside seat 2 is the last that may go, and seat 1 has 7 points.
    face = drawn_on(ROOM, x1y5="*", x0y1="*", x1y1="*", x4y1="*", x5y1="*")
    state = with_seat(with_seat(scene(ROOM, face), 1, pawn="5,0,N", loot="w5"), 2, pawn="8,5,S", loot=loot)
    state = GRAVITY.apply_turn(state, "S>(L)").state
    assert state.stars_left == 5
    turns = {GRAVITY.choose_turn("greedy", state, Random(seed)) for seed in range(5)}
    assert {GRAVITY.apply_turn(state, turn).state.finished for turn in turns} == {ends}


@pytest.mark.parametrize(("expert", "goodies"), [(False, ""), (True, "PJT")])
def test_greedy_players_bring_a_game_to_its_end(expert, goodies):
    state = GRAVITY.set_up(["A", "B", "C"], {"expert": expert, "goodies": goodies}, Random(3))
    rng = Random(4)
    while not state.finished:
        assert state.round < 60, "the game does not end"
        state = GRAVITY.apply_turn(state, GRAVITY.choose_turn("greedy", state, rng)).state
    assert sum(player.points for player in state.players) > 20


def test_the_greedy_player_beats_the_random_one():
    won = 0
    for game in range(4):
        state = GRAVITY.set_up(["A", "B"], {}, Random(game))
        rng = Random(game)
        while not state.finished:
            bot = "greedy" if state.seat == game % 2 else "random"
            state = GRAVITY.apply_turn(state, GRAVITY.choose_turn(bot, state, rng)).state
        won += state.players[game % 2].points > state.players[1 - game % 2].points
    assert won >= 3
