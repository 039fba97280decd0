"""The pictures of the rules page: each example is played, and its words are what happens."""

import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

from engine.contract import Event
from engine.errors import RulesError
from engine.gravity.board import CLOCKWISE
from games.presenters.gravity.guide import CHAPTERS, EXAMPLE_WORDS, LEGEND_WORDS, TURN_WORDS, guide
from games.presenters.gravity.pieces import whole_sprite
from games.presenters.gravity.scenes import EXAMPLES, LEGEND, TURN, TURN_PARTS, TURN_STEPS
from games.presenters.gravity.space import parse_pawn
from games.presenters.gravity.stage import RULES, follow, parts_of


def refusal_of(name: str) -> tuple[str, object]:
    scene = EXAMPLES[name]
    with pytest.raises(RulesError) as refused:
        scene.stage.play(scene.steps or ())
    return refused.value.code, tuple(refused.value.params.values())


def played(name: str) -> tuple[list[str | None], list[tuple[str, int]]]:
    """Return where the pawns end, and what happened to whom."""
    scene = EXAMPLES[name]
    view, events = scene.stage.play(scene.steps or ())
    return view["pawns"], [(event.kind, event.seat or 0) for event in events]


@pytest.mark.parametrize(
    ("name", "start", "where"),
    [
        ("long-near", "3,3,S", (3, 3, "E")),
        ("long-far", "2,3,S", (3, 3, "E")),
        ("high-up", "1,3,S", (1, 3, "N")),
        ("high-aside", "3,3,S", (3, 2, "E")),
    ],
)
def test_a_jump_is_refused_where_the_picture_crosses_it_out(name: str, start: str, where: tuple[int, int, str]) -> None:
    assert EXAMPLES[name].stage.pawns[0] == start
    assert refusal_of(name) == ("blocked", where)


def test_the_way_up_is_free_where_only_the_way_aside_is_blocked() -> None:
    state = EXAMPLES["high-aside"].stage.state()
    assert RULES.why_not(state, "H<") is None
    assert RULES.why_not(state, "H>") is not None


def test_the_jump_from_the_corner_goes_around_the_board_three_times() -> None:
    pawns, events = played("corner")
    assert [kind for kind, _seat in events] == ["laid", "wrapped", "moved", "wrapped", "moved", "wrapped", "fell"]
    assert pawns[0] == "11,0,S"


@pytest.mark.parametrize("name", ["doors-2", "doors-4", "doors-6"])
def test_the_open_door_moves_on_in_the_order_of_the_numbers(name: str) -> None:
    stage = EXAMPLES[name].stage
    view = stage.view()
    order = CLOCKWISE[view["columns"], view["rows"]]
    assert view["open_door"] == order[0]
    seen = [order[0]]
    state = stage.state()
    for _seat in range(stage.seats - 1):
        state = RULES.apply_turn(state, "R+").state
        seen.append(state.door)
    taken = set(order[: stage.seats - 1])
    assert all(order.index(after) == order.index(before) + 1 for before, after in pairwise(seen) if after not in taken)
    words = {"doors-2": [0, 1], "doors-4": [0, 1, 3, 2], "doors-6": [0, 1, 2, 5, 4, 3]}
    assert list(order) == words[name]


def test_a_door_on_which_somebody_stands_is_passed_over() -> None:
    scene = EXAMPLES["doors-skipped"]
    view, events = scene.stage.play(())
    second, third = (CLOCKWISE[2, 2][place] for place in (1, 2))
    assert (view["pawns"][0], view["pawns"][1]) == (view["doors"][0], view["doors"][second])
    assert events[-1].params["to"] == view["open_door"] == third


def test_a_theft_of_a_second_star_makes_a_pair() -> None:
    scene = EXAMPLES["theft"]
    before, (after, events) = scene.stage.view(), scene.stage.play(scene.steps or ())
    assert [event.kind for event in events] == ["laid", "moved", "fell", "fell", "ejected", "stole"]
    assert (before["loot"][0], after["loot"][0]) == ("y1", "y2")
    assert (before["points"][0], after["points"][0]) == (1, 3)


def test_a_turned_tile_takes_who_turns_it_along_and_leaves_another_hanging() -> None:
    scene = EXAMPLES["tile"]
    before, (after, events) = scene.stage.view(), scene.stage.play(scene.steps or ())
    assert (parse_pawn(before["pawns"][0] or "")[2], parse_pawn(after["pawns"][0] or "")[2]) == ("S", "W")
    assert "fell" not in [event.kind for event in events]
    assert (before["pawns"][1], after["pawns"][1]) == ("4,5,S", "0,4,W")
    assert "0,4,W" not in after["platforms"]


def test_the_eight_pictures_of_a_turn_show_what_their_words_say() -> None:
    view, events = TURN.play(TURN_STEPS)
    kinds = [[event.kind for event in part] for part in parts_of(events, TURN_PARTS)]
    assert kinds == [
        ["placed"],
        ["door_moved"],
        ["laid", "moved", "moved"],
        ["collected"],
        ["fell", "fell", "collected"],
        ["token_spent"],
        ["laid", "moved", "fell", "ejected"],
        ["stole"],
    ]
    assert len(kinds) == len(TURN_WORDS)
    assert view["pawns"][1] is None
    assert RULES.legal_steps(TURN.state(), TURN_STEPS) == (".",)


def test_who_follows_the_events_of_a_turn_comes_to_its_position() -> None:
    after, events = TURN.play(TURN_STEPS)
    followed = follow(TURN.view(), events)
    for name in ("pawns", "stars", "open_door"):
        assert followed[name] == after[name]


def test_a_picture_refers_to_nothing_but_the_symbols_of_its_page() -> None:
    shown = guide()
    pictures = [*shown.legend, *shown.turn, *(one for chapter in shown.examples.values() for one in chapter)]
    drawings = "".join(drawing for picture in pictures for drawing in picture.drawings)
    ET.fromstring(f"<svg>{drawings}</svg>")
    known = re.findall(r' id="([^"]*)"', whole_sprite() + drawings)
    assert len(known) == len(set(known))
    assert set(re.findall(r'href="#([^"]*)"', drawings)) <= set(known)


def test_every_example_and_every_thing_on_the_board_has_words() -> None:
    assert sorted(name for names in CHAPTERS.values() for name in names) == sorted(EXAMPLES) == sorted(EXAMPLE_WORDS)
    assert LEGEND.keys() <= LEGEND_WORDS.keys()
    assert len(guide().legend) == len(LEGEND_WORDS) + 6


def test_events_are_parted_without_a_rest() -> None:
    events = [Event("fell", 1, {}) for _event in range(3)]
    assert [len(part) for part in parts_of(events, (2, 1))] == [2, 1]
