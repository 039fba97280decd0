"""Each rule and ruling on a small board of its own. A `ROOM` is walled in west and south; its door is in the corner."""

from dataclasses import replace

import pytest

from engine.errors import RulesError
from engine.gravity import rules
from engine.gravity.view import loot_text, position
from tests.engine.play import (
    GRAVITY,
    ROOM,
    drawn_on,
    emitted,
    pawn_of,
    scene,
    with_seat,
    with_stars_left,
    without_star,
)

FULL = "LHDRW"


def play(state, turn):
    return GRAVITY.apply_turn(state, turn).state


def refused(state, step, *steps):
    """Return the code that refuses the step, None if it is legal."""
    refusal = rules.why_not(state, step, steps)
    return refusal and str(refusal.code)


def hand_of(state, seat):
    seen = position(state)
    return seen["hands"][seat - 1], seen["face_up"][seat - 1], seen["face_down"][seat - 1]


# --- Geometry ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("feet", "left", "right"),
    [("S", "2,3", "4,3"), ("E", "3,4", "3,2"), ("N", "4,3", "2,3"), ("W", "3,2", "3,4")],
)
def test_left_and_right_turn_along_with_the_pawn(feet, left, right):
    # Platforms all around space 3,3 and its neighbours' feet, but none between them.
    walls = {"S": {"n2y4": "-", "n3y4": "-", "n4y4": "-"}, "N": {"n2y3": "-", "n3y3": "-", "n4y3": "-"}}
    walls |= {"E": {"w4y2": "|", "w4y3": "|", "w4y4": "|"}, "W": {"w3y2": "|", "w3y3": "|", "w3y4": "|"}}
    state = with_seat(scene(drawn_on(ROOM, **walls[feet])), 1, pawn=f"3,3,{feet}")
    assert pawn_of(play(state, "S<(L)"), 1) == f"{left},{feet}"
    assert pawn_of(play(state, "S>(L)"), 1) == f"{right},{feet}"


@pytest.mark.parametrize(
    ("feet", "how", "after"),
    [("S", "+", "W"), ("W", "+", "N"), ("S", "-", "E"), ("S", "=", "N"), ("E", "=", "W"), ("N", "-", "W")],
)
def test_a_quarter_clockwise_makes_feet_south_feet_west(feet, how, after):
    box = drawn_on(ROOM, n3y3="-", n3y4="-", w3y3="|", w4y3="|")
    state = with_seat(scene(box), 1, pawn=f"3,3,{feet}")
    assert pawn_of(play(state, f"R{how}"), 1) == f"3,3,{after}"


def test_r3_a_platform_drawn_on_one_side_of_a_tiles_border_blocks_both_ways():
    # The room's west wall stands between the tiles and, across the wrapped edge, west of the first one.
    state = with_seat(with_seat(scene(), 1, pawn="5,5,S"), 2, pawn="6,5,S")
    assert refused(state, "S>(L)") == "blocked"
    assert refused(replace(state, seat=1), "S<(L)") == "blocked"
    assert refused(with_seat(state, 1, pawn="11,5,S"), "S>(L)") == "blocked"
    assert refused(with_seat(state, 1, pawn="0,5,S"), "S<(L)") == "blocked"


def test_leaving_a_side_comes_in_on_the_opposite_one_in_the_same_row_or_column():
    open_row = drawn_on(ROOM, w0y5=" ", w3y5="|")
    state = with_seat(scene(open_row), 1, pawn="11,5,S")
    assert pawn_of(play(state, "S>(L)"), 1) == "0,5,S"
    open_column = drawn_on(ROOM, n2y6=" ", n2y3="-")
    state = with_seat(scene(open_column), 1, pawn="2,2,S")
    assert pawn_of(play(state, "D"), 1) == "2,2,S", "through the open floor, from the top down onto the same ledge"


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_door_and_its_platform_turn_with_the_tile(rotation):
    state = scene()
    board = state.setup.board((rotation, 0))
    place = board.doors[0]
    y, x = divmod(place >> 2, 12)
    assert ((x, y), "NESW"[place & 3]) == {
        0: ((5, 5), "S"), 90: ((0, 5), "W"), 180: ((0, 0), "N"), 270: ((5, 0), "E")
    }[rotation]  # fmt: skip
    assert board.blocked[place]


# --- Placing -----------------------------------------------------------------------------------------------------


