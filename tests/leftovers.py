"""Ends what a test run has started, however the run itself ends: done, interrupted, terminated or killed.

A run has a name, ``TEST_RUN``, which every process that it starts inherits. A watcher in a session of its own holds one
end of a pipe whose other end only the first process of the run has. When that process is gone, the watcher lets the
others end by themselves, then kills those that still carry the name, and removes databases and folder of the run.
"""

import atexit
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import psycopg
from psycopg import sql

GRACE = 15.0
"""Seconds that processes get to end by themselves once the run is over."""
INHERITED = ("PATH", "HOME", "LANG", "TZ", "TMPDIR", "PYTHON", "TEST_RUN", "TEST_HOME")
_ROOT = Path(__file__).resolve().parents[1]


def begin() -> str:
    """Return the name of this test run; whoever comes first gives it one, and a watcher."""
    known = os.environ.get("TEST_RUN")
    if known:
        return known
    name = os.urandom(6).hex()
    home = Path(tempfile.mkdtemp(prefix=f"gravity-tests-{name}-"))
    home.chmod(0o755)  # PostgreSQL runs as another user
    os.environ["TEST_HOME"] = str(home)
    watcher = subprocess.Popen(
        [sys.executable, "-m", "tests.leftovers", name, str(home)],
        cwd=_ROOT,
        stdin=subprocess.PIPE,
        start_new_session=True,
    )
    os.environ["TEST_RUN"] = name
    atexit.register(_end, watcher)
    return name


def home() -> Path:
    """Return the folder that all processes of this run share."""
    begin()
    return Path(os.environ["TEST_HOME"])


def folder(prefix: str) -> Path:
    """Return an empty folder that is removed with the run."""
    return Path(tempfile.mkdtemp(prefix=f"{prefix}-", dir=home()))


def database_name() -> str:
    """Return a name for a database that is dropped with the run."""
    return f"gravity_{begin()}_{os.urandom(6).hex()}"


def drop_databases_on(server: str) -> None:
    """Remember where the databases of this run are."""
    (home() / "postgresql").write_text(server)


def environment(**variables: str) -> dict[str, str]:
    """Return an environment with ``variables``, and of ours nothing but what a process needs to start and to end."""
    kept = {name: value for name, value in os.environ.items() if name.startswith(INHERITED)}
    kept.pop("PYTHONDONTWRITEBYTECODE", None)  # whatever compiles all of its code anew starts slowly
    return kept | variables


def _end(watcher: subprocess.Popen[bytes]) -> None:
    watcher.communicate()


def _carrying(name: str) -> list[int]:
    """Return the processes that carry the name of a run."""
    wanted = f"TEST_RUN={name}".encode()
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if wanted in (entry / "environ").read_bytes().split(b"\0"):
                found.append(int(entry.name))
    return found


def _drop_databases(server: str, name: str) -> None:
    with psycopg.connect(f"{server}/postgres", autocommit=True, connect_timeout=5) as connection:
        query = "SELECT datname FROM pg_database WHERE datname LIKE %s"
        for (database,) in connection.execute(query, [f"gravity\\_{name}%"]).fetchall():
            connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(database)))


def _watch(name: str, home: Path) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    sys.stdin.buffer.read()
    give_up = time.monotonic() + GRACE
    while (left := _carrying(name)) and time.monotonic() < give_up:
        time.sleep(0.1)
    while left:
        for process in left:
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.1)
        left = _carrying(name)
    server = home / "postgresql"
    if server.exists():
        with suppress(psycopg.Error):
            _drop_databases(server.read_text(), name)
    shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    _watch(sys.argv[1], Path(sys.argv[2]))
