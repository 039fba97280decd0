"""Positions, legal steps, checks and drawings of records of any game; games between computer players, and puzzles."""

import argparse
import json
import os
import sys
from collections.abc import Mapping, Sequence
from itertools import islice, repeat
from math import isfinite
from pathlib import Path
from typing import Any, Final, NoReturn

from engine.chain import chain_of
from engine.contract import Json, Rules
from engine.errors import RecordError, RulesError, one_line
from engine.fields import shown
from engine.gravity import ladder, puzzles
from engine.gravity import learn as learning
from engine.gravity import match as matches
from engine.gravity import selfplay as selfplays
from engine.gravity.board import SIZES
from engine.gravity.bots import BOTS
from engine.gravity.learn import Course
from engine.gravity.match import Match
from engine.gravity.setup import GOODIE_CARDS, check_options
from engine.gravity.show import drawing
from engine.gravity.state import State
from engine.gravity.view import position
from engine.puzzles import write_puzzle
from engine.replay import read_log, refused_step, replay
from engine.rulesets import RULESETS

MAX_BYTES: Final = 4 << 20
"""A larger file is refused unread: the longest allowed log is far smaller than this."""
MAX_DEPTH: Final = 50
"""Deeper nesting is refused: a record needs five levels, and additional keys hardly more."""
FAILED: Final = 2
_GRAVITY: Final = RULESETS["gravity-1"]


