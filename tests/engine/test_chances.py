"""The model of chances: what it says of each seat is so, and its chances are chances."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.contract import END, Event
from engine.gravity import Gravity, learn, rules
from engine.gravity.bots.greedy import greedy_turn
from engine.gravity.chances import (
    FEATURES,
    KNOTS,
    Chances,
    between,
    chances,
    features,
    final_shares,
    key_of,
    stored,
    to_go,
    whole_game,
)
from engine.gravity.events import EventKind
from engine.gravity.learn import Course, Sample
from engine.gravity.notation import STEPS, Complete, TurnTile
from engine.gravity.state import NOTHING, OFF, State
from tests.engine.play import budget, scene, states, with_seat

GRAVITY = Gravity()


def seen(state: State, index: int) -> dict[str, float]:
    """Return what is said of a seat, by name."""
    return dict(zip(FEATURES, features(state)[index], strict=True))


@given(state=states())
@budget(100)
def test_chances_are_a_number_a_seat_and_together_one(state):
    found = chances(state)
    assert len(found) == len(state.players)
    assert sum(found) == pytest.approx(1)
    assert all(found[index] == 0 for index in state.retired if not state.finished)


@pytest.mark.parametrize("number", range(5))
def test_where_a_game_has_ended_chances_are_the_shares_of_the_win(number):
    *_, last = played(Course(2, expert=False, playouts=1, seed=1), number)
    places = rules.ranking(last)
    assert chances(last) == final_shares(last) == tuple((place == 1) / places.count(1) for place in places)


@given(state=states(), data=st.data())
@budget(60)
def test_a_star_more_is_a_chance_more(state, data):
    assume(not state.finished and not state.setup.expert)
    index = data.draw(st.sampled_from([i for i in range(len(state.players)) if state.is_active(i)]))
    loot = state.players[index].loot
    richer = replace(state.players[index], loot=(loot[0] + 2, *loot[1:]))
    after = replace(state, players=tuple(richer if i == index else p for i, p in enumerate(state.players)))
    assert chances(after)[index] >= chances(state)[index]


@given(state=states())
@budget(100)
def test_what_is_in_reach_is_what_an_action_can_bring(state):
    assume(not state.finished)
    me = state.seat
    said = seen(state, me)
    events: list[Event] = []
    begun = rules.begin_turn(state, events)
    assume(not begun.victims)
    had = state.players[me].loot
    prey = {index for index, player in enumerate(begun.players) if index != me and player.loot != NOTHING}
    most, hits = 0, False
    for text in rules.legal_steps(begun):
        if text == END or isinstance(STEPS[text], Complete | TurnTile):
            continue
        gained: list[Event] = list(events)
        rules.apply_step(begun, STEPS[text], gained)
        hits |= any(event.kind == EventKind.EJECTED and event.params["victim"] - 1 in prey for event in gained)
        most = max(most, sum(_worth(event, had) for event in gained if event.kind == EventKind.COLLECTED))
    assert said["prey, to move"] == hits
    if not any(player.pawn != OFF and index != me for index, player in enumerate(state.players)):
        # A rival's pawn can only make it less: what lies under it is not collected, and there is no star under a pawn.
        assert said["reach, to move"] >= most - 1


def _worth(event: Event, had: tuple[int, ...]) -> int:
    """Return what an item brings who has these, each by itself: a star of an odd colour makes a pair."""
    item = "bypgowr".index(str(event.params["item"]))
    return 1 if item == 6 else 1 + had[item] % 2


def test_a_pawn_that_a_rival_can_enter_is_hunted():
    state = with_seat(with_seat(scene(), 1, pawn="2,5,S"), 2, pawn="3,5,S", loot="b1")
    assert seen(state, 1)["hunted"] == 1
    assert seen(state, 0)["prey, to move"] == 1
    far = with_seat(state, 2, pawn="9,5,S", loot="b1", hand="L", up="HDRW")
    assert seen(far, 1)["hunted"] == 0


def test_who_has_nothing_is_no_prey():
    state = with_seat(with_seat(scene(), 1, pawn="2,5,S"), 2, pawn="3,5,S")
    assert seen(state, 0)["prey, to move"] == 0


@given(number=st.integers(0, 200), whole=st.integers(1, 60))
@budget(60)
def test_knots_share_what_is_to_go(number, whole):
    (low, part), (high, rest) = between(number, whole)
    assert high == low + 1
    assert part + rest == pytest.approx(1)
    assert KNOTS[low] * part + KNOTS[high] * rest == pytest.approx(min(number / whole, 1))


def test_there_is_a_model_for_every_kind_of_game_with_the_command_that_made_it():
    data = stored()
    kinds = {key_of(count, expert=expert) for count in GRAVITY.seats for expert in (False, True)}
    assert data["weights"].keys() == data["commands"].keys() == kinds
    for key, rows in data["weights"].items():
        assert [len(row) for row in rows] == [len(FEATURES)] * len(KNOTS)
        count = int(key[0])
        assert f"--players {count} " in data["commands"][key]
        assert ("--expert" in data["commands"][key]) == key.endswith("x")


# --- Learning


def played(course: Course, number: int) -> list[State]:
    """Return the states of a quick game of two greedy players."""
    rng = Random(f"{course.seed}/{number}")
    state = GRAVITY.set_up(["Ada", "Bo"], {}, rng)
    found = []
    while not state.finished:
        found.append(state)
        state = rules.apply_turn(state, greedy_turn(state, rng))
    return [*found, state]


def samples_where(wins) -> list[Sample]:
    """Return positions of a few games, each won by the seat of which ``wins`` is told what is said, and says yes."""
    found = []
    for number in range(6):
        *before, _ = played(Course(2, expert=False, playouts=1, seed=5), number)
        for state in before:
            said = features(state)
            won = [wins(dict(zip(FEATURES, seat, strict=True))) for seat in said]
            if sum(won):
                shares: Chances = tuple(one / sum(won) for one in won)
                found.append(Sample(said, to_go(state), chances(state), shares))
    return found


def test_learning_finds_what_decided_the_games():
    nothing = [[0.0] * len(FEATURES) for _ in KNOTS]
    samples = samples_where(lambda seat: seat["holds W"] > 0)
    weights = learn.fit(samples, nothing, whole_game(2, expert=False), 20, Random(1))
    middle = dict(zip(FEATURES, weights[2], strict=True))
    assert max(middle, key=middle.__getitem__) == "holds W"


def test_a_learnt_game_ends_as_its_samples_say():
    samples = learn.play_game(Course(2, expert=False, playouts=1, seed=3), 1)
    assert samples
    assert all(sum(one.shares) == pytest.approx(1) for one in samples)
    assert {one.shares for one in samples} == {samples[0].shares}
    assert samples == learn.play_game(Course(2, expert=False, playouts=1, seed=3), 1)


def test_the_score_of_chances_is_the_mean_squared_error():
    sure = Sample([], 5, (1.0, 0.0), (1.0, 0.0))
    wrong = Sample([], 5, (0.75, 0.25), (0.0, 1.0))
    first, *rows = learn.calibration([sure, wrong])
    assert first == "Brier score 0.2812 (even chances: 0.2500), 2 positions"
    assert rows[0].split() == ["0-", "10", "%:", "1", "seats,", "said", "0.0", "%,", "won", "0.0", "%"]
    assert rows[2].split()[-2] == "0.0", "three quarters said, none won"
