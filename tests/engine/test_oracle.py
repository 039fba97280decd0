"""The engine against a slow second reading of the rules (`oracle`)."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.contract import END
from engine.gravity import rules
from engine.gravity.notation import STEPS
from engine.gravity.view import position
from tests.engine.oracle import ALL_STEPS, Oracle
from tests.engine.play import CASES, GRAVITY, budget, load, load_positions, new_games


def test_the_oracle_knows_the_same_steps_as_the_notation():
    assert sorted(ALL_STEPS) == sorted([*STEPS, END])


@pytest.mark.parametrize("name", CASES)
def test_the_oracle_reads_the_rules_as_the_given_games_do(name):
    record = load("cases", name)
    oracle = Oracle(record)
    positions = [oracle.position()]
    for entry in record["log"]:
        if "event" in entry:
            oracle.retire(entry["seat"])
        else:
            oracle.begin()
            for step in entry["turn"].split():
                oracle.step(step)
            oracle.end_turn()
        positions.append(oracle.position())
    assert positions == load_positions("cases", name)


@budget(40)
@given(new_games(), st.integers(0, 2**32), st.integers(1, 30), st.sampled_from([0.0, 0.05]))
def test_engine_and_oracle_agree_after_every_step_of_random_games(record, seed, turns, retire):
    rng = Random(seed)
    state, oracle = GRAVITY.read_setup(record), Oracle(record)
    for _ in range(turns):
        if state.finished:
            break
        if rng.random() < retire:
            seat = rng.choice([i + 1 for i in range(len(state.players)) if state.is_active(i)])
            state = rules.retire(state, seat)
            oracle.retire(seat)
            assert position(state) == oracle.position()
            continue
        oracle.begin()
        steps: list[str] = []
        while True:
            legal = rules.legal_steps(state, steps)
            assert set(legal) == oracle.legal(), (record, steps)
            if (step := rng.choice(legal)) == END:
                break
            steps.append(step)
            oracle.step(step)
            assert position(rules.play_steps(state, steps)) == oracle.position()
        oracle.end_turn()
        state = rules.apply_turn(state, " ".join(steps))
        assert position(state) == oracle.position()
