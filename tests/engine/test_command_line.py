"""The command line as people meet it: help, positions, legal steps, verification, drawings."""

import json
import subprocess
import sys
from random import Random

import pytest

from engine.chain import canonical, chain_of
from engine.rulesets import RULESETS
from tests.another_game.engine import Acorns
from tests.engine.command import run_apart, run_here, written
from tests.engine.play import RECORDS, ROOM, drawn_on, load, load_positions, record_on

CASE = RECORDS / "cases" / "01-2p.record.json"


def test_without_arguments_the_help_is_printed():
    ran = run_apart()
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("usage: python -m engine")
    for command in ("positions", "legal", "verify", "show"):
        assert command in ran.out


def test_an_unknown_command_ends_with_status_2():
    ran = run_here("destroy", CASE)
    assert (ran.status, ran.out) == (2, "")
    assert "destroy" in ran.err


def test_positions_prints_a_json_line_after_set_up_and_after_each_entry():
    ran = run_here("positions", CASE)
    assert [json.loads(line) for line in ran.out.splitlines()] == load_positions("cases", "01-2p")


def test_legal_prints_the_next_steps_one_a_line(tmp_path):
    path = written(tmp_path, record_on((ROOM,)))
    assert run_here("legal", path).out.split("\n")[:4] == ["D", "H<", "L<", "R+"]
    assert run_here("legal", path, "S<(L)").out == ".\n"
    assert run_here("legal", path, "R+").out == ".\n"


def test_legal_prints_nothing_after_the_end():
    ran = run_here("legal", CASE)
    assert (ran.status, ran.out, ran.err) == (0, "", "")


def test_legal_refuses_a_step_that_is_not_legal_and_says_what_was(tmp_path):
    path = written(tmp_path, record_on((ROOM,)))
    assert run_here("legal", path, "S<(L)", "C").refusal() == "step 2 'C': turn-complete; legal: ."
    assert (
        run_here("legal", path, "no\nstep").refusal().startswith("step 1 'no\\nstep': unknown-step (text=no\\nstep); ")
    )
    assert run_here("legal", CASE, "C").refusal() == "step 1 'C': game-over; legal: nothing"


def test_verify_prints_ok_the_number_of_entries_and_the_last_digest():
    ran = run_here("verify", CASE)
    record = load("cases", "01-2p")
    assert ran.out == f"ok 54 {list(chain_of(record, record['log']))[-1]}\n"


def test_the_canonical_text_has_sorted_keys_no_blanks_and_unescaped_letters():
    assert canonical({"b": [1, None, True, 1.5], "a": {"é✓": "\n"}}) == '{"a":{"é✓":"\\n"},"b":[1,null,true,1.5]}'