class _RefusedError(Exception):
    """An argument is refused for the reason that the message tells."""


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status: 0, or 2 with one line on standard error."""
    parser = _parser()
    if not arguments:
        parser.print_help()
        return 0
    options = parser.parse_args(arguments)
    try:
        status = int(options.run(options))
        sys.stdout.flush()
    except RecordError as error:
        print(one_line(f"{options.record}: {error}"), file=sys.stderr)
        return FAILED
    except _RefusedError as error:
        print(one_line(str(error)), file=sys.stderr)
        return FAILED
    except BrokenPipeError:
        # The reader has closed the pipe, as `| head` does; without this a second error would follow at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return status


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
    selfplay = commands.add_parser("selfplay", help="let computer players play, and print how the games went")
    _add_selfplay_arguments(selfplay)
    selfplay.set_defaults(run=_selfplay)
    match = commands.add_parser("match", help="let computer players play against each other, and print who wins")
    _add_match_arguments(match)
    match.set_defaults(run=_match)
    rate = commands.add_parser("ladder", help="let computer players play in pairs, and print a table of ratings")
    _add_ladder_arguments(rate)
    rate.set_defaults(run=_ladder)
    learn = commands.add_parser("learn", help="fit the chances to win to games of a search against itself")
    _add_learn_arguments(learn)
    learn.set_defaults(run=_learn)
    calibration = commands.add_parser("calibration", help="print how right the chances to win are in such games")
    _add_course_arguments(calibration)
    calibration.set_defaults(run=_calibration)
    riddle = commands.add_parser("puzzles", help="print positions with one best turn, found in self-play")
    _add_puzzles_arguments(riddle)
    riddle.set_defaults(run=_puzzles)
    for command in (positions, legal, verify, show):
        command.add_argument("record", metavar="RECORD.json")
    legal.add_argument("steps", nargs="*", metavar="STEP", help="steps of the turn in progress")
    return parser


def _add_selfplay_arguments(selfplay: argparse.ArgumentParser) -> None:
    selfplay.add_argument("--players", type=int, choices=sorted(SIZES), default=2)
    selfplay.add_argument("--games", type=_positive, default=300)
    selfplay.add_argument("--bot", choices=sorted(BOTS), default="greedy")
    _add_common_arguments(selfplay)


def _add_puzzles_arguments(riddle: argparse.ArgumentParser) -> None:
    riddle.add_argument("--players", type=int, choices=sorted(SIZES), default=2)
    riddle.add_argument("--games", type=_positive, default=20)
    riddle.add_argument("--bot", choices=sorted(BOTS), default="nova:6")
    riddle.add_argument("--playouts", type=_positive, default=1000, help="how far the search looks (default: 1000)")
    riddle.add_argument("--first", type=int, default=0, help="the number of the first game (default: 0)")
    riddle.add_argument("--hard", action="store_true", help="leave out what is easy, and what is about nothing")
    _add_common_arguments(riddle)


def _add_match_arguments(match: argparse.ArgumentParser) -> None:
    match.add_argument(
        "--bots", required=True, metavar="A,B[,C…]", help=f"a player for each seat; known: {', '.join(BOTS)}"
    )
    match.add_argument(
        "--games",
        type=_positive,
        default=200,
        help="how many to play; rounded up, as every set-up is played in all rotations of the seats (default: 200)",
    )
    match.add_argument("--json", action="store_true", help="print one object of JSON")
    _add_common_arguments(match)


def _add_ladder_arguments(rate: argparse.ArgumentParser) -> None:
    rate.add_argument(
        "--bots",
        default=",".join(ladder.usual_bots()),
        metavar="A,B[,C…]",
        help="players, from the weakest; each plays those next and next but one to it (default: %(default)s)",
    )
    rate.add_argument(
        "--games", type=_positive, default=200, help="how many for each pair, rounded up to even (default: 200)"
    )
    rate.add_argument("--json", action="store_true", help="print one object of JSON")
    _add_chance_arguments(rate)


def _add_common_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("--expert", action="store_true", help="end at the expert game's points")
    command.add_argument("--goodies", type=_goodies, default="", metavar=GOODIE_CARDS, help="goodie cards to deal")
    _add_chance_arguments(command)


def _add_chance_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--jobs", type=_positive, default=os.process_cpu_count() or 1, help="processes to use")


def _add_learn_arguments(learn: argparse.ArgumentParser) -> None:
    _add_course_arguments(learn)
    learn.add_argument("--epochs", type=_positive, default=15, help="how often to go over the positions (default: 15)")
    learn.add_argument("--into", required=True, type=Path, metavar="FILE.json", help="the data file to be written")


def _add_course_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("--players", type=int, choices=sorted(SIZES), default=2)
    command.add_argument("--expert", action="store_true", help="end at the expert game's points")
    command.add_argument("--games", type=_positive, default=300)
    command.add_argument("--playouts", type=_positive, default=1, help="how far the search looks (default: 1)")
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--jobs", type=_positive, default=os.process_cpu_count() or 1, help="processes to use")


def _positive(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError("must be a number from 1")
    return int(text)


def _goodies(text: str) -> str:
    try:
        return str(check_options({"goodies": text}, 2)["goodies"])
    except RulesError:
        raise argparse.ArgumentTypeError(f"must be letters of {GOODIE_CARDS}, each at most once") from None


def _selfplay(options: argparse.Namespace) -> int:
    match = Match((options.bot,) * options.players, options.expert, options.goodies, options.seed)
    print(*selfplays.report(match, selfplays.play_games(match, options.games, options.jobs)), sep="\n")
    return 0


def _puzzles(options: argparse.Namespace) -> int:
    match = Match((options.bot,) * options.players, options.expert, options.goodies, options.seed)
    games = range(options.first, options.first + options.games)
    terms = repeat(options.playouts), repeat(options.hard)
    for found in matches.spread(puzzles.in_game, repeat(match), games, *terms, jobs=options.jobs):
        for state, puzzle in found:
            print(json.dumps(write_puzzle(_GRAVITY, state, puzzle), sort_keys=True))
    return 0


def _match(options: argparse.Namespace) -> int:
    bots = _bots(options.bots)
    if len(bots) not in SIZES:
        raise _RefusedError(f"--bots: {min(SIZES)} to {max(SIZES)} players, not {len(bots)}")
    match = Match(bots, options.expert, options.goodies, options.seed)
    played = matches.play_match(match, options.games, options.jobs)
    if options.json:
        print(json.dumps(matches.as_json(match, played)))
    else:
        print(*matches.report(match, played), sep="\n")
    return 0


def _ladder(options: argparse.Namespace) -> int:
    bots = _bots(options.bots)
    if len(bots) < 2 or len({*bots}) < len(bots):
        raise _RefusedError("--bots: at least two players, each once")
    played = ladder.play_ladder(bots, options.games, options.seed, options.jobs)
    rows = ladder.table(bots, played)
    if options.json:
        print(json.dumps(ladder.as_json(rows, played, options.seed)))
    else:
        print(*ladder.markdown(rows), sep="\n")
    return 0


def _bots(text: str) -> tuple[str, ...]:
    """Return the players that are named with commas between them. Raises `_RefusedError`."""
    names = tuple(text.split(","))
    for name in names:
        if name not in BOTS:
            raise _RefusedError(f"--bots: there is no player {shown(name)}; known: {', '.join(BOTS)}")
    return names


def _learn(options: argparse.Namespace) -> int:
    course = _course(options)
    weights, positions = learning.learn(course, options.games, options.epochs, options.jobs)
    kind = f"--players {course.seats}" + (" --expert" if course.expert else "")
    said = f"learn {kind} --games {options.games} --playouts {course.playouts} --seed {course.seed}"
    learning.store(options.into, course, weights, f"python -m engine {said} --epochs {options.epochs}")
    print(f"learnt from {positions} positions; written into {options.into}")
    return 0


def _calibration(options: argparse.Namespace) -> int:
    samples = learning.play_course(_course(options), options.games, options.jobs)
    print(*learning.calibration(samples), sep="\n")
    return 0


def _course(options: argparse.Namespace) -> Course:
    return Course(options.players, options.expert, options.playouts, options.seed)


def _positions(options: argparse.Namespace) -> int:
    rules, record = _read(options.record)
    for state in _states(rules, record):
        # What a position of Gravity holds is laid down with its record format, and is less than a view.
        print(json.dumps(position(state) if isinstance(state, State) else rules.view(state, None, ended=True)))
    return 0


def _legal(options: argparse.Namespace) -> int:
    rules, record = _read(options.record)
    *_, state = _states(rules, record)
    try:
        steps = rules.legal_steps(state, options.steps)
    except RulesError as error:
        raise RecordError(refused_step(rules, state, options.steps, error)) from None
    print(*sorted(steps), sep="\n", end="\n" if steps else "")
    return 0


def _verify(options: argparse.Namespace) -> int:
    rules, record = _read(options.record)
    for _ in _states(rules, record):
        pass
    log = read_log(record, rules)
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
    rules, record = _read(options.record)
    entries = len(read_log(record, rules))
    after = entries if options.after is None else options.after
    if not 0 <= after <= entries:
        raise RecordError(f"--after must be 0 to {entries}")
    state = next(islice(_states(rules, record), after, None))
    if not isinstance(state, State):
        raise RecordError(f"there are no drawings of {rules.format}")
    print(drawing(state))
    return 0


def _states(rules: Rules[Any], record: Mapping[str, Json]) -> list[Any]:
    """Return the state after set-up and after each entry."""
    state = rules.read_setup(record)
    return [state, *replay(rules, state, read_log(record, rules))]


def _read(path: str) -> tuple[Rules[Any], Mapping[str, Json]]:
    """Read a record's JSON, within bounds of size and depth, and find its rules. Raises `RecordError`."""
    try:
        with Path(path).open("rb") as file:
            text = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise RecordError(error.strerror or "can't be read") from None
    if len(text) > MAX_BYTES:
        raise RecordError(f"larger than {MAX_BYTES} bytes")
    record = _parse(text)
    if not isinstance(record, dict):
        raise RecordError("a record is a JSON object")
    if _is_deeper_than(record, MAX_DEPTH):
        raise RecordError("nested too deeply")
    return _rules_of(record), record


