"""What the engine has made stays as it was made."""

from contextlib import suppress
from dataclasses import FrozenInstanceError, fields
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.contract import END, Event
from engine.errors import RulesError
from engine.gravity import rules
from engine.gravity.movement import Draft
from engine.gravity.notation import STEPS
from engine.gravity.state import BASE, Player, State
from engine.gravity.view import imagine, known_to, position, view
from tests.engine.play import GRAVITY, budget, drawn_record, new_games, random_states, random_turn, scene, with_seat
from tests.unchanging import VALUES


def samples() -> list[object]:
    """Return one value of each kind."""
    state = scene()
    applied = GRAVITY.apply_turn(state, "S<(L)")
    return [applied, applied.state, applied.state.players[0], applied.events[0], GRAVITY.summary(state)]


def test_there_is_a_sample_of_each_kind_of_value():
    assert {type(value) for value in samples()} == set(VALUES)


@pytest.mark.plain
@pytest.mark.parametrize("value", samples(), ids=lambda value: type(value).__name__)
def test_a_value_refuses_to_change(value):
    for field in fields(value):
        with pytest.raises(FrozenInstanceError):
            setattr(value, field.name, getattr(value, field.name))


@pytest.mark.plain
def test_an_engine_that_steals_in_place_is_found_out(monkeypatch):
    def steal_in_place(draft: Draft, victim: int, item: int) -> None:
        robbed = draft.players[victim]
        robbed.loot = (*robbed.loot[:item], robbed.loot[item] - 1, *robbed.loot[item + 1 :])

    state = with_seat(with_seat(scene(), 1, pawn="2,5,S"), 2, pawn="1,5,S", loot="b1")
    monkeypatch.setattr(Draft, "steal", steal_in_place)
    with pytest.raises(FrozenInstanceError):
        rules.play_steps(state, ["S<(L)", "x2b"])


@budget(20)
@given(new_games(), st.integers(0, 2**32))
def test_no_function_changes_the_state_that_it_is_given(record, seed):
    rng = Random(seed)
    for state in random_states(GRAVITY.read_setup(record), rng, 30, retire=0.02):
        if state.finished:
            return
        before = repr(state)
        use(state, rng)
        assert repr(state) == before


def use(state: State, rng: Random) -> None:
    """Call all that takes a state, with steps that are legal and others that are not."""
    events: list[Event] = []
    steps = random_turn(state, rng)
    now = rules.begin_turn(state, events)
    for text in steps:
        before = repr(now)
        after = rules.apply_step(now, STEPS[text], events)
        assert repr(now) == before
        now = after
    for text in [*rng.sample(sorted(STEPS), 10), END]:
        rules.why_not(state, text)
        rules.why_not(state, text, steps)
    with suppress(RulesError):
        rules.apply_step(state, STEPS[rng.choice(sorted(STEPS))], events)
    rules.play_steps(state, steps, events)
    rules.apply_turn(state, " ".join(steps), events)
    rules.retire(state, state.seat + 1, events)
    rules.ranking(state)
    for seat in (None, 1, 2):
        view(state, seat)
        known_to(state, seat)
        imagine(state, seat, rng)
    position(state)
    GRAVITY.load(GRAVITY.write_record(state), GRAVITY.dump(state))
    for bot in GRAVITY.bots:
        GRAVITY.choose_turn(bot, state, rng)


def test_equal_values_are_equal_and_hash_alike():
    assert Player(4, BASE, 0, 0, (0,) * 7) == Player(4, BASE, 0, 0, (0,) * 7)
    assert len({Player(4, BASE, 0, 0, (0,) * 7), Player(4, BASE, 0, 0, (0,) * 7)}) == 1
    assert Player(4, BASE, 0, 0, (0,) * 7) != Player(5, BASE, 0, 0, (0,) * 7)
    record = drawn_record(Random(1), 3)
    assert GRAVITY.read_setup(record) == GRAVITY.read_setup(record)
