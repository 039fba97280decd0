"""What a planned turn of Gravity relies on: where all of it still holds, the turn does what it did in the preview."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.contract import END, Condition, Event
from engine.gravity.events import EventKind
from engine.gravity.plans import ConditionKind, read_condition
from engine.gravity.state import State
from tests.engine.play import (
    GRAVITY,
    ROOM,
    budget,
    drawn_on,
    new_games,
    random_states,
    random_turn,
    scene,
    with_seat,
    without_star,
)

WAY = (EventKind.PLACED, EventKind.TELEPORTED, EventKind.MOVED, EventKind.FELL, EventKind.ROTATED, EventKind.EJECTED)
GAIN = (EventKind.COLLECTED, EventKind.STOLE)


def shown(events: Sequence[Event], *kinds: EventKind) -> list[tuple[str, dict[str, object]]]:
    return [(event.kind, dict(event.params)) for event in events if event.kind in kinds]


def until_its_turn(state: State, seat: int, rng: Random) -> State:
    """Return the state in which a seat is next to move, or in which the game has ended before."""
    while not state.finished and state.seat + 1 != seat:
        state = GRAVITY.apply_turn(state, " ".join(random_turn(state, rng))).state
    return state


def test_a_door_through_which_somebody_goes_before_is_hardly_the_open_one() -> None:
    """Before the first round everyone is off the board: who enters first moves the door on."""
    state = scene()
    assert {seat: unlikely(state, seat) for seat in (1, 2)} == {1: [], 2: [ConditionKind.DOOR]}
    entered = GRAVITY.apply_turn(state, " ".join(random_turn(state, Random(1)))).state
    assert unlikely(entered, 2) == []


def unlikely(state: State, seat: int) -> list[ConditionKind]:
    turn = random_turn(GRAVITY.as_if_to_move(state, seat), Random(1))
    found = GRAVITY.conditions(state, seat, turn)
    return [read_condition(condition.text)[0] for condition in found if condition.is_unlikely]


@budget(150)
@given(new_games(), st.integers(0, 2**32))
def test_a_turn_whose_conditions_all_hold_does_what_was_planned(record, seed):
    rng = Random(seed)
    *_, state = [GRAVITY.read_setup(record), *random_states(GRAVITY.read_setup(record), rng, rng.randrange(60))]
    if state.finished:
        return
    seat = rng.randrange(len(state.players)) + 1
    turn = random_turn(GRAVITY.as_if_to_move(state, seat), rng)
    planned = GRAVITY.play_steps(GRAVITY.as_if_to_move(state, seat), turn).events
    conditions = GRAVITY.conditions(state, seat, turn)
    state = until_its_turn(state, seat, rng)
    if state.finished or not all(GRAVITY.holds(state, seat, condition.text) for condition in conditions):
        return
    if GRAVITY.why_not(state, END, turn) is None:  # a goodie may have come, or a rival may have something to steal
        played = GRAVITY.play_steps(state, turn).events
        assert shown(played, *WAY) == shown(planned, *WAY)
        assert [gain for gain in shown(planned, *GAIN) if gain not in shown(played, *GAIN)] == []


FACE = drawn_on(ROOM, x1y5="R", x3y5="*")


def here() -> State:
    """Return a state in which seat 2 is to move: seat 1 stands between a bare replay symbol and a star, then seat 2."""
    state = with_seat(with_seat(scene(FACE), 1, pawn="2,5,S"), 2, pawn="4,5,S", loot="b1")
    return replace(without_star(state, (1, 5)), seat=1)


@pytest.mark.parametrize(
    ("turn", "necessary", "others"),
    [
        ("S>(L)", ["stands(2,5,S)"], ["star(3,5)", "free(3,5)"]),
        ("S<(L)", ["stands(2,5,S)"], ["token(1,5,1)", "free(1,5)"]),
        ("L> x2b", ["stands(2,5,S)", "rival(2,4,5)", "has(2,b)"], ["star(3,5)", "free(3,5)"]),
        ("R=", ["stands(2,5,S)"], ["free(2,4,2,3,2,2,2,1,2,0)"]),
    ],
)
def test_a_turn_relies_on_what_it_meets(turn, necessary, others):
    found = GRAVITY.conditions(here(), 1, turn.split())
    assert [condition.text for condition in found if condition.is_necessary] == necessary
    assert [condition.text for condition in found if not condition.is_necessary] == others


def test_who_enters_by_a_door_relies_on_which_one_is_open():
    state = with_seat(here(), 1, pawn="")
    found = GRAVITY.conditions(state, 1, ["S<(L)"])
    assert [condition.text for condition in found if condition.is_necessary] == ["off()", "door(0)"]


def test_a_rival_without_loot_is_no_part_of_what_a_turn_can_not_do_without():
    found = GRAVITY.conditions(with_seat(here(), 2, loot=""), 1, ["L>"])
    assert [condition for condition in found if condition.text.startswith("rival")] == [Condition("rival(2,4,5)")]


def test_a_turn_relies_on_the_tiles_while_somebody_can_turn_one():
    state = with_seat(here(), 2, hand="LHDRWP")
    assert Condition("tiles(0,0)") in GRAVITY.conditions(state, 1, ["S>(L)"])


@pytest.mark.parametrize(("step", "met"), [("S>(L)", "star(3,5)"), ("S<(L)", "token(1,5,1)")])
def test_what_is_met_after_an_own_turn_of_a_tile_is_named_by_where_it_lies_now(step, met):
    state = with_seat(with_seat(here(), 1, hand="LHDRWP", loot="r1"), 2, pawn="")
    assert Condition(met) in GRAVITY.conditions(state, 1, ["P=", "&", step])


@pytest.mark.parametrize(
    ("condition", "changed"),
    [
        ("stands(2,5,S)", with_seat(here(), 1, pawn="2,5,N")),
        ("stands(2,5,S)", with_seat(here(), 1, pawn="")),
        ("off()", here()),
        ("door(0)", replace(here(), door=1)),
        ("star(3,5)", without_star(here(), (3, 5))),
        ("token(1,5,1)", replace(here(), supply=0)),
        ("token(3,5,1)", here()),
        ("rival(2,4,5)", with_seat(here(), 2, pawn="5,5,S")),
        ("rival(2,4,5)", with_seat(here(), 2, pawn="")),
        ("has(2,b)", with_seat(here(), 2, loot="y3")),
        ("free(3,5,4,5)", here()),
        ("taken(0)", here()),
        ("tiles(0,90)", here()),
    ],
)
def test_a_condition_does_not_hold_once_it_is_otherwise(condition, changed):
    assert not GRAVITY.holds(changed, 1, condition)


def test_every_kind_of_condition_can_hold_and_is_tried_above():
    state, on_door = here(), with_seat(here(), 2, pawn="5,5,S")
    held = [
        "stands(2,5,S)",
        "door(0)",
        "star(3,5)",
        "token(1,5,1)",
        "rival(2,4,5)",
        "has(2,b)",
        "free(1,5)",
        "tiles(0,0)",
    ]
    assert [text for text in held if not GRAVITY.holds(state, 1, text)] == []
    assert GRAVITY.holds(with_seat(state, 1, pawn=""), 1, "off()")
    assert GRAVITY.holds(on_door, 1, "taken(0)")
    assert GRAVITY.holds(state, 1, "tiles(0,0)")
    assert {read_condition(text)[0] for text in (*held, "off()", "taken(0)", "tiles(0,0)")} == {*ConditionKind}


@pytest.mark.parametrize("text", ["", "star", "star(1,2", "sun(1,2)", "star(1,2) star(1,3)"])
def test_what_is_no_condition_is_not_read_as_one(text):
    with pytest.raises(ValueError, match=r"^"):
        read_condition(text)
