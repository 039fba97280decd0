"""Hidden cards stay hidden: whoever may not know them sees the same, whatever they are."""

from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine.contract import Event
from engine.gravity import rules
from engine.gravity.board import COMPASS
from engine.gravity.state import BASE, CARDS, GOODIES, Player, State, cards_text
from engine.gravity.view import known_to, position
from tests.engine.play import CASES, GRAVITY, budget, case_states, random_states, random_turn, scene, states, with_seat


def other_hidden_cards(state: State, index: int) -> list[State]:
    """Return every state that differs from this one only in which cards lie face down before a seat."""
    player = state.players[index]
    free = [1 << i for i in range(5) if not player.face_up >> i & 1]
    found = []
    for chosen in combinations(free, player.face_down.bit_count()):
        down = sum(chosen)
        hand = BASE & ~player.face_up & ~down | player.hand & GOODIES
        changed = Player(player.pawn, hand, player.face_up, down, player.loot)
        found.append(replace(state, players=(*state.players[:index], changed, *state.players[index + 1 :])))
    return found


@budget(60)
@given(states(), st.data())
def test_states_that_differ_only_in_hidden_cards_look_the_same_to_everyone_else(state, data):
    if state.finished:
        return
    index = data.draw(st.integers(0, len(state.players) - 1))
    viewers = [None, *(seat for seat in range(1, len(state.players) + 1) if seat != index + 1)]
    for other in other_hidden_cards(state, index):
        for viewer in viewers:
            assert GRAVITY.view(other, viewer) == GRAVITY.view(state, viewer)
            assert known_to(other, viewer) == known_to(state, viewer)
            if viewer == state.seat + 1:
                assert rules.legal_steps(other) == rules.legal_steps(state)


@budget(60)
@given(states(), st.integers(0, 2**32))
def test_events_of_a_turn_are_the_same_for_others_whatever_card_was_laid_face_down(state, seed):
    if state.finished:
        return
    steps = random_turn(state, Random(seed))
    for i, step in enumerate(steps):
        if step[0] != "S" or step[3] in "PJT":
            continue
        for other in (f"{step[:3]}{card})" for card in "LHDRW"):
            if rules.why_not(state, other, steps[:i]) is not None:
                continue
            one = GRAVITY.play_steps(state, [*steps[:i], step])
            two = GRAVITY.play_steps(state, [*steps[:i], other])
            for viewer in [None, *(seat for seat in range(1, len(state.players) + 1) if seat != state.seat + 1)]:
                assert GRAVITY.view_events(one.events, viewer) == GRAVITY.view_events(two.events, viewer)
                assert GRAVITY.view(one.state, viewer) == GRAVITY.view(two.state, viewer)
            assert GRAVITY.view_events(one.events, state.seat + 1) == one.events
            turns = " ".join([*steps[:i], step]), " ".join([*steps[:i], other])
            assert GRAVITY.view_turn(turns[0], own=False) == GRAVITY.view_turn(turns[1], own=False)


def test_others_read_a_simple_move_with_its_card_hidden_and_its_own_seat_reads_all():
    turn = "S<(L) x2b & WH>"
    assert GRAVITY.view_turn(turn, own=False) == "S<(?) x2b & WH>"
    assert GRAVITY.view_turn(turn, own=True) == turn


def test_r13_others_read_which_goodie_was_laid_as_a_simple_move():
    assert GRAVITY.view_turn("S<(P) & S>(L)", own=False) == "S<(P) & S>(?)"
    for card in cards_text(GOODIES):
        turn = f"S>({card})"
        state = with_seat(scene(goodies={"1": card}), 1, pawn="3,5,S")
        applied = GRAVITY.apply_turn(state, turn)
        assert GRAVITY.view_turn(turn, own=False) == turn
        assert GRAVITY.view(applied.state, None)["face_down"] == ["", ""], "nothing lies in front"
        assert GRAVITY.view(applied.state, None)["hands"][1].endswith(card)


