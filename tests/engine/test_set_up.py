"""A new game is drawn by chance alone, within the rules' numbers."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.gravity.board import SIZES
from engine.gravity.record import read_setup
from engine.gravity.state import COLOURS
from tests.engine.play import GRAVITY, budget


@budget(40)
@given(st.integers(0, 2**32), st.integers(2, 6), st.sets(st.sampled_from("PJT")), st.booleans())
def test_any_draw_is_a_valid_set_up_that_its_record_gives_back(seed, players, goodies, expert):
    names = [f"N{i}" for i in range(players)]
    state = GRAVITY.set_up(names, {"expert": expert, "goodies": "".join(goodies)}, Random(seed))
    record: dict[str, Any] = GRAVITY.write_record(state)
    assert read_setup(record) == state.setup
    assert GRAVITY.read_setup(record) == state
    assert record["players"] == names
    assert record["options"] == {"expert": expert}
    assert (record["board"]["columns"], record["board"]["rows"]) == SIZES[players]
    tiles = [tile["face"] for tile in record["board"]["tiles"]]
    assert len({name[0] for name in tiles}) == len(tiles), "no tile shows both of its sides"
    assert set(record["board"]["faces"]) == set(tiles)
    assert max(Counter("".join(record["stars"]).replace(".", "")).values()) <= 13
    assert sorted("".join(record["goodies"].values())) == sorted(goodies)
    assert (state.supply, state.seat, state.round) == (18, 0, 1)


@pytest.mark.parametrize("players", range(2, 7))
def test_r1_any_door_can_be_the_first_one_open(players):
    doors = {GRAVITY.set_up(["N"] * players, {}, Random(seed)).door for seed in range(100)}
    assert doors == set(range(SIZES[players][0] * SIZES[players][1]))


@pytest.mark.parametrize("players", range(2, 7))
def test_r2_goodies_are_dealt_one_each_to_the_last_seat_then_the_seat_before_it(players):
    state = GRAVITY.set_up(["N"] * players, {"goodies": "PJT"}, Random(players))
    dealt = {seat: len(cards) for seat, cards in state.setup.goodies.items()}
    expected = {2: {2: 2, 1: 1}}.get(players, {players: 1, players - 1: 1, players - 2: 1})
    assert dealt == expected


def test_everything_that_the_rules_leave_to_chance_varies():
    states = [GRAVITY.set_up(["A", "B"], {"goodies": "PJT"}, Random(seed)) for seed in range(120)]
    setups = [state.setup for state in states]
    assert {name for setup in setups for name, _ in setup.tiles} == {f"{n}{s}" for n in range(1, 7) for s in "ab"}
    assert {rotation for setup in setups for _, rotation in setup.tiles} == {0, 90, 180, 270}
    assert {setup.open_door for setup in setups} == {0, 1}
    assert {star for setup in setups for row in setup.stars for star in row} == {*COLOURS, "."}
    assert {setup.goodies[1] for setup in setups} == {"P", "J", "T"}


def test_the_same_chance_draws_the_same_game():
    assert GRAVITY.set_up(["A", "B"], {}, Random(5)) == GRAVITY.set_up(["A", "B"], {}, Random(5))
    assert GRAVITY.set_up(["A", "B"], {}, Random(5)) != GRAVITY.set_up(["A", "B"], {}, Random(6))