def test_a_pawn_off_the_board_enters_at_the_open_door_and_the_marker_moves_on():
    applied = GRAVITY.play_steps(scene(), [])
    assert pawn_of(applied.state, 1) == "5,5,S"
    assert applied.state.door == 1
    assert emitted(applied.events) == [("placed", 1, 5, 5, "S"), ("door_moved", 1, 0, 1)]


def test_r7_placing_on_a_taken_door_ejects_and_the_steal_precedes_the_action():
    state = with_seat(with_seat(scene(players=2), 2, pawn="5,5,S", loot="b1r1"), 1, loot="y1")
    assert rules.legal_steps(state) == ("x2b", "x2r")
    assert refused(state, "R+") == "steal-first"
    after = play(state, "x2r R+")
    assert pawn_of(after, 2) is None
    assert loot_text(after.players[0]) == "y1r1"


def test_a_placing_that_ejects_someone_with_nothing_needs_no_steal():
    state = with_seat(scene(), 2, pawn="5,5,S")
    after = play(state, "R=")
    assert pawn_of(after, 2) is None


# --- Actions -----------------------------------------------------------------------------------------------------


def test_r8_completing_the_hand_needs_a_card_in_front():
    state = with_seat(scene(), 1, pawn="3,5,S")
    assert refused(state, "C") == "nothing-to-complete"
    assert {"R+", "R-", "R="} <= set(rules.legal_steps(state)), "a full hand can always rotate"
    laid = with_seat(state, 1, hand="LHDW", down="R")
    assert refused(laid, "C") is None
    assert hand_of(play(laid, "C"), 1) == (FULL, "", "")


def test_a_simple_move_lays_its_card_face_down_and_a_special_move_face_up():
    state = with_seat(scene(), 1, pawn="3,5,S")
    assert hand_of(play(state, "S<(H)"), 1) == ("LDRW", "", "H")
    assert hand_of(play(state, "L<"), 1) == ("HDRW", "L", "")
    assert hand_of(play(state, "WL<"), 1) == ("LHDR", "W", "")


def test_r4_a_long_jump_enters_both_spaces_and_needs_both_crossings_free():
    state = with_seat(scene(drawn_on(ROOM, x4y5="*", x5y5=" ", x0y5="v", x3y5="*")), 1, pawn="2,5,S")
    assert loot_text(play(state, "L>").players[0]) == "b1y1"
    assert refused(with_seat(state, 1, pawn="1,5,S"), "L<") == "blocked"
    assert refused(with_seat(state, 1, pawn="1,5,S"), "S<(L)") is None
    assert refused(with_seat(state, 1, pawn="0,5,S"), "L<") == "blocked"


def test_a_high_jump_goes_up_then_aside_and_needs_both_crossings_free():
    state = with_seat(scene(drawn_on(ROOM, n3y5="-")), 1, pawn="3,5,S")
    assert refused(state, "H<") == "blocked"
    state = with_seat(scene(drawn_on(ROOM, w3y4="|")), 1, pawn="3,5,S")
    assert refused(state, "H<") == "blocked"
    assert refused(state, "H>") is None
    assert emitted(GRAVITY.play_steps(state, ["H>"]).events) == [
        ("laid", 1, "H", True), ("moved", 1, 3, 4, "jump"), ("moved", 1, 4, 4, "jump"), ("fell", 1, 4, 5)
    ]  # fmt: skip


def test_a_drop_goes_through_the_platform_and_is_always_legal():
    ledge = drawn_on(ROOM, n3y3="-")
    state = with_seat(scene(ledge), 1, pawn="3,2,S")
    assert pawn_of(play(state, "D"), 1) == "3,5,S"
    assert pawn_of(play(with_seat(state, 1, pawn="3,5,S"), "D"), 1) == "3,2,S", "through the floor: from the top again"


def test_after_each_action_the_pawn_falls_toward_its_feet():
    state = with_seat(scene(), 1, pawn="3,5,S")
    assert pawn_of(play(state, "R+"), 1) == "0,5,W"
    assert pawn_of(play(state, "R="), 1) == "3,0,N"


def test_an_empty_hand_takes_all_five_cards_back_at_once():
    state = with_seat(scene(), 1, pawn="3,5,S", hand="L", up="HD", down="RW")
    applied = GRAVITY.play_steps(state, ["S<(L)"])
    assert hand_of(applied.state, 1) == (FULL, "", "")
    assert ("cards_returned", 1, 5, "empty") in emitted(applied.events)


