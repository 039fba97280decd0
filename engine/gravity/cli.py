"""Positions, legal steps, checks and drawings of records, for people and other programs."""

import argparse
import json
import os
import sys
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Final, NoReturn

from engine.chain import chain_of
from engine.contract import Json
from engine.errors import RecordError, RulesError
from engine.gravity.record import read_log, read_setup, replay
from engine.gravity.rules import legal_steps
from engine.gravity.setup import first_state
from engine.gravity.show import drawing
from engine.gravity.state import State
from engine.gravity.view import position

MAX_BYTES: Final = 4 << 20
"""A larger file is refused unread: the longest allowed log is far smaller."""
FAILED: Final = 2


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status: 0, or 2 with one line on standard error."""
    parser = _parser()
    if not arguments:
        parser.print_help()
        return 0
    options = parser.parse_args(arguments)
    try:
        return int(options.run(options))
    except RecordError as error:
        print(f"{options.record}: {error}", file=sys.stderr)
        return FAILED
    except BrokenPipeError:
        # The reader has had enough, as with `| head`; a second error at exit would only confuse.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m engine", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    positions = commands.add_parser("positions", help="print the position after set-up and after each log entry")
    positions.set_defaults(run=_positions)
    legal = commands.add_parser("legal", help="print the legal next steps after the record and further steps")
    legal.set_defaults(run=_legal)
    verify = commands.add_parser("verify", help="replay a record and check its chain of digests")
    verify.set_defaults(run=_verify)
    show = commands.add_parser("show", help="draw a position in text")
    show.add_argument("--after", type=int, metavar="N", help="the position after N log entries (default: the last)")
    show.set_defaults(run=_show)
    for command in (positions, legal, verify, show):
        command.add_argument("record", metavar="RECORD.json")
    legal.add_argument("steps", nargs="*", metavar="STEP", help="steps of the turn in progress")
    return parser


def _positions(options: argparse.Namespace) -> int:
    record = _read(options.record)
    for state in _states(record):
        print(json.dumps(position(state)))
    return 0


def _legal(options: argparse.Namespace) -> int:
    *_, state = _states(_read(options.record))
    try:
        steps = legal_steps(state, options.steps)
    except RulesError as error:
        number = error.step or 0
        legal = " ".join(sorted(legal_steps(state, options.steps[:number])))
        raise RecordError(f"step {number + 1} {options.steps[number][:20]!r}: {error}; legal: {legal}") from None
    print(*sorted(steps), sep="\n", end="\n" if steps else "")
    return 0


def _verify(options: argparse.Namespace) -> int:
    record = _read(options.record)
    for _ in _states(record):
        pass
    log = read_log(record)
    digests = list(chain_of(record, log))
    if "chain" in record:
        _check_chain(record["chain"], digests)
    print("ok", len(log), digests[-1])
    return 0


def _check_chain(chain: Json, digests: Sequence[str]) -> None:
    if not isinstance(chain, list) or len(chain) != len(digests):
        raise RecordError(f"chain must be a list of {len(digests)} digests: the set-up's and one per entry")
    for number, (said, computed) in enumerate(zip(chain, digests, strict=True)):
        if said != computed:
            where = f"entry {number}" if number else "the set-up"
            raise RecordError(f"chain: the digest of {where} does not match; legal: {computed}")


def _show(options: argparse.Namespace) -> int:
    record = _read(options.record)
    entries = len(read_log(record))
    after = entries if options.after is None else options.after
    if not 0 <= after <= entries:
        raise RecordError(f"--after must be 0 to {entries}")
    print(drawing(next(islice(_states(record), after, None))))
    return 0


def _states(record: Mapping[str, Json]) -> list[State]:
    """Return the state after set-up and after each entry."""
    state = first_state(read_setup(record))
    return [state, *replay(state, read_log(record))]


def _read(path: str) -> Mapping[str, Json]:
    """Read a record's JSON, within bounds of size and depth. Raises `RecordError`."""
    try:
        with open(path, "rb") as file:
            text = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise RecordError(error.strerror or "can't be read") from None
    if len(text) > MAX_BYTES:
        raise RecordError(f"larger than {MAX_BYTES} bytes")
    try:
        record = json.loads(text, parse_constant=_refuse_constant)
        json.dumps(record, ensure_ascii=False).encode()
    except UnicodeError:
        raise RecordError("not UTF-8 text") from None
    except RecursionError:
        raise RecordError("nested too deeply") from None
    except ValueError as error:
        raise RecordError(f"not JSON: {' '.join(str(error).split())}") from None
    if not isinstance(record, dict):
        raise RecordError("a record is a JSON object")
    return record


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number of JSON")