def test_a_reader_that_has_had_enough_is_no_error():
    command = [sys.executable, "-m", "engine", "positions", str(RECORDS / "cases" / "13-5p.record.json")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_a_short_answer_to_a_closed_pipe_is_no_error_either():
    command = [sys.executable, "-m", "engine", "verify", str(CASE)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


# --- Drawings ----------------------------------------------------------------------------------------------------

STARRY = drawn_on(ROOM, x0y1="*", x1y1="*", x2y1="*", x0y2="*", x1y2="R")
ROOMS = record_on((drawn_on(STARRY, n2y4="-", w4y3="|"), ROOM), goodies={"2": "T"})


def test_show_draws_board_pawns_stars_doors_hands_and_loot(tmp_path):
    log = [{"seat": 1, "turn": "S<(L)"}, {"seat": 2, "turn": "H<"}]
    ran = run_here("show", written(tmp_path, ROOMS | {"log": log}))
    assert (
        ran.out
        == """\
     0   1   2   3   4   5   6   7   8   9   10  11
   +---+---+---+---+---+---+---+---+---+---+---+---+
 0 |                       |                       |
   +   +   +   +   +   +   +   +   +   +   +   +   +
 1 |b   y   p              |                       |
   +   +   +   +   +   +   +   +   +   +   +   +   +
 2 |g   O                  |                       |
   +   +   +   +   +   +   +   +   +   +   +   +   +
 3 |               |       |                       |
   +   +   +---+   +   +   +   +   +   +   +   +   +
 4 |                       |                       |
   +   +   +   +   +   +   +   +   +   +   +   +   +
 5 |                 1v  Ov|                 2v  ov|
   +---+---+---+---+---+---+---+---+---+---+---+---+

>1 P1          4,5,S   hand HDRW     up -     down L       0 points
 2 P2          10,5,S  hand LDRWT    up H     down -       0 points

round 2, turn 3, 5 stars left, 18 tokens in the supply, open door 0 at 5,5,S, feet S
"""
    )


def test_show_draws_any_entry_of_the_log_and_the_ranking_at_the_end():
    first = run_here("show", CASE, "--after", "0").out
    assert "off" in first
    assert "round 1, turn 1, 23 stars left, 18 tokens in the supply" in first
    last = run_here("show", CASE).out
    assert last == run_here("show", CASE, "--after", "54").out
    assert "place 1" in last
    assert last.rstrip().endswith(", over")


@pytest.mark.parametrize("number", ["55", "-1", "1000000000000"])
def test_show_refuses_an_entry_that_is_not_there(number):
    assert run_here("show", CASE, f"--after={number}").refusal() == "--after must be 0 to 54"


def test_show_marks_retired_seats_and_a_name_can_not_break_its_line(tmp_path):
    record = record_on((ROOM,), players=3) | {
        "players": ["A\n\x1b[2J", "B", "C"],
        "log": [{"seat": 2, "event": "retire"}],
    }
    ran = run_here("show", written(tmp_path, record))
    assert "1 A\\n\\x1b[2J" in ran.out
    assert [line for line in ran.out.splitlines() if line.endswith(" retired")] == [
        " 2 B           off     hand LHDRW    up -     down -       0 points  retired"
    ]


def test_show_draws_a_covered_replay_symbol_as_a_capital_and_a_bare_one_as_a_star(tmp_path):
    face = drawn_on(STARRY, x4y5="R", x5y5=" ", x0y5="v")
    log = [{"seat": 1, "turn": "L>"}, {"seat": 2, "turn": "R="}, {"seat": 1, "turn": "WL>"}]
    record = record_on((face, ROOM), stars={(4, 5): "w"})
    assert " 5 | Ov             W  " in run_here("show", written(tmp_path, record)).out
    assert " 5 | Ov             *1v" in run_here("show", written(tmp_path, record | {"log": log})).out


@pytest.fixture
def acorns(monkeypatch):
    monkeypatch.setitem(RULESETS, "acorns-1", Acorns())
    return RULESETS["acorns-1"]


def test_records_of_every_registered_game_are_read_by_their_format(acorns, tmp_path):
    rng = Random(3)
    state, log, views = acorns.set_up(["A", "B"], {}, rng), [], []
    while not acorns.summary(state).finished:
        views.append(acorns.view(state, None, ended=True))
        log.append({"seat": acorns.summary(state).seat, "turn": acorns.choose_turn("careful", state, rng)})
        state = acorns.apply_turn(state, log[-1]["turn"]).state
    record = acorns.write_record(state, log)
    path = written(tmp_path, record)
    *_, digest = chain_of(record, log)
    assert run_here("verify", path).out == f"ok {len(log)} {digest}\n"
    assert list(map(json.loads, run_here("positions", path).out.splitlines())) == [*views, acorns.view(state, None)]
    path = written(tmp_path, record | {"log": []})
    assert run_here("legal", path).out.split() == sorted(acorns.legal_steps(acorns.read_setup(record)))


def test_records_of_every_registered_game_are_refused_with_the_reasons_of_its_rules(acorns, tmp_path):
    record = acorns.write_record(acorns.set_up(["A", "B"], {}, Random(3)))
    path = written(tmp_path, record)
    assert "step 1 'x1': action-first; legal: " in run_here("legal", path, "x1").refusal()
    assert run_here("show", path).refusal() == "there are no drawings of acorns/1"
    path = written(tmp_path, record | {"log": [{"seat": 1, "turn": "d x10"}]})
    assert "entry 1, step 2 'x10': unknown-step (text=x10); legal: " in run_here("verify", path).refusal()
    path = written(tmp_path, record | {"log": [{"seat": 5, "event": "retire"}]})
    assert run_here("verify", path).refusal() == "entry 1: seat must be 1 or 2 or 3 or 4"
    path = written(tmp_path, record | {"format": "acorns/2"})
    known = " or ".join(f"'{rules.format}'" for rules in RULESETS.values())
    assert run_here("verify", path).refusal() == f"format is 'acorns/2', not {known}"
