"""Golden games on our own faces: they play to the very same positions and digests for ever."""

import json

import pytest

from engine.contract import Event
from engine.gravity.setup import our_faces
from engine.gravity.view import position
from tests.engine.command import run_here
from tests.engine.play import GOLDEN, GRAVITY, RECORDS, load, load_positions, states_of
from tests.records.make_golden import PLANS


def events_of(name: str) -> list[Event]:
    """Play a golden game through the contract and return all that happened."""
    record = load("golden", name)
    state = GRAVITY.read_setup(record)
    events: list[Event] = []
    for entry in record["log"]:
        leaves = "event" in entry
        applied = GRAVITY.retire(state, entry["seat"]) if leaves else GRAVITY.apply_turn(state, entry["turn"])
        state = applied.state
        events += applied.events
    return events


def test_every_planned_game_is_recorded():
    assert sorted(plan.name for plan in PLANS) == GOLDEN


@pytest.mark.parametrize("name", GOLDEN)
def test_a_golden_game_reaches_every_position_it_reached(name):
    assert [position(state) for state in states_of(load("golden", name))] == load_positions("golden", name)


@pytest.mark.parametrize("name", GOLDEN)
def test_a_golden_game_has_the_chain_it_had(name):
    record = load("golden", name)
    ran = run_here("verify", RECORDS / "golden" / f"{name}.record.json")
    assert (ran.status, ran.out) == (0, f"ok {len(record['log'])} {record['chain'][-1]}\n")
    assert len(record["chain"]) == len(record["log"]) + 1


@pytest.mark.parametrize("name", GOLDEN)
def test_a_golden_game_survives_a_dump_and_load_after_every_entry(name):
    record = load("golden", name)
    setup = json.loads(json.dumps(record | {"log": []}))
    for state in states_of(record):
        assert GRAVITY.load(setup, GRAVITY.dump(state)) == state


@pytest.mark.parametrize("name", GOLDEN)
def test_the_summary_of_a_golden_game_says_what_its_positions_say(name):
    for state, seen in zip(states_of(load("golden", name)), load_positions("golden", name), strict=True):
        summary = GRAVITY.summary(state)
        assert summary.seat == seen["seat"]
        assert (summary.finished, summary.round, summary.turns) == (seen["finished"], seen["round"], seen["turns"])
        assert (list(summary.points), list(summary.retired)) == (seen["points"], seen["retired"])
        assert summary.ranking == (tuple(seen["ranking"]) if seen["finished"] else None)


@pytest.mark.parametrize("name", GOLDEN)
def test_a_golden_game_ends_as_its_name_says(name):
    last = events_of(name)[-1]
    ends = {"last": "last-seat", "points": "points"}
    assert last.kind == "game_ended"
    assert last.params["why"] == ends.get(name.split("-")[0], "stars")


@pytest.mark.parametrize("goodie", ["P", "J", "T"])
def test_each_goodie_is_played_alone_in_a_golden_game_and_together_in_another(goodie):
    alone = next(name for name in GOLDEN if name.startswith(f"goodie-{goodie}"))
    for name in (alone, "goodies-PJT-6p"):
        steps = [step for entry in load("golden", name)["log"] for step in entry["turn"].split()]
        assert any(step[0] == goodie for step in steps)


def test_the_golden_games_show_every_kind_of_event():
    seen = {str(event.kind) for name in GOLDEN for event in events_of(name)}
    assert seen == {
        "placed", "laid", "passed", "cards_returned", "rotated", "tile_turned", "teleported", "moved", "fell",
        "wrapped", "collected", "ejected", "stole", "token_spent", "door_moved", "retired", "round_ended", "game_ended",
    }  # fmt: skip


def test_the_golden_games_use_our_faces_each_tile_once():
    names = set(our_faces())
    assert names == {f"{number}{side}" for number in range(1, 7) for side in "ab"}
    for name in GOLDEN:
        used = [tile["face"] for tile in load("golden", name)["board"]["tiles"]]
        assert set(used) <= names
        assert len({face[0] for face in used}) == len(used), "a tile has two sides and lies on the table once"
