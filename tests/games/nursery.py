"""Processes of the site that are there at once: forked from one that has imported all of it.

Starting Python and importing Django takes a second of a processor each time, and the tests of what several processes
do start hundreds. `Nursery` runs this module as a process with a site's own environment (``python -m
tests.games.nursery``). It opens no connection and does nothing but fork: each child runs a module as ``python -m``
would, with a process of its own between it and the nursery that waits for its end.
"""

import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import traceback
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from threading import Timer
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
LONGEST: Final = 65_536
"""Bytes of a message: the arguments of a process."""


class Process:
    """A process that runs, as far as the tests need of `subprocess.Popen`."""

    def __init__(self, stdout: int, status: int) -> None:
        self.stdout = os.fdopen(stdout)
        self._status = os.fdopen(status)
        self.pid = int(self._status.readline())
        self.returncode: int | None = None

    def kill(self) -> None:
        """Kill it, at whatever point it is, or after its end."""
        if self.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> int:
        """Return its exit status once it has ended; negative for a signal."""
        if self.returncode is None:
            with self._status:
                self.returncode = int(self._status.readline())
        return self.returncode

    def communicate(self, timeout: float) -> tuple[str, None]:
        """Return what it printed once it has ended; a process that takes longer is killed and raises."""
        late = Timer(timeout, self.kill)
        late.start()
        with self.stdout:
            said = self.stdout.read()
        late.cancel()
        if self.wait() == -signal.SIGKILL:
            raise subprocess.TimeoutExpired("a process of the site", timeout, said)
        return said, None


class Nursery:
    """The process that others are forked from, in the environment of one site."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.games.nursery", str(theirs.fileno())],
                cwd=ROOT,
                env=environment,
                pass_fds=[theirs.fileno()],
            )

    def start(self, *arguments: str) -> Process:
        """Start a process that runs a module with arguments."""
        (stdout, their_stdout), (status, their_status) = os.pipe(), os.pipe()
        socket.send_fds(self._line, [json.dumps(arguments).encode()], [their_stdout, their_status])
        os.close(their_stdout)
        os.close(their_status)
        return Process(stdout, status)

    def close(self) -> None:
        """End the nursery; what it has started goes on."""
        self._line.close()
        self._process.wait()


def serve(line: socket.socket) -> None:
    """Fork a process for each message, until the other end is closed."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody asks after those in between
    while True:
        message, handles, _flags, _sender = socket.recv_fds(line, LONGEST, 2)
        if not message:
            return
        if os.fork() == 0:
            line.close()
            _keep(json.loads(message), *handles)
        for handle in handles:
            os.close(handle)


def _keep(arguments: list[str], stdout: int, status: int) -> None:
    """Fork the process itself, and tell its number and how it ended."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    child = os.fork()
    if child == 0:
        os.close(status)
        _run(arguments, stdout)
    os.close(stdout)
    os.write(status, f"{child}\n".encode())
    _child, ended = os.waitpid(child, 0)
    os.write(status, f"{os.waitstatus_to_exitcode(ended)}\n".encode())
    os._exit(0)


def _run(arguments: list[str], stdout: int) -> None:
    os.dup2(stdout, 1)
    os.close(stdout)
    code: object = 0
    try:
        sys.argv = list(arguments)
        runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)
    except SystemExit as end:
        code = end.code
    except BaseException:  # noqa: BLE001 - as Python does with what nothing catches
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


if __name__ == "__main__":
    import tests.games.site_process
    import tests.games.sweep_process  # noqa: F401 - for those who are forked

    with socket.socket(fileno=int(sys.argv[1])) as other_end:
        serve(other_end)