def test_r14_an_empty_hand_has_no_card_at_all_goodies_included():
    state = with_seat(scene(goodies={"1": "T"}), 1, pawn="3,5,S", hand="LT", up="HD", down="RW")
    assert hand_of(play(state, "S<(L)"), 1) == ("T", "HD", "LRW")
    without = with_seat(state, 1, hand="T", down="LRW")
    assert hand_of(play(without, "T"), 1) == (FULL, "", ""), "giving on the last card empties the hand too"


# --- Entering a space --------------------------------------------------------------------------------------------


def test_an_ejected_player_takes_all_cards_back_and_loses_an_item_the_mover_chooses():
    state = with_seat(scene(), 1, pawn="3,5,S")
    state = with_seat(state, 2, pawn="2,5,S", hand="L", up="HD", down="RW", loot="b2o1r1")
    after = GRAVITY.play_steps(state, ["S<(L)"]).state
    assert hand_of(after, 2) == (FULL, "", "")
    assert rules.legal_steps(state, ["S<(L)"]) == ("x2b", "x2o", "x2r")
    done = play(state, "S<(L) x2o")
    assert (loot_text(done.players[0]), loot_text(done.players[1])) == ("o1", "b2r1")


def test_a_star_under_a_rival_stays_and_a_star_hides_its_replay_symbol():
    face = drawn_on(ROOM, x3y5="R")
    state = with_seat(with_seat(scene(face), 1, pawn="4,5,S"), 2, pawn="3,5,S")
    first = play(state, "S<(L)")
    assert (first.stars_left, loot_text(first.players[0])) == (2, ""), "whoever ejects takes nothing from the space"
    alone = with_seat(state, 2, pawn="0,0,N")
    star = play(alone, "S<(L)")
    assert (loot_text(star.players[0]), star.supply) == ("b1", 18)
    again = play(with_seat(replace(star, seat=0), 1, pawn="4,5,S"), "S<(H)")
    assert (loot_text(again.players[0]), again.supply) == ("b1r1", 17)


def test_a_bare_replay_symbol_gives_nothing_when_the_supply_is_empty():
    state = without_star(scene(drawn_on(ROOM, x3y5="R")), (3, 5))
    state = replace(with_seat(state, 1, pawn="4,5,S"), supply=0)
    after = play(state, "S<(L)")
    assert (loot_text(after.players[0]), after.supply) == ("", 0)


def test_a_plain_star_symbol_gives_nothing_once_bare():
    state = without_star(scene(drawn_on(ROOM, x3y5="*")), (3, 5))
    after = play(with_seat(state, 1, pawn="4,5,S"), "S<(L)")
    assert loot_text(after.players[0]) == ""


def test_r5_a_fall_that_wraps_back_onto_the_start_space_enters_it_again():
    shaft = drawn_on(ROOM, n2y6=" ", n2y3="-", x2y2="R")
    state = without_star(with_seat(scene(shaft), 1, pawn="2,2,S"), (2, 2))
    applied = GRAVITY.play_steps(state, ["D"])
    assert pawn_of(applied.state, 1) == "2,2,S"
    assert loot_text(applied.state.players[0]) == "r1", "the token on the start space is collected by the fall"
    assert ("wrapped", 1, "S") in emitted(applied.events)


def test_one_move_can_eject_several_and_steals_follow_in_the_order_of_ejection():
    state = scene(players=3)
    state = with_seat(state, 1, pawn="4,5,S")
    state = with_seat(state, 3, pawn="3,5,S", loot="b1")
    state = with_seat(state, 2, pawn="2,5,S", loot="y1r1")
    assert rules.legal_steps(state, ["L<"]) == ("x3b",)
    assert refused(state, "x2y", "L<") == "wrong-victim"
    assert rules.legal_steps(state, ["L<", "x3b"]) == ("x2y", "x2r")
    after = play(state, "L< x3b x2y")
    assert loot_text(after.players[0]) == "b1y1"
    assert (pawn_of(after, 2), pawn_of(after, 3)) == (None, None)


