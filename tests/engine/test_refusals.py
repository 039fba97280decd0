"""Every refusal code, with its exact parameters, and which reason comes first."""

from enum import StrEnum

import pytest

from engine.errors import RulesCode, RulesError
from engine.gravity.codes import GravityCode
from engine.gravity.state import State
from tests.engine.play import GRAVITY, ROOM, case_states, drawn_on, scene, with_seat


def standing(**keys: str) -> State:
    """Return a state in which seat 1 stands in the middle of the room's floor, and seat 2 is far away."""
    state = scene(drawn_on(ROOM, w3y4="|", n3y5=" "), goodies={"2": "PJT"})
    return with_seat(with_seat(state, 2, pawn="11,0,N"), 1, **({"pawn": "3,5,S"} | keys))


def between_rivals() -> State:
    """Return a state in which a long jump to the left ejects seat 2 (a blue star) and then seat 3 (two tokens)."""
    state = with_seat(scene(players=3), 1, pawn="4,5,S")
    return with_seat(with_seat(state, 2, pawn="3,5,S", loot="b1"), 3, pawn="2,5,S", loot="r2")


OVER = case_states("01-2p")[-1]

REFUSALS = [
    # A platform in the way: the space before it and the side of that space.
    (standing(pawn="0,5,S"), "", "S<(L)", GravityCode.BLOCKED, {"x": 0, "y": 5, "side": "W"}),
    (standing(pawn="1,5,S"), "", "L<", GravityCode.BLOCKED, {"x": 0, "y": 5, "side": "W"}),
    (standing(pawn="5,5,S"), "", "WL>", GravityCode.BLOCKED, {"x": 5, "y": 5, "side": "E"}),
    (standing(pawn="3,0,S"), "", "H>", GravityCode.BLOCKED, {"x": 3, "y": 0, "side": "N"}),
    (standing(), "", "H<", GravityCode.BLOCKED, {"x": 3, "y": 4, "side": "W"}),
    (standing(pawn="0,0,W"), "", "S<(L)", GravityCode.BLOCKED, {"x": 0, "y": 0, "side": "N"}),
    (standing(hand="J", pawn="0,5,S"), "", "J<>", GravityCode.BLOCKED, {"x": 0, "y": 5, "side": "W"}),
    (standing(hand="J", pawn="1,5,S"), "", "J<<", GravityCode.BLOCKED, {"x": 0, "y": 5, "side": "W"}),
    # Cards.
    (standing(hand="L", up="HDRW"), "", "H>", GravityCode.CARD_NOT_IN_HAND, {"card": "H"}),
    (standing(hand="L", up="HDRW"), "", "WL>", GravityCode.CARD_NOT_IN_HAND, {"card": "W"}),
    (standing(hand="L", up="HDRW"), "", "S>(R)", GravityCode.CARD_NOT_IN_HAND, {"card": "R"}),
    (standing(hand="L", up="HDRW"), "", "R+", GravityCode.CARD_NOT_IN_HAND, {"card": "R"}),
    (standing(hand="L", up="HDRW"), "", "D", GravityCode.CARD_NOT_IN_HAND, {"card": "D"}),
    (standing(), "", "P=", GravityCode.CARD_NOT_IN_HAND, {"card": "P"}),
    (standing(), "", "J<>", GravityCode.CARD_NOT_IN_HAND, {"card": "J"}),
    (standing(), "", "T", GravityCode.CARD_NOT_IN_HAND, {"card": "T"}),
    (standing(), "", "S<(T)", GravityCode.CARD_NOT_IN_HAND, {"card": "T"}),
    (standing(), "", "C", GravityCode.NOTHING_TO_COMPLETE, {}),
    (with_seat(standing(pawn="5,5,S", hand="LHDRWT"), 2, pawn="11,5,S"), "", "T", GravityCode.ALREADY_ON_DOOR, {}),
    # Replays.
    (standing(), "", "&", GravityCode.ACTION_FIRST, {}),
    (standing(), "S<(L)", "&", GravityCode.NO_TOKEN, {}),
    (standing(loot="r2"), "S<(L) &", "&", GravityCode.REPLAY_USED, {}),
    (standing(loot="r2"), "S<(L) & S<(H)", "&", GravityCode.REPLAY_USED, {}),
    # Steals.
    (standing(), "", "x2b", GravityCode.NOTHING_TO_STEAL, {}),
    (standing(), "S<(L)", "x1r", GravityCode.NOTHING_TO_STEAL, {}),
    (between_rivals(), "L<", "&", GravityCode.STEAL_FIRST, {"victims": ("2", "3")}),
    (between_rivals(), "L<", "C", GravityCode.STEAL_FIRST, {"victims": ("2", "3")}),
    (between_rivals(), "L< x2b", ".", GravityCode.STEAL_FIRST, {"victims": ("3",)}),
    (between_rivals(), "L<", "x3r", GravityCode.WRONG_VICTIM, {"victim": 3, "expected": 2}),
    (between_rivals(), "L<", "x6r", GravityCode.WRONG_VICTIM, {"victim": 6, "expected": 2}),
    (between_rivals(), "L<", "x2r", GravityCode.NOT_IN_LOOT, {"victim": 2, "item": "r"}),
    (between_rivals(), "L< x2b", "x3b", GravityCode.NOT_IN_LOOT, {"victim": 3, "item": "b"}),
    (between_rivals(), "L< x2b x3r", "x3r", GravityCode.NOTHING_TO_STEAL, {}),
    # Turns.
    (standing(), "", ".", RulesCode.TURN_INCOMPLETE, {}),
    (standing(loot="r1"), "S<(L) &", ".", RulesCode.TURN_INCOMPLETE, {}),
    (standing(), "S<(L)", "C", RulesCode.TURN_COMPLETE, {}),
    (standing(loot="r1"), "S<(L) & C", "R+", RulesCode.TURN_COMPLETE, {}),
    (standing(), "", "s<(L)", RulesCode.UNKNOWN_STEP, {"text": "s<(L)"}),
    (standing(), "", "S<(?)", RulesCode.UNKNOWN_STEP, {"text": "S<(?)"}),
    (standing(), "", "x7b", RulesCode.UNKNOWN_STEP, {"text": "x7b"}),
    (standing(), "", "", RulesCode.UNKNOWN_STEP, {"text": ""}),
    (standing(), "", "C" * 1_000_000, RulesCode.UNKNOWN_STEP, {"text": "C" * 20}),
    (OVER, "", "C", RulesCode.GAME_OVER, {}),
    (OVER, "", ".", RulesCode.GAME_OVER, {}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("state", "steps", "step", "code", "params"), REFUSALS, ids=[f"{r[3].value}-{i}" for i, r in enumerate(REFUSALS)]
)
def test_a_step_is_refused_with_this_code_and_these_parameters(state, steps, step, code, params):
    refusal = GRAVITY.why_not(state, step, steps.split())
    assert refusal is not None
    assert (refusal.code, dict(refusal.params)) == (code, params)
    if step != ".":
        with pytest.raises(RulesError) as error:
            GRAVITY.apply_turn(state, " ".join([*steps.split(), step])) if step else GRAVITY.play_steps(state, [step])
        assert (error.value.code, dict(error.value.params)) == (code, params)


def test_every_code_of_a_refused_step_is_produced_here():
    seen: set[StrEnum] = {refusal[3] for refusal in REFUSALS}
    elsewhere = {RulesCode.BAD_OPTIONS, RulesCode.NOT_ACTIVE}
    assert seen == {*GravityCode, *RulesCode} - elsewhere


def test_a_refusal_names_the_step_of_the_turn_by_its_index():
    with pytest.raises(RulesError) as error:
        GRAVITY.apply_turn(standing(loot="r1"), "S<(L) & S<(L)")
    assert (error.value.step, str(error.value)) == (2, "card-not-in-hand (card=L)")
    with pytest.raises(RulesError) as error:
        GRAVITY.apply_turn(standing(), "")
    assert (error.value.step, str(error.value)) == (None, "turn-incomplete")
    with pytest.raises(RulesError) as error:
        GRAVITY.apply_turn(between_rivals(), "L<")
    assert (error.value.step, str(error.value)) == (None, "steal-first (victims=2 3)")


def test_steps_after_an_illegal_one_are_not_legal_either():
    assert str(GRAVITY.why_not(standing(), ".", ["S<(L)", "C"])) == "turn-complete"
    with pytest.raises(RulesError) as error:
        GRAVITY.legal_steps(standing(), ["S<(L)", "nonsense"])
    assert (error.value.code, error.value.step) == (RulesCode.UNKNOWN_STEP, 1)


def test_after_the_end_there_is_no_legal_step_and_steps_are_refused():
    assert GRAVITY.legal_steps(OVER) == ()
    with pytest.raises(RulesError, match="game-over"):
        GRAVITY.legal_steps(OVER, ["C"])


@pytest.mark.parametrize("seat", [0, 3, -1, 99])
def test_only_an_active_seat_can_retire(seat):
    with pytest.raises(RulesError) as error:
        GRAVITY.retire(scene(), seat)
    assert (error.value.code, error.value.params) == (RulesCode.NOT_ACTIVE, {"seat": seat})


def test_a_seat_retires_once_and_nobody_after_the_end():
    state = GRAVITY.retire(scene(players=4), 2).state
    with pytest.raises(RulesError) as error:
        GRAVITY.retire(state, 2)
    assert (error.value.code, error.value.params) == (RulesCode.NOT_ACTIVE, {"seat": 2})
    with pytest.raises(RulesError, match="game-over"):
        GRAVITY.retire(OVER, 1)


@pytest.mark.parametrize(
    ("options", "seats", "option"),
    [
        ({}, 1, "seats"),
        ({}, 7, "seats"),
        ({"expert": 1}, 2, "expert"),
        ({"expert": None}, 2, "expert"),
        ({"goodies": "X"}, 2, "goodies"),
        ({"goodies": "PP"}, 2, "goodies"),
        ({"goodies": ["P"]}, 2, "goodies"),
        ({"speed": 3, "colour": 1}, 2, "colour"),
    ],
)
def test_options_that_describe_no_game_are_refused_by_name(options, seats, option):
    with pytest.raises(RulesError) as error:
        GRAVITY.check_options(options, seats)
    assert (error.value.code, error.value.params) == (RulesCode.BAD_OPTIONS, {"option": option})


def test_options_come_back_complete_and_in_order():
    assert GRAVITY.check_options({}, 2) == {"expert": False, "goodies": ""}
    assert GRAVITY.check_options({"goodies": "TP", "expert": True}, 6) == {"expert": True, "goodies": "PT"}
