"""What docs/record.md says is true of the code."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from engine.gravity.board import parse_face
from engine.gravity.notation import STEPS, format_turn, parse_turn
from engine.gravity.setup import our_faces
from engine.gravity.state import CARDS, ITEMS
from engine.gravity.view import position
from tests.engine.command import run_here, written
from tests.engine.play import GRAVITY, states_of

PAGE = (Path(__file__).parents[2] / "docs" / "record.md").read_text("utf-8")


def section(title: str) -> str:
    """Return the text under a heading of the second level."""
    _, _, rest = PAGE.partition(f"\n## {title}\n")
    assert rest, title
    return rest.partition("\n## ")[0]


def drawn(title: str, language: str = "") -> str:
    """Return the first block of code in a section."""
    block = re.search(rf"^```{language}\n(.*?)\n```$", section(title), re.MULTILINE | re.DOTALL)
    assert block is not None, title
    return block[1]


def first_column(title: str) -> list[str]:
    """Return what is written as code in the first column of a section's table."""
    rows = re.findall(r"^\| (`.*?`) \|", section(title), re.MULTILINE)
    return [code for row in rows for code in re.findall("`(.+?)`", row)]


RECORD: dict[str, Any] = json.loads(drawn("Records", "json"))
POSITION: dict[str, Any] = json.loads(drawn("Positions", "json"))


def test_the_example_turn_is_read_and_written() -> None:
    turn = "H< x2b & S>(D)"
    assert f"`{turn}`" in section("Steps and turns")
    assert format_turn(parse_turn(turn)) == turn


@pytest.mark.parametrize("step", first_column("Steps and turns"))
def test_each_step_of_the_table_is_a_step(step: str) -> None:
    assert step in STEPS


def test_the_table_has_every_step_but_for_other_cards_seats_and_items() -> None:
    def example(step: str) -> str:
        return re.sub(r"\(.\)", "(L)", re.sub(r"x\d.", "x2b", step))

    assert sorted(first_column("Steps and turns")) == sorted({example(step) for step in STEPS})


def test_every_card_and_every_item_is_named() -> None:
    assert set(CARDS) | set(ITEMS) <= set(re.findall("`(.)`", section("Steps and turns")))


def test_the_example_record_is_verified_with_its_chain(tmp_path: Path) -> None:
    ran = run_here("verify", written(tmp_path, RECORD))
    assert (ran.status, ran.out) == (0, f"ok {len(RECORD['log'])} {RECORD['chain'][-1]}\n")


def test_the_example_record_has_all_keys_and_the_page_names_them() -> None:
    state = GRAVITY.read_setup(RECORD)
    assert GRAVITY.write_record(state, RECORD["log"]) | {"chain": RECORD["chain"]} == RECORD
    named = re.findall("`([a-z_]+)`", section("Records"))
    keys = {*RECORD, *RECORD["board"], *(key for entry in RECORD["log"] for key in entry), "redacted"}
    assert keys - {"format", "board"} <= set(named)


def test_the_example_face_is_face_3b_as_the_engine_draws_it() -> None:
    assert "This is face 3b" in section("Drawings of faces")
    face = tuple(drawn("Drawings of faces").split("\n"))
    assert face == our_faces()["3b"]
    assert len(parse_face(face).symbols) == 13


@pytest.mark.parametrize("command", [command.split()[0] for command in first_column("Command line")[1:]])
def test_each_command_of_the_table_exists(command: str) -> None:
    ran = run_here(command, "--help")
    assert (ran.status, ran.out.split("\n")[0].startswith(f"usage: python -m engine {command} ")) == (0, True)


def test_the_table_has_every_command() -> None:
    usage = run_here().out
    commands = re.findall(r"^    (\w+) ", usage, re.MULTILINE)
    assert [command.split()[0] for command in first_column("Command line")[1:]] == commands


def test_the_example_position_is_the_one_after_the_second_entry() -> None:
    assert "position after the second entry" in section("Positions")
    assert position(states_of(RECORD)[2]) == POSITION


def test_the_table_lists_the_keys_of_a_position_and_no_others() -> None:
    last = position(states_of(RECORD)[-1])
    assert sorted(first_column("Positions")) == sorted(last)
    assert last.keys() - POSITION.keys() == {"ranking"}