def test_the_steals_are_chosen_after_the_whole_move():
    # The second victim has nothing until the end, the first one loses before that: nobody is asked half-way.
    state = with_seat(with_seat(scene(), 1, pawn="3,4,S"), 2, pawn="3,5,S", loot="g1")
    applied = GRAVITY.play_steps(with_seat(state, 1, pawn="4,5,S"), ["S<(L)"])
    assert [event[0] for event in emitted(applied.events)] == ["laid", "moved", "ejected"]
    assert applied.state.victims == (1,)


def test_the_marker_moves_clockwise_to_the_next_door_without_a_pawn():
    # Four tiles: top left, top right, bottom right, bottom left.
    state = scene(players=4)
    assert play(state, "R+").door == 1
    taken = with_seat(state, 2, pawn="11,5,S")
    assert play(taken, "R+").door == 3, "the door at the top right is taken, so bottom right is next"
    taken = with_seat(taken, 3, pawn="11,11,S")
    assert play(taken, "R+").door == 2
    taken = with_seat(taken, 4, pawn="5,11,S")
    assert play(taken, "R+").door == 0, "every other door is taken, so it stays"


@pytest.mark.parametrize(
    ("players", "order"), [(2, [0, 1]), (3, [0, 1, 3, 2]), (4, [0, 1, 3, 2]), (5, [0, 1, 2, 5, 4, 3])]
)
def test_doors_open_clockwise_around_the_board(players, order):
    for door, following in zip(order, [*order[1:], order[0]], strict=True):
        state = scene(players=players, open_door=door)
        assert GRAVITY.play_steps(state, []).state.door == following


def test_a_pawn_that_passes_the_open_door_moves_the_marker():
    state = with_seat(scene(drawn_on(ROOM, x5y5=" ", x3y5="v")), 1, pawn="4,5,S")
    applied = GRAVITY.play_steps(state, ["L<"])
    assert emitted(applied.events)[1:] == [
        ("moved", 1, 3, 5, "jump"), ("door_moved", 1, 0, 1), ("moved", 1, 2, 5, "jump")
    ]  # fmt: skip


def test_r6_the_marker_may_go_to_the_door_that_the_mover_has_just_left():
    state = with_seat(scene(goodies={"1": "T"}, open_door=1), 1, pawn="5,5,S")
    after = play(state, "T")
    assert (pawn_of(after, 1), after.door) == ("11,5,S", 0)


# --- Replay ------------------------------------------------------------------------------------------------------


def test_a_token_gained_this_turn_may_be_spent_this_turn_but_only_once():
    state = without_star(scene(drawn_on(ROOM, x3y5="R", x2y5="R")), (3, 5), (2, 5))
    state = with_seat(state, 1, pawn="4,5,S")
    assert rules.legal_steps(state, ["S<(L)"]) == ("&", ".")
    assert rules.legal_steps(state, ["S<(L)", "&", "S<(H)"]) == (".",)
    after = play(state, "S<(L) & S<(H)")
    assert (loot_text(after.players[0]), after.supply) == ("r1", 17)


def test_a_replay_is_optional_and_a_second_action_is_due_once_it_is_paid():
    state = with_seat(scene(), 1, pawn="3,5,S", loot="r1")
    assert play(state, "S<(L)").seat == 1
    with pytest.raises(RulesError) as error:
        play(state, "S<(L) &")
    assert str(error.value) == "turn-incomplete"


def test_r9_the_second_action_may_be_any_action_completing_the_hand_too():
    state = with_seat(scene(), 1, pawn="3,5,S", hand="LHDW", down="R", loot="r1")
    assert {"C", "S<(L)", "L<", "WH>", "D", "WR+"} <= set(rules.legal_steps(state, ["S<(H)", "&"]))
    assert hand_of(play(state, "S<(H) & C"), 1) == (FULL, "", "")


# --- The end -----------------------------------------------------------------------------------------------------

STARRY = drawn_on(ROOM, **{f"x{x}y{y}": "*" for x in range(6) for y in (1, 2)})


@pytest.mark.parametrize(("players", "stars"), [(2, 4), (3, 8), (4, 8), (5, 12), (6, 12)])
def test_the_game_ends_at_the_end_of_a_round_with_so_many_stars_left(players, stars):
    for left, ends in ((stars + 1, False), (stars, True), (stars - 1, True)):
        state = with_stars_left(scene(STARRY, players=players), left)
        for seat in range(1, players + 1):
            assert (state.finished, state.seat) == (False, seat - 1)
            state = play(with_seat(state, seat, pawn="3,5,S"), "S<(L)")
            state = with_seat(state, seat, pawn="")
        assert state.finished == ends
        assert state.round == (1 if ends else 2)


