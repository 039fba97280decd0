"""A process of its own in which computer players think, where web server and worker are threads of one process.

Without it every page would wait for a player that thinks, as Python runs one thread at a time. Run as a program it is
that process: a line of JSON asks, a line answers, and it ends with whoever started it.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from random import SystemRandom
from threading import Lock, Timer
from typing import Any

from engine.contract import Rules
from engine.rulesets import RULESETS

KINDNESS = 5
"""By how much the process lets others go first."""


class NoAnswerError(Exception):
    """The computer player did not answer in time, or failed: then with the name of its error."""


class Thinker:
    """Asks a process for turns, one at a time; it is started when it is needed."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._process: subprocess.Popen[str] | None = None

    def choose(self, rules: Rules[Any], bot: str, state: Any, seconds: float) -> str:
        """Return a computer player's turn. Raises `NoAnswerError` if it fails, or after that time, for good."""
        asked = {
            "ruleset": rules.ruleset,
            "bot": bot,
            "setup": rules.write_record(state),
            "state": rules.dump(state),
        }
        with self._lock:
            process = self._process or self._start()
            timer = Timer(seconds, process.kill)
            timer.start()
            try:
                line = _exchange(process, json.dumps(asked))
            finally:
                timer.cancel()
            if not line:
                self._stop()
                raise NoAnswerError(f"more than {seconds} seconds")
        answer = json.loads(line)
        if "turn" not in answer:
            raise NoAnswerError(answer["error"])
        return str(answer["turn"])

    def stop(self) -> None:
        """End the process."""
        with self._lock:
            self._stop()

    def _start(self) -> "subprocess.Popen[str]":
        command = [sys.executable, "-m", "games.management.thinker"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)  # noqa: S603 - our own
        return self._process

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()


def _exchange(process: "subprocess.Popen[str]", line: str) -> str:
    """Return the answer to a line, or nothing where the process has ended."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(f"{line}\n")
        process.stdin.flush()
        return process.stdout.readline()
    except OSError:
        return ""


_helpers: list[Thinker] = []


def helper() -> Thinker | None:
    """Return the process to think in; None where workers are processes of their own."""
    return _helpers[-1] if _helpers else None


@contextmanager
def thinking_apart() -> Iterator[None]:
    """Let computer players think in a process of their own as long as the block lasts."""
    thinker = Thinker()
    _helpers.append(thinker)
    try:
        yield
    finally:
        _helpers.remove(thinker)
        thinker.stop()


def _answer(line: str) -> dict[str, str]:
    asked = json.loads(line)
    rules = RULESETS[asked["ruleset"]]
    try:
        return {"turn": rules.choose_turn(asked["bot"], rules.load(asked["setup"], asked["state"]), SystemRandom())}
    except Exception as error:  # noqa: BLE001 - whoever asked says what becomes of it
        return {"error": type(error).__name__}


if __name__ == "__main__":
    os.nice(KINDNESS)
    for question in sys.stdin:
        sys.stdout.write(f"{json.dumps(_answer(question))}\n")
        sys.stdout.flush()
