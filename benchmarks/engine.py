"""How fast the rules play, beside python-chess at the same kind of work: ``python -m benchmarks.engine``.

Each figure is the best of several runs, in processor time of one core, and the chess beside it is measured in turn with
it, so that a busy machine slows both. A run plays the same games each time. At the end the compiled engine is set
beside plain Python, where it is built (``make engine-fast``); ``ENGINE=plain`` or ``ENGINE=fast`` says which one the
rest is about.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from random import Random

import chess

from engine import compiled
from engine.contract import END, JsonObject
from engine.gravity import Gravity
from engine.gravity.board import board_of, parse_face, rotated_face
from engine.gravity.notation import STEPS, Step
from engine.gravity.rules import apply_step, apply_turn, begin_turn, legal_steps
from engine.gravity.state import State
from engine.replay import read_log, replay

RUNS = 7
GAMES = 10
TURNS = 100
GRAVITY = Gravity()


def main() -> int:
    """Measure, and print one line a figure."""
    print(f"{f'Engine: {compiled.running()}':42}{'Gravity':>10}{'chess':>10}{'ratio':>8}")
    for seats in GRAVITY.seats:
        ours, theirs = race(partial(play_games, seats), play_chess_games)
        show(f"random games a second, {seats} players", ours, theirs / TURNS, f"chess: {TURNS} plies")
    for seats in (2, 4, 6):
        begun = begun_turns(seats)
        ours, theirs = race(partial(play_single_steps, begun), play_chess_games)
        show(f"legal steps + apply a second, {seats} players", ours, theirs, "chess: legal moves + push")
    for seats in (2, 6):
        record = record_of(seats)
        ours, theirs = race(partial(replay_record, record), partial(replay_chess, chess_moves()))
        show(f"replay of {TURNS} turns in ms, {seats} players", 1000 / ours, 1000 / theirs, "chess: 100 plies")
        cold, _ = race(partial(replay_cold, record), partial(replay_chess, chess_moves()))
        show("  the same on a board never seen before", 1000 / cold, 1000 / theirs, "its geometry is worked out anew")
    compare_builds()
    return 0


def compare_builds() -> None:
    """Print what the compiled engine gains, if there is a build of the present sources."""
    if not compiled.folder().is_dir():
        print("The compiled engine is not built: make engine-fast")
        return
    best = {"plain": [0.0] * 4, "fast": [0.0] * 4}
    for _ in range(3):
        for engine, figures in best.items():
            told = subprocess.run(
                [sys.executable, "-c", "from benchmarks.engine import tell_speed; tell_speed()"],
                env={**os.environ, "ENGINE": engine},
                stdout=subprocess.PIPE,
                check=True,
            )
            best[engine] = [max(pair) for pair in zip(figures, json.loads(told.stdout), strict=True)]
    print(f"{'':42}{'compiled':>10}{'plain':>10}{'ratio':>8}")
    for index, seats in enumerate((2, 6)):
        steps, replays = ((best["fast"][i], best["plain"][i]) for i in (2 * index, 2 * index + 1))
        show(f"legal steps + apply a second, {seats} players", *steps, "")
        show(f"replays of {TURNS} turns a second, {seats} players", *replays, "")


def tell_speed() -> None:
    """Print the units of work a second of this process's engine: steps and replays, for 2 players and for 6."""
    figures: list[float] = []
    for seats in (2, 6):
        works = (partial(play_single_steps, begun_turns(seats)), partial(replay_record, record_of(seats)))
        figures += [max(race(work, work)) for work in works]
    print(json.dumps(figures))


def show(name: str, ours: float, theirs: float, note: str) -> None:
    """Print one figure, chess's, and the ratio."""
    digits = 0 if ours >= 100 else 2
    print(f"{name:<42}{ours:>10,.{digits}f}{theirs:>10,.{digits}f}{ours / theirs:>8.2f}  {note}")


def race(ours: Callable[[], int], theirs: Callable[[], int]) -> tuple[float, float]:
    """Return how many units of work a second each does at best; a run returns how many it did."""
    best = [0.0, 0.0]
    for _ in range(RUNS):
        for index, work in enumerate((ours, theirs)):
            start = time.process_time()
            done = work()
            best[index] = max(best[index], done / (time.process_time() - start))
    return best[0], best[1]


def new_game(seats: int, rng: Random) -> State:
    """Return the first state of a game with nothing optional."""
    return GRAVITY.set_up([f"Seat {seat + 1}" for seat in range(seats)], {}, rng)


def random_turn(state: State, rng: Random) -> list[str]:
    """Draw a turn step by step, as the chess beside it draws moves."""
    now, turn = begin_turn(state), []
    while (step := rng.choice(legal_steps(now))) != END:
        turn.append(step)
        now = apply_step(now, STEPS[step])
    return turn


def play_games(seats: int) -> int:
    """Play random games to their end."""
    for seed in range(GAMES):
        rng = Random(seed)
        state = new_game(seats, rng)
        while not state.finished:
            state = apply_turn(state, " ".join(random_turn(state, rng)))
    return GAMES


def play_chess_games() -> int:
    """Play random games of chess for as many plies as a long game of ours has turns; return the plies."""
    rng = Random(1)
    plies = 0
    for _ in range(GAMES):
        board = chess.Board()
        for _ in range(TURNS):
            if not (moves := list(board.legal_moves)):
                break
            board.push(rng.choice(moves))
        plies += board.ply()
    return plies


def begun_turns(seats: int) -> list[tuple[State, Step]]:
    """Return positions of random games, each with a legal step."""
    begun = []
    for seed in range(GAMES):
        rng = Random(seed)
        state = new_game(seats, rng)
        while not state.finished:
            turn = random_turn(state, rng)
            begun.append((begin_turn(state), STEPS[turn[0]]))
            state = apply_turn(state, " ".join(turn))
    return begun


def play_single_steps(begun: list[tuple[State, Step]]) -> int:
    """Ask each position for its legal steps and play one."""
    for state, step in begun:
        legal_steps(state)
        apply_step(state, step)
    return len(begun)


def record_of(seats: int) -> JsonObject:
    """Return the record of the first turns of a random game that has enough of them."""
    for seed in range(1000):
        rng = Random(seed)
        first = state = new_game(seats, rng)
        log: list[JsonObject] = []
        while not state.finished and len(log) < TURNS:
            turn = " ".join(random_turn(state, rng))
            log.append({"seat": state.seat + 1, "turn": turn})
            state = apply_turn(state, turn)
        if len(log) == TURNS:
            return GRAVITY.write_record(first, log)
    raise AssertionError("no game was long enough")


def replay_record(record: JsonObject) -> int:
    """Read, check and replay a record."""
    for _ in replay(GRAVITY, GRAVITY.read_setup(record), read_log(record, GRAVITY)):
        pass
    return 1


def replay_cold(record: JsonObject) -> int:
    """Replay a record as if its tiles had never been seen."""
    for known in (board_of, rotated_face, parse_face):
        known.cache_clear()
    return replay_record(record)


def chess_moves() -> list[chess.Move]:
    """Return the moves of a random game of chess."""
    rng, board = Random(1), chess.Board()
    for _ in range(TURNS):
        board.push(rng.choice(list(board.legal_moves)))
    return board.move_stack


def replay_chess(moves: list[chess.Move]) -> int:
    """Replay moves as ours are replayed: each checked against the rules before it is played."""
    board = chess.Board()
    for move in moves:
        if not board.is_legal(move):
            raise AssertionError(move)
        board.push(move)
    return 1


if __name__ == "__main__":
    sys.exit(main())