@pytest.mark.parametrize(("players", "points"), [(2, 18), (3, 24), (4, 18), (5, 24), (6, 18)])
def test_an_expert_game_ends_at_the_end_of_the_round_in_which_points_were_reached(players, points):
    for before, ends in ((points - 2, False), (points - 1, True)):
        state = scene(drawn_on(ROOM, x2y5="*"), players=players, expert=True)
        state = with_seat(state, 1, pawn="3,5,S", loot=f"r{before}")
        state = play(state, "S<(L)")
        assert state.reached == ends
        assert not state.finished
        for seat in range(2, players + 1):
            state = play(with_seat(state, seat, pawn="0,0,N"), "S<(L)")
            state = with_seat(state, seat, pawn="")
        assert state.finished == ends


def test_r10_losing_points_afterwards_does_not_undo_an_expert_end():
    state = scene(drawn_on(ROOM, x2y5="*"), expert=True)
    state = play(with_seat(state, 1, pawn="3,5,S", loot="r17"), "S<(L) & S<(H)")
    assert state.players[0].points == 17
    state = play(with_seat(state, 2, pawn="3,5,S"), "L< x1r")
    assert state.players[0].points < 18
    assert state.finished


def test_r11_in_an_expert_game_the_star_count_plays_no_part():
    state = with_stars_left(scene(STARRY, expert=True), 0)
    state = play(with_seat(state, 1, pawn="3,5,S"), "S<(L)")
    state = play(with_seat(state, 2, pawn="4,5,S"), "S>(L)")
    assert not state.finished


def test_r10_expert_points_count_only_when_the_steals_of_the_action_are_done():
    state = scene(expert=True)
    state = with_seat(with_seat(state, 1, pawn="3,5,S", loot="r17"), 2, pawn="2,5,S", loot="b1")
    assert not GRAVITY.play_steps(state, ["S<(L)"]).state.reached
    assert GRAVITY.play_steps(state, ["S<(L)", "x2b"]).state.reached


def test_in_a_base_game_points_end_nothing():
    state = scene(STARRY)
    state = with_seat(with_seat(state, 1, pawn="3,5,S", loot="r18"), 2, pawn="5,5,S")
    assert not play(play(state, "S<(L)"), "R=").finished


# --- Goodies -----------------------------------------------------------------------------------------------------


def test_r12_a_goodie_laid_as_a_simple_move_is_passed_on_all_the_same():
    state = with_seat(scene(players=3, goodies={"1": "P"}), 1, pawn="3,5,S")
    after = play(state, "S<(P)")
    assert hand_of(after, 1) == (FULL, "", "")
    assert hand_of(after, 2) == (FULL + "P", "", "")


def test_a_goodie_goes_to_the_next_active_player_on_the_left():
    state = scene(players=3, goodies={"1": "J"})
    state = GRAVITY.retire(state, 2).state
    applied = GRAVITY.apply_turn(with_seat(state, 1, pawn="3,5,S"), "J<<")
    assert hand_of(applied.state, 3) == (FULL + "J", "", "")
    assert ("passed", 1, "J", 3) in emitted(applied.events)


@pytest.mark.parametrize(
    ("how", "mine", "other", "star"),
    [("+", "0,3,W", "0,1,W", (1, 2)), ("-", "5,2,E", "5,4,E", (4, 3)), ("=", "2,0,N", "4,0,N", (3, 1))],
)
def test_r15_turning_the_tile_turns_all_on_it_and_no_pawn_enters_a_space(how, mine, other, star):
    face = drawn_on(ROOM, x2y4="*")
    state = scene(face, goodies={"1": "P"})
    state = with_seat(with_seat(state, 1, pawn="3,5,S"), 2, pawn="1,5,S")
    state = with_seat(state, 1, hand=FULL + "P")
    applied = GRAVITY.play_steps(state, [f"P{how}"])
    now = applied.state
    assert (pawn_of(now, 1), pawn_of(now, 2)) == (mine, other)
    assert position(now)["stars"][star[1]][star[0]] == "b"
    assert position(now)["tiles"] == [{"+": 90, "-": 270, "=": 180}[how], 0]
    assert [event.kind for event in applied.events] == ["passed", "tile_turned"]


