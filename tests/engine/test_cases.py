"""The given games: the position after every entry, and the legal steps at chosen points."""

import json
import subprocess
import sys

import pytest

from engine.gravity.rules import legal_steps
from engine.gravity.view import position
from tests.engine.play import CASES, RECORDS, case_states, load, load_positions

LEGAL = [
    pytest.param(name, number, id=f"{name}-{number}")
    for name in CASES
    if (RECORDS / "cases" / f"{name}.legal.json").exists()
    for number in range(len(json.loads((RECORDS / "cases" / f"{name}.legal.json").read_text())))
]


def run_engine(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "engine", *arguments], capture_output=True, text=True, check=False, timeout=60
    )


def test_all_27_given_games_are_here():
    assert len(CASES) == 27
    assert len(LEGAL) > 200


@pytest.mark.parametrize("name", CASES)
def test_every_position_of_a_given_game_is_reached(name):
    assert [position(state) for state in case_states(name)] == load_positions("cases", name)


@pytest.mark.parametrize(("name", "number"), LEGAL)
def test_the_legal_steps_of_a_given_game_are_exactly_these(name, number):
    case = json.loads((RECORDS / "cases" / f"{name}.legal.json").read_text())[number]
    assert sorted(legal_steps(case_states(name)[case["after"]], case["steps"])) == sorted(case["legal"])


@pytest.mark.parametrize("name", ["01-2p", "15-5p-goodies-PJT", "24-4p-expert-goodies-PT-retire"])
def test_the_command_line_prints_every_position_of_a_given_game(name):
    done = run_engine("positions", str(RECORDS / "cases" / f"{name}.record.json"))
    assert (done.returncode, done.stderr) == (0, "")
    assert [json.loads(line) for line in done.stdout.splitlines()] == load_positions("cases", name)


@pytest.mark.parametrize("name", ["03-2p-goodies-PJT", "12-4p-retire"])
def test_the_command_line_prints_the_legal_steps_of_a_given_game(name, tmp_path):
    record = load("cases", name)
    case = json.loads((RECORDS / "cases" / f"{name}.legal.json").read_text())[-1]
    path = tmp_path / "record.json"
    path.write_text(json.dumps(record | {"log": record["log"][: case["after"]]}))
    done = run_engine("legal", str(path), *case["steps"])
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == sorted(case["legal"])


@pytest.mark.parametrize("name", ["02-2p-expert", "23-3p-goodies-T-retire"])
def test_the_command_line_verifies_a_given_game(name):
    done = run_engine("verify", str(RECORDS / "cases" / f"{name}.record.json"))
    ok, entries, digest = done.stdout.split()
    assert (done.returncode, ok, entries, len(digest)) == (0, "ok", str(len(load("cases", name)["log"])), 64)
