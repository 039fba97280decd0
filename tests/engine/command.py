"""Runs of the engine's command line."""

import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from engine.cli import main


@dataclass(frozen=True)
class Ran:
    """How a run ended."""

    status: int
    out: str
    err: str

    def refusal(self) -> str:
        """Return the one line of a refused record, without the file's name, after checking that it is one."""
        assert (self.status, self.out) == (2, ""), self
        assert self.err.endswith("\n")
        line = self.err[:-1]
        assert len(line.splitlines()) == 1, self.err
        assert line.isprintable(), self.err
        assert len(line) < 1000, self.err
        return line.partition(".json: ")[2]


def run_here(*arguments: str | Path) -> Ran:
    """Run a command in this process: quick; an exception that gets out fails the test."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as exit_:
            status = int(str(exit_.code))
    return Ran(status, out.getvalue(), err.getvalue())


def run_apart(*arguments: str | Path, before: Callable[[], None] | None = None) -> Ran:
    """Run a command as people do, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "engine", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        preexec_fn=before,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def written(folder: Path, record: Any) -> Path:
    """Write a record, or raw bytes, to a file and return its path."""
    path = folder / "record.json"
    path.write_bytes(record if isinstance(record, bytes) else json.dumps(record).encode())
    return path