def test_r16_others_left_without_a_platform_stay_until_their_own_action_ends():
    # Seat 2 lies on tile 0, feet east, held by the west wall of tile 1 alone, which turns away.
    state = with_seat(scene(goodies={"1": "P"}), 2, pawn="5,4,E", hand="LHDW", up="R")
    state = play(with_seat(state, 1, pawn="8,5,S"), "P=")
    assert pawn_of(state, 2) == "5,4,E"
    assert not state.board.blocked[state.players[1].pawn], "nothing is under its feet now"
    applied = GRAVITY.play_steps(state, ["C"])
    assert pawn_of(applied.state, 2) == "11,4,E"
    assert emitted(applied.events)[:2] == [("cards_returned", 2, 1, "complete"), ("fell", 2, 6, 4)]


def test_r17_a_pawn_left_without_a_platform_drops_one_space_and_then_falls():
    state = with_seat(scene(goodies={"1": "P"}), 2, pawn="5,4,E")
    state = play(with_seat(state, 1, pawn="8,5,S"), "P=")
    applied = GRAVITY.play_steps(state, ["D"])
    assert [event.kind for event in applied.events] == ["laid", "moved", "fell", "fell", "fell", "fell", "fell"]
    assert pawn_of(applied.state, 2) == "11,4,E"


def test_the_movers_own_pawn_falls_when_turning_takes_its_platform_away():
    # Seat 1 lies on tile 0, feet east, held by the west wall of tile 1; after the half turn it is open before its feet.
    state = with_seat(scene(goodies={"1": "P"}), 1, pawn="5,0,E")
    applied = GRAVITY.play_steps(state, ["P="])
    assert pawn_of(applied.state, 1) == "6,5,W"
    assert [event.kind for event in applied.events] == ["passed", "tile_turned", "wrapped", *["fell"] * 6]


def test_a_double_jump_is_two_simple_moves_each_with_its_fall():
    stairs = drawn_on(ROOM, n3y3="-", n2y4="-")
    state = with_seat(scene(stairs, goodies={"1": "J"}), 1, pawn="3,2,S")
    applied = GRAVITY.play_steps(state, ["J<>"])
    assert emitted(applied.events)[1:] == [
        ("moved", 1, 2, 2, "walk"), ("fell", 1, 2, 3), ("moved", 1, 3, 3, "walk"), ("fell", 1, 3, 4), ("fell", 1, 3, 5)
    ]  # fmt: skip


def test_both_moves_of_a_double_jump_must_be_possible():
    pit = drawn_on(ROOM, n3y3="-", n2y4="-", w2y3="|")
    state = with_seat(scene(pit, goodies={"1": "J"}), 1, pawn="3,2,S")
    assert refused(state, "J<<") == "blocked"
    assert rules.why_not(state, "J<<").params == {"x": 2, "y": 3, "side": "W"}
    assert refused(state, "J<>") is None
    walled = with_seat(state, 1, pawn="0,5,S")
    assert rules.why_not(walled, "J<>").params == {"x": 0, "y": 5, "side": "W"}


def test_r18_a_teleport_takes_the_doors_feet_and_enters_its_space():
    sideways = drawn_on(ROOM, x5y5=" ", x0y3="<")
    state = with_seat(scene(sideways, goodies={"1": "T"}), 1, pawn="3,5,S")
    applied = GRAVITY.play_steps(state, ["T"])
    assert pawn_of(applied.state, 1) == "0,3,W"
    assert emitted(applied.events)[1:] == [("teleported", 1, 0, 3, "W"), ("door_moved", 1, 0, 1)]
    with_rival = with_seat(state, 2, pawn="0,3,W", loot="b1")
    assert rules.legal_steps(with_rival, ["T"]) == ("x2b",)


def test_r19_a_teleport_is_illegal_for_a_pawn_on_the_open_door():
    state = with_seat(with_seat(scene(goodies={"1": "T"}), 1, pawn="5,5,S"), 2, pawn="11,5,S")
    assert refused(state, "T") == "already-on-door"
    assert refused(state, "S<(T)") is None


# --- Leaving -----------------------------------------------------------------------------------------------------


