"""A PostgreSQL server of a test's own, which it may restart, stop and crash; and a clock that it may step."""

import os
import shutil
import signal
import subprocess
from pathlib import Path

from tests import leftovers
from tests.services import HOST, PATIENCE, free_port, postgresql_answers, wait_until


class PostgresServer:
    """PostgreSQL over a data folder that outlives the server. It refuses to run as root, so another user runs it."""

    def __init__(self, programs: Path) -> None:
        self.programs = programs
        self.home = leftovers.folder("postgresql")
        self.user = None
        if os.geteuid() == 0:
            self.user = "postgres"
            shutil.chown(self.home, self.user)
        self.port = free_port()
        self.url = f"postgres://postgres@{HOST}:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None
        self._run("initdb", "-D", "data", "-A", "trust", "-U", "postgres", "--no-sync", "-E", "UTF8")

    def start(self) -> None:
        """Start it and wait until it answers."""
        listen = ["-c", f"listen_addresses={HOST}", "-c", f"unix_socket_directories={self.home}"]
        self.process = subprocess.Popen(
            [self.programs / "postgres", "-D", self.home / "data", "-p", str(self.port), *listen],
            user=self.user,
            cwd=self.home,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_until(lambda: postgresql_answers(self.url), what="PostgreSQL")

    def stop(self, how: int = signal.SIGINT) -> None:
        """Stop it: SIGINT cuts every connection, SIGQUIT is a crash from which it recovers at the next start."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(timeout=PATIENCE)
            self.process = None

    def remove(self) -> None:
        """Stop it and remove what it kept."""
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.home, ignore_errors=True)

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [self.programs / program, *arguments], check=True, user=self.user, cwd=self.home, stdout=subprocess.DEVNULL
        )


def find_postgres_programs() -> Path | None:
    """Return the folder with PostgreSQL's programs, or None."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    other = shutil.which("initdb")
    if other is not None and not found:
        found = [Path(other)]
    return found[-1].resolve().parent if found else None


class SteppableClock:
    """Shifts the wall clock of the processes that are started with its environment; their monotonic clock runs on."""

    def __init__(self, library: str, home: Path) -> None:
        self.file = home / "clock"
        self.environment = {
            "LD_PRELOAD": library,
            "PYTHONPATH": str(Path(__file__).parent / "faketime"),
            "FAKETIME_TIMESTAMP_FILE": str(self.file),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }
        self.step("+0")

    def step(self, offset: str) -> None:
        """Set the clock to the real time with an offset: ``+1h``, ``-1h``, ``+0``."""
        fresh = self.file.with_suffix(".new")
        fresh.write_text(f"{offset}\n")
        fresh.replace(self.file)


def find_faketime() -> str | None:
    """Return the library that shifts clocks, or None."""
    return next((str(path) for path in Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1")), None)
