"""What moves on the board when an entry of the log is played: each kind of event, and the ends of whole games."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.contract import Event, JsonObject
from engine.gravity.events import EventKind
from engine.rulesets import RULESETS
from games.presenters.gravity.acts import LONGEST, REST, acts_of
from games.presenters.gravity.presenter import GravityPresenter
from games.presenters.gravity.space import ROTATIONS, centre, parse_pawn
from games.presenters.gravity.view import GravityView, read_view
from tests.flows.play import random_turn

RULES = RULESETS["gravity-1"]
UNSEEN = {EventKind.LAID, EventKind.PASSED, EventKind.CARDS_RETURNED}
"""What happens to cards is said, and not shown on the board."""


def view_of(size: int = 2, **more: Any) -> GravityView:
    state = RULES.set_up([f"P{number}" for number in range(size)], RULES.check_options({}, size), Random(1))
    view: JsonObject = {**RULES.view(state, None), "pawns": ["2,1,S", "5,5,N", *[None] * (size - 2)], **more}
    return read_view(view)


def played(
    *events: tuple[str, dict[str, Any]], view: GravityView | None = None, after: GravityView | None = None
) -> Any:
    """Return the acts of events of the first seat, without times and the rest."""
    view = view or view_of()
    acts = acts_of([Event(kind, 1, params) for kind, params in events], view, after or view)
    return [{key: value for key, value in act.items() if key not in {"wait", "ms"}} for act in acts[:-1]]


CASES: dict[EventKind, tuple[list[tuple[str, dict[str, Any]]], list[dict[str, Any]]]] = {
    EventKind.PLACED: (
        [("placed", {"x": 3, "y": 0, "feet": "W"})],
        [{"kind": "place", "seat": 1, "x": 160, "y": 40, "turn": 90}],
    ),
    EventKind.TELEPORTED: (
        [("teleported", {"x": 3, "y": 0, "feet": "N"})],
        [{"kind": "teleport", "seat": 1, "x": 160, "y": 40, "turn": 180}],
    ),
    EventKind.ROTATED: ([("rotated", {"feet": "E", "how": "-"})], [{"kind": "rotate", "seat": 1, "turn": -90}]),
    EventKind.MOVED: (
        [("moved", {"x": 3, "y": 1, "how": "walk"})],
        [{"kind": "move", "seat": 1, "x": 160, "y": 80, "first": False}],
    ),
    EventKind.FELL: (
        [("fell", {"x": 2, "y": 2}), ("fell", {"x": 2, "y": 3})],
        [
            {"kind": "fall", "seat": 1, "x": 120, "y": 120, "first": True},
            {"kind": "fall", "seat": 1, "x": 120, "y": 160, "first": False},
        ],
    ),
    EventKind.WRAPPED: (
        [("wrapped", {"side": "W"}), ("fell", {"x": 11, "y": 1})],
        [{"kind": "wrap", "seat": 1, "out": [80, 80], "into": [520, 80], "x": 480, "y": 80}],
    ),
    EventKind.COLLECTED: (
        [("collected", {"item": "b", "x": 4, "y": 4}), ("collected", {"item": "r", "x": 5, "y": 4})],
        [
            {"kind": "collect", "symbol": "star-b", "at": "4,4", "x": 200, "y": 200},
            {"kind": "collect", "symbol": "token", "at": "", "x": 240, "y": 200},
        ],
    ),
    EventKind.EJECTED: (
        [("ejected", {"victim": 2, "x": 5, "y": 5})],
        [{"kind": "eject", "seat": 2, "x": 240, "y": 360}],
    ),
    EventKind.STOLE: (
        [("ejected", {"victim": 2, "x": 5, "y": 5}), ("stole", {"victim": 2, "item": "g"})],
        [
            {"kind": "eject", "seat": 2, "x": 240, "y": 360},
            {"kind": "steal", "symbol": "star-g", "from": [240, 200], "x": 120, "y": 80},
        ],
    ),
    EventKind.TOKEN_SPENT: ([("token_spent", {})], [{"kind": "spend", "symbol": "token", "x": 120, "y": 80}]),
    EventKind.RETIRED: ([("retired", {})], [{"kind": "leave", "seat": 1}]),
    EventKind.ROUND_ENDED: ([("round_ended", {"round": 3})], [{"kind": "round"}]),
    EventKind.GAME_ENDED: ([("game_ended", {"why": "stars"})], [{"kind": "end"}]),
    EventKind.LAID: ([("laid", {"card": "H", "face_up": True})], []),
    EventKind.PASSED: ([("passed", {"card": "P", "to": 2})], []),
    EventKind.CARDS_RETURNED: ([("cards_returned", {"count": 2, "why": "complete"})], []),
}


@pytest.mark.parametrize("kind", CASES)
def test_what_is_seen_of_an_event(kind: EventKind) -> None:
    events, acts = CASES[kind]
    assert played(*events) == acts


def test_the_open_door_goes_where_the_next_one_is() -> None:
    view = view_of()
    x, y, feet = parse_pawn(view["doors"][1])
    place: dict[str, Any] = dict(zip("xy", centre(x, y), strict=True))
    place |= {"kind": "door", "turn": ROTATIONS[feet]}
    assert played(("door_moved", {"from": 0, "to": 1}), view=view) == [place]


def test_a_turned_tile_takes_pawns_and_stars_along_and_shows_its_new_face() -> None:
    stars = ["." * 12] * 6
    before = view_of(stars=["b" + "." * 11, *stars[1:]], open_door=1)
    (act,) = played(("tile_turned", {"tile": 0, "how": "+"}), view=before)
    assert act["kind"] == "turn-tile"
    assert (act["left"], act["top"], act["side"], act["by"]) == (20, 20, 240, 90)
    assert act["seats"] == [
        {"seat": 1, "x": 200, "y": 120, "turn": 90},
        {"seat": 2, "x": 40, "y": 240, "turn": 270},
    ]
    assert act["stars"] == [{"from": "0,0", "to": "5,0", "x": 240, "y": 40}]
    assert act["door"]["along"] is False
    assert act["still"].startswith('<g class="still">')


def test_every_kind_of_event_has_a_case() -> None:
    assert set(EventKind) - CASES.keys() == {EventKind.TILE_TURNED, EventKind.DOOR_MOVED}
    assert {kind for kind, (_, acts) in CASES.items() if not acts} == UNSEEN


def test_a_figure_goes_on_turning_the_way_it_does() -> None:
    quarter = ("rotated", {"feet": "S", "how": "+"})
    assert [act["turn"] for act in played(*[quarter] * 5)] == [90, 180, 270, 360, 450]


def test_a_fall_is_faster_with_each_space_also_past_what_is_collected_on_the_way() -> None:
    events: list[tuple[str, dict[str, Any]]] = [("fell", {"x": 2, "y": y}) for y in range(2, 6)]
    events.insert(2, ("collected", {"item": "b", "x": 2, "y": 3}))
    acts = acts_of([Event(kind, 1, params) for kind, params in events], view_of(), view_of())
    waits: list[Any] = [act["wait"] for act in acts if act["kind"] == "fall"]
    assert waits == sorted(waits, reverse=True)
    assert len(set(waits)) == 4


# Whole games


def where_acts_lead(acts: Sequence[Any], before: GravityView) -> list[tuple[int, int, int] | None]:
    """Return point and degrees of each pawn as a script that knows no rules has them at the end."""
    pawns: dict[int, tuple[int, int, int]] = {}
    for seat, pawn in enumerate(before["pawns"], start=1):
        if pawn is not None:
            x, y, feet = parse_pawn(pawn)
            pawns[seat] = (*centre(x, y), ROTATIONS[feet])
    for act in acts:
        for moved in act["seats"] if act["kind"] == "turn-tile" else [act]:
            if act["kind"] in {"eject", "leave"}:
                del pawns[act["seat"]]
            elif "seat" in moved:
                x, y, turn = pawns.get(moved["seat"], (0, 0, 0))
                pawns[moved["seat"]] = (moved.get("x", x), moved.get("y", y), moved.get("turn", turn))
    ends = [pawns.get(seat) for seat in range(1, len(before["pawns"]) + 1)]
    return [None if end is None else (end[0], end[1], end[2] % 360) for end in ends]


def where_pawns_stand(view: GravityView) -> list[tuple[int, int, int] | None]:
    places = [None if pawn is None else parse_pawn(pawn) for pawn in view["pawns"]]
    return [None if place is None else (*centre(*place[:2]), ROTATIONS[place[2]]) for place in places]


def stars_left(acts: Sequence[Any], before: GravityView) -> set[str]:
    """Return the spaces where the script still has a star at the end."""
    stars = {f"{x},{y}" for y, row in enumerate(before["stars"]) for x, star in enumerate(row) if star != "."}
    for act in acts:
        if act["kind"] == "collect" and act["at"]:
            stars.remove(act["at"])
        if act["kind"] == "turn-tile":
            stars -= {star["from"] for star in act["stars"]}
            stars |= {star["to"] for star in act["stars"]}
    return stars


def cards_in(value: Any) -> bool:
    """Return whether a card has its name, or the place of one, anywhere in acts."""
    return any(set(act) & {"card", "face_up", "to"} for act in value)


@given(st.integers(min_value=0, max_value=2**32), st.integers(min_value=2, max_value=6), st.sampled_from(["", "PJT"]))
def test_the_acts_of_every_entry_end_where_the_next_position_stands(seed: int, size: int, goodies: str) -> None:
    rng, names = Random(seed), [f"P{number}" for number in range(size)]
    state = RULES.set_up(names, RULES.check_options({"goodies": goodies} if goodies else {}, size), rng)
    for _entry in range(25):
        summary = RULES.summary(state)
        if summary.finished:
            break
        seat, turn = summary.seat or 0, ""
        if rng.random() < 0.03:
            applied = RULES.retire(state, seat)
        else:
            turn = random_turn(state, rng)
            applied = RULES.apply_turn(state, turn)
        before, after = RULES.view(state, None), RULES.view(applied.state, None)
        events, turn = RULES.view_events(applied.events, None), RULES.view_turn(turn, own=False)
        film = GravityPresenter().play(events, turn, names, before, after)
        state = applied.state
        acts: Any = film.acts
        old, new = read_view(before), read_view(after)
        assert where_acts_lead(acts, old) == where_pawns_stand(new)
        assert stars_left(acts, old) == stars_left((), new)
        assert not cards_in(acts)
        assert film.captions == GravityPresenter().narrate(events, turn, names)
        assert [act["upto"] for act in acts if act["kind"] == "caption"][-1:] == [len(film.captions)]
        assert 1_000 <= sum(act["wait"] for act in acts) <= LONGEST + REST