def test_r13_a_hidden_hand_shows_its_number_of_cards_then_its_goodies():
    state = with_seat(scene(goodies={"2": "PT"}), 2, hand="HWPT", up="L", down="DR")
    seen = GRAVITY.view(state, 1)
    assert seen["hands"] == ["LHDRW", "??PT"]
    assert (seen["face_up"], seen["face_down"]) == (["", "L"], ["", "??"])
    own = GRAVITY.view(state, 2)
    assert (own["hands"], own["face_down"]) == (["LHDRW", "HWPT"], ["", "DR"])
    assert GRAVITY.view(state, None)["hands"] == ["LHDRW", "??PT"]


def test_a_hand_is_open_while_nothing_lies_face_down():
    state = with_seat(scene(), 2, hand="HDRW", up="L")
    assert GRAVITY.view(state, None)["hands"] == ["LHDRW", "HDRW"]


def test_everyone_sees_the_whole_position_once_the_game_is_over():
    for name in CASES:
        last = case_states(name)[-1]
        for viewer in (None, 1, 2):
            seen = GRAVITY.view(last, viewer)
            assert last.finished
            assert {key: seen[key] for key in position(last)} == position(last)


@budget(30)
@given(states())
def test_a_view_has_all_of_a_position_and_the_fixed_part_of_the_board(state):
    seen: dict[str, Any] = GRAVITY.view(state, state.seat + 1)
    assert seen.keys() - position(state).keys() == GRAVITY.drawing
    assert len(seen["doors"]) == len(seen["faces"]) == seen["columns"] * seen["rows"]
    assert {(x, y, d) for x, y, d in (p.split(",") for p in seen["platforms"])} == {
        (str(space % state.board.width), str(space // state.board.width), COMPASS[d])
        for space in range(len(state.cells))
        for d in (0, 3)
        if state.board.blocked[4 * space + d]
    }


@budget(40)
@given(states(), st.integers(0, 2**32))
def test_what_a_seat_knows_could_be_so_and_lets_it_play_its_own_turns(state, seed):
    if state.finished:
        return
    known = known_to(state, state.seat + 1)
    assert GRAVITY.view(known, state.seat + 1) == GRAVITY.view(state, state.seat + 1)
    for player in known.players:
        assert (player.hand & BASE) | player.face_up | player.face_down == BASE
        assert player.hand & (player.face_up | player.face_down) == player.face_up & player.face_down == 0
    turn = " ".join(random_turn(known, Random(seed)))
    rules.apply_turn(state, turn)


def test_the_random_player_plays_legal_turns_and_is_decided_by_its_chance():
    state = case_states("15-5p-goodies-PJT")[20]
    turns = {GRAVITY.choose_turn("random", state, Random(seed)) for seed in range(20)}
    assert len(turns) > 5
    assert GRAVITY.choose_turn("random", state, Random(7)) == GRAVITY.choose_turn("random", state, Random(7))
    for turn in turns:
        GRAVITY.apply_turn(state, turn)


def test_a_card_returned_to_the_hand_names_only_how_many_came_back():
    rng = Random(1)
    seen = set()
    for state in random_states(case_states("09-4p")[0], rng, 40):
        if state.finished:
            break
        for event in GRAVITY.apply_turn(state, " ".join(random_turn(state, rng))).events:
            if event.kind == "cards_returned":
                assert event.params.keys() == {"count", "why"}
                seen.add(event.params["why"])
            assert_no_card(event)
    assert seen == {"complete", "ejected", "empty"}


def assert_no_card(event: Event) -> None:
    """Only cards that lie face up or are given on are named to a guest."""
    shown = GRAVITY.view_events([event], None)[0].params.get("card")
    assert shown is None or event.kind == "passed" or (event.kind == "laid" and event.params["face_up"])
    assert shown is None or shown in CARDS


@budget(60)
@given(states())
def test_nothing_is_hidden_in_any_position_of_a_game_that_has_ended(state):
    whole = position(state)
    for viewer in (None, *range(1, len(state.players) + 1)):
        assert GRAVITY.view(state, viewer, ended=True).items() >= whole.items()