def _rules_of(record: Mapping[str, Json]) -> Rules[Any]:
    name = record.get("format")
    for rules in RULESETS.values():
        if rules.format == name:
            return rules
    known = " or ".join(shown(rules.format) for rules in RULESETS.values())
    raise RecordError(f"format is {shown(name)}, not {known}")


def _parse(text: bytes) -> Json:
    """Parse strict JSON: UTF-8, finite numbers, no duplicate keys. Raises `RecordError`."""
    try:
        value: Json = json.loads(
            text.decode("utf-8-sig"),
            object_pairs_hook=_object,
            parse_float=_finite,
            parse_constant=_refuse_constant,
        )
        # JSON can contain an unpaired surrogate, which can be neither printed nor digested.
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeError:
        raise RecordError("not UTF-8 text") from None
    except RecursionError:
        raise RecordError("nested too deeply") from None
    except ValueError as error:
        raise RecordError(f"not JSON: {' '.join(str(error).split())}") from None
    return value


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    """Return a JSON object without duplicate keys, of which programs read different ones."""
    found: dict[str, Json] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"the key {name[:40]!r} stands twice")
        found[name] = value
    return found


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"{text[:40]} is too large a number")
    return number


def _is_deeper_than(value: Json, depth: int) -> bool:
    """Whether lists and objects are nested more than ``depth`` levels deep."""
    level = [value]
    for _ in range(depth):
        level = [
            inner
            for outer in level
            if isinstance(outer, list | dict)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
    return any(isinstance(inner, list | dict) for inner in level)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number of JSON")