def test_r20_a_retired_seat_leaves_the_board_and_passes_its_goodies_on():
    state = scene(players=3, goodies={"2": "PT"})
    state = with_seat(with_seat(state, 1, pawn="3,5,S"), 2, pawn="2,5,S", loot="b3r1")
    applied = GRAVITY.retire(state, 2)
    now = applied.state
    assert pawn_of(now, 2) is None
    assert hand_of(now, 3) == (FULL + "PT", "", "")
    assert emitted(applied.events) == [("retired", 2), ("passed", 2, "P", 3), ("passed", 2, "T", 3)]
    assert loot_text(now.players[1]) == "b3r1", "its stars and tokens are out of play, not shared out"
    assert play(now, "S<(L)").seat == 2, "its turns are passed over"


def test_r20_goodies_of_the_last_seat_go_round_the_table_to_the_next_active_one():
    state = scene(players=3, goodies={"3": "J"})
    state = GRAVITY.retire(state, 1).state
    assert hand_of(GRAVITY.retire(scene(players=3, goodies={"3": "J"}), 3).state, 1)[0] == FULL + "J"
    assert hand_of(GRAVITY.retire(state, 3).state, 2)[0] == FULL + "J"


def test_r21_a_seat_that_retires_on_its_turn_passes_play_on_and_can_end_a_round():
    state = with_stars_left(scene(STARRY, players=3), 8)
    state = play(with_seat(state, 1, pawn="3,5,S"), "S<(L)")
    state = play(with_seat(state, 2, pawn="5,5,S"), "R=")
    applied = GRAVITY.retire(state, 3)
    assert emitted(applied.events) == [("retired", 3), ("round_ended", None, 1), ("game_ended", None, "stars")]
    assert applied.state.finished
    assert applied.state.turns == 2, "a retirement is no turn"


def test_r21_a_seat_that_retires_while_another_is_to_move_lets_that_one_play():
    state = scene(players=3)
    assert GRAVITY.retire(state, 3).state.seat == 0
    assert GRAVITY.retire(state, 1).state.seat == 1


def test_r22_the_game_ends_when_one_active_seat_is_left():
    state = GRAVITY.retire(scene(players=3), 1).state
    applied = GRAVITY.retire(state, 3)
    assert applied.state.finished
    assert emitted(applied.events)[-1] == ("game_ended", None, "last-seat")
    assert rules.ranking(applied.state) == (3, 1, 2)
    assert position(applied.state)["seat"] is None


def test_r24_the_tables_numbers_stay_those_of_the_players_at_the_start():
    state = with_stars_left(scene(STARRY, players=3), 8)
    state = GRAVITY.retire(state, 3).state
    state = play(with_seat(state, 1, pawn="3,5,S"), "S<(L)")
    assert play(with_seat(state, 2, pawn="5,5,S"), "R=").finished, "8 stars, as for three"


# --- Points and places -------------------------------------------------------------------------------------------

EMMA = ("b2y2p2o2w4r4", "b3y1p3g1w1", "y1g1o1w1r3", "b3y3p4g2o1w2r1")


def test_the_scoring_example_of_the_rules():
    state = scene(players=4)
    for seat, loot in enumerate(EMMA, 1):
        state = with_seat(state, seat, loot=loot)
    assert [player.points for player in state.players] == [22, 11, 7, 22]
    assert rules.ranking(state) == (2, 3, 4, 1), "Emma has fewer tokens than Julian"


@pytest.mark.parametrize(
    ("loot", "points"), [("", 0), ("b1", 1), ("b2", 3), ("b3", 4), ("b4", 6), ("r4", 4), ("b1y1", 2), ("w13", 19)]
)
def test_points_are_one_a_thing_and_one_more_for_each_pair_of_stars_of_one_colour(loot, points):
    assert with_seat(scene(), 1, loot=loot).players[0].points == points


def test_players_with_the_same_points_and_tokens_share_their_place():
    state = scene(players=4)
    for seat, loot in enumerate(("b2r1", "y2r1", "b1y1p1r1", "b4"), 1):
        state = with_seat(state, seat, loot=loot)
    assert [player.points for player in state.players] == [4, 4, 4, 6]
    assert rules.ranking(state) == (2, 2, 2, 1)


def test_r23_retired_seats_rank_below_all_others_and_earlier_ones_lower():
    state = scene(players=5)
    state = with_seat(with_seat(state, 2, loot="b9"), 4, loot="b5")
    state = GRAVITY.retire(GRAVITY.retire(state, 2).state, 4).state
    assert rules.ranking(state) == (1, 5, 1, 4, 1)
