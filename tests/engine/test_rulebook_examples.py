"""What the printed rules show in drawings or tell by the way, played on boards of our own that have the same shape."""

from engine.gravity import rules
from engine.gravity.view import loot_text, position
from tests.engine.play import GRAVITY, ROOM, drawn_on, emitted, pawn_of, scene, with_seat, without_star

FULL = "LHDRW"


def test_a_high_jump_in_the_corner_wraps_up_to_the_side_and_down_again():
    # Up over the top edge, left over the west edge, and down over the bottom edge: three times around the board.
    holes = {"n0y6": " ", "n5y6": " ", "w0y5": " ", "n0y1": "-", "n5y1": "-", "w2y5": "|"}
    corner = drawn_on(ROOM, x5y5=" ", x3y5="v", **holes)
    applied = GRAVITY.apply_turn(with_seat(scene(corner), 1, pawn="0,0,S"), "H<")
    assert emitted(applied.events) == [
        ("laid", 1, "H", True),
        ("wrapped", 1, "N"),
        ("moved", 1, 0, 5, "jump"),
        ("wrapped", 1, "W"),
        ("moved", 1, 11, 5, "jump"),
        ("wrapped", 1, "S"),
        ("fell", 1, 11, 0),
    ]
    assert pawn_of(applied.state, 1) == "11,0,S"


def test_a_simple_move_falls_out_of_the_board_below_and_comes_in_above():
    shaft = drawn_on(ROOM, n2y6=" ", n2y3="-", x2y1="*")
    applied = GRAVITY.apply_turn(with_seat(scene(shaft), 1, pawn="3,5,S"), "S<(W)")
    assert emitted(applied.events) == [
        ("laid", 1, "W", False),
        ("moved", 1, 2, 5, "walk"),
        ("wrapped", 1, "S"),
        ("fell", 1, 2, 0),
        ("fell", 1, 2, 1),
        ("collected", 1, "b", 2, 1),
        ("fell", 1, 2, 2),
    ]
    assert pawn_of(applied.state, 1) == "2,2,S"


def test_a_long_jump_goes_two_spaces_over_a_gap_and_then_falls():
    ledge = drawn_on(ROOM, n1y2="-", n3y4="-", x2y1="*", x3y2="*")
    applied = GRAVITY.apply_turn(with_seat(scene(ledge), 1, pawn="1,1,S"), "L>")
    assert emitted(applied.events) == [
        ("laid", 1, "L", True),
        ("moved", 1, 2, 1, "jump"),
        ("collected", 1, "b", 2, 1),
        ("moved", 1, 3, 1, "jump"),
        ("fell", 1, 3, 2),
        ("collected", 1, "y", 3, 2),
        ("fell", 1, 3, 3),
    ]
    assert (pawn_of(applied.state, 1), loot_text(applied.state.players[0])) == ("3,3,S", "b1y1")


def test_one_move_takes_a_token_on_each_bare_symbol_as_long_as_there_are_any():
    places = ((2, 1), (3, 1), (3, 4))
    ledge = drawn_on(ROOM, n1y2="-", **{f"x{x}y{y}": "R" for x, y in places})
    state = with_seat(without_star(scene(ledge), *places), 1, pawn="1,1,S")
    after = GRAVITY.apply_turn(state, "L>").state
    assert (loot_text(after.players[0]), after.supply) == ("r3", state.supply - 3)


def test_a_token_that_was_stolen_is_spent_at_once():
    state = with_seat(with_seat(scene(), 1, pawn="4,5,S"), 2, pawn="3,5,S", loot="b1r1")
    assert "&" not in rules.legal_steps(state, ["S<(L)"])
    assert rules.legal_steps(state, ["S<(L)", "x2b"]) == (".",)
    assert rules.legal_steps(state, ["S<(L)", "x2r"]) == ("&", ".")
    after = GRAVITY.apply_turn(state, "S<(L) x2r & S<(H)").state
    assert ([loot_text(player) for player in after.players], after.supply) == (["", "b1"], state.supply + 1)
    assert pawn_of(after, 1) == "2,5,S"


def test_r14_a_goodie_laid_as_the_last_card_is_passed_on_and_brings_all_five_back():
    state = with_seat(scene(goodies={"1": "T"}), 1, pawn="3,5,S", hand="T", up="LHD", down="RW")
    applied = GRAVITY.apply_turn(state, "S<(T)")
    assert emitted(applied.events)[:3] == [
        ("passed", 1, "T", 2), ("cards_returned", 1, 5, "empty"), ("moved", 1, 2, 5, "walk")
    ]  # fmt: skip
    seen = position(applied.state)
    assert (seen["hands"], seen["face_up"], seen["face_down"]) == ([FULL, FULL + "T"], ["", ""], ["", ""])


def test_who_is_placed_on_the_door_of_a_stuck_marker_ejects_whoever_stayed_there():
    state = with_seat(scene(), 1, hand="LHDR", up="W")
    state = GRAVITY.apply_turn(with_seat(state, 2, pawn="11,5,S"), "C").state
    assert (pawn_of(state, 1), state.door) == ("5,5,S", 0), "the other door is taken, so the marker stays"
    applied = GRAVITY.play_steps(with_seat(with_seat(state, 2, pawn=""), 1, loot="p1"), [])
    assert emitted(applied.events) == [
        ("placed", 2, 5, 5, "S"), ("ejected", 2, 1, 5, 5), ("door_moved", 2, 0, 1)
    ]  # fmt: skip
    assert (pawn_of(applied.state, 1), applied.state.victims) == (None, (0,))
