"""Finds, or starts, the servers that some tests need.

Each is looked for in this order: an address in the environment, a server that answers on its usual port, programs that
are installed and can be started on a free port. Whoever starts one stops it at the end of the process.
"""

import atexit
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
import redis
from psycopg import sql

from tests import leftovers

HOST = "127.0.0.1"
PATIENCE = 240.0
"""Seconds for whatever a process is waited for: a busy machine is slow, and only what hangs waits so long."""


def examples(number: int) -> int:
    """Return how many examples a property gets: a fifth on PostgreSQL, which has to store what they make, no more."""
    return max(5, number // 5) if os.environ.get("TEST_ON") == "postgresql" else number


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as listener:
        listener.bind((HOST, 0))
        return int(listener.getsockname()[1])


def wait_until(ready: Callable[[], bool], *, what: str, seconds: float = PATIENCE) -> None:
    """Wait until ``ready`` says yes; raises `TimeoutError` that names what was waited for."""
    give_up = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > give_up:
            raise TimeoutError(f"{what} was not there after {seconds} s")
        time.sleep(0.05)


@contextmanager
def new_database(server: str, template: str = "template1") -> Iterator[str]:
    """Create a database as a copy of another, and return its address; it is dropped at the end."""
    name = leftovers.database_name()
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(*map(sql.Identifier, (name, template))))
        yield f"{server}/{name}"
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def postgresql_answers(url: str) -> bool:
    """Return whether a PostgreSQL server lets us in at this address (without a database's name)."""
    with suppress(psycopg.Error):
        psycopg.connect(f"{url}/postgres", connect_timeout=2).close()
        return True
    return False


def find_postgresql() -> str | None:
    """Return the address of a PostgreSQL server, without a database's name, or None."""
    usual = f"postgres://postgres@{HOST}:5432"
    server = os.environ.get("TEST_DATABASE_URL", "").rstrip("/")
    server = server or (usual if postgresql_answers(usual) else start_postgresql() or "")
    if not server:
        return None
    os.environ["TEST_DATABASE_URL"] = server  # so that the other processes of the test run use the same one
    leftovers.drop_databases_on(server)
    return server


def start_postgresql() -> str | None:
    """Start a PostgreSQL server of our own, which refuses to run as root; None if it is not installed."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)
    installed = shutil.which("initdb") or next(iter(debian), None)
    if not installed:
        return None
    programs = Path(installed).resolve().parent
    home = leftovers.folder("postgresql")
    user = None
    if os.geteuid() == 0:
        user = "postgres"
        shutil.chown(home, user)
    port = free_port()
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    initdb = [programs / "initdb", "-D", home / "data", "-A", "trust", "-U", "postgres", "--no-sync", "-E", "UTF8"]
    subprocess.run(initdb, check=True, user=user, cwd=home, **quiet)  # type: ignore[call-overload]
    options = ["-c", "fsync=off", "-c", f"listen_addresses={HOST}", "-c", f"unix_socket_directories={home}"]
    command = [programs / "postgres", "-D", home / "data", "-p", str(port), *options]
    process = subprocess.Popen(command, user=user, cwd=home, **quiet)  # type: ignore[call-overload]

    def stop() -> None:
        process.terminate()
        process.wait(timeout=PATIENCE)
        shutil.rmtree(home, ignore_errors=True)

    atexit.register(stop)
    url = f"postgres://postgres@{HOST}:{port}"
    wait_until(lambda: postgresql_answers(url), what="PostgreSQL")
    return url


def redis_answers(url: str) -> bool:
    """Return whether a Redis server answers at this address (without a database's number)."""
    with suppress(redis.RedisError):
        client = redis.Redis.from_url(url, socket_connect_timeout=2)
        return bool(client.ping())
    return False


def find_redis() -> str | None:
    """Return the address of a Redis server, without a database's number, or None."""
    known = os.environ.get("TEST_REDIS_URL")
    if known:
        return known.rstrip("/")
    usual = f"redis://{HOST}:6379"
    if redis_answers(usual):
        server = usual
    elif (started := start_redis()) is not None:
        server = started.url
        atexit.register(started.stop)
    else:
        return None
    os.environ["TEST_REDIS_URL"] = server
    return server


class RedisServer:
    """A Redis server of one's own, which a test may stop, kill and start again."""

    def __init__(self, program: str) -> None:
        self.program = program
        self.port = free_port()
        self.url = f"redis://{HOST}:{self.port}"
        self.home = leftovers.folder("redis")
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, empty, and wait until it answers."""
        command = [self.program, "--port", str(self.port), "--bind", HOST, "--save", "", "--dir", str(self.home)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        wait_until(lambda: redis_answers(self.url), what="Redis")

    @contextmanager
    def hanging(self) -> Iterator[None]:
        """Let it hang: connections to it stay open, and it answers nobody."""
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        """Stop it; what it held is gone."""
        if self.process is not None:
            self.process.terminate()
            self.process.wait(timeout=PATIENCE)
            self.process = None


def start_redis() -> RedisServer | None:
    """Start a Redis server of our own; None if it is not installed."""
    program = shutil.which("redis-server")
    if program is None:
        return None
    server = RedisServer(program)
    server.start()
    return server


def find_chromium(*, whole: bool = False) -> str | None:
    """Return the path of a Chromium, or None: where there is one, that without windows, unless the ``whole`` is asked.

    It takes a fifth less time for the same tests.
    """
    names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
    if not whole:
        names.insert(0, "chromium-headless-shell")
    return os.environ.get("CHROMIUM") or next((path for name in names if (path := shutil.which(name))), None)


def main() -> int:
    """Run the command of the arguments with every server there; used by CI."""
    lacking = [name for name, find in (("PostgreSQL", find_postgresql), ("Redis", find_redis)) if find() is None]
    if find_chromium() is None:
        lacking.append("Chromium")
    if lacking:
        sys.stderr.write(f"Lacking: {', '.join(lacking)}\n")
        return 1
    leftovers.begin()
    command = subprocess.Popen(sys.argv[1:])
    signal.signal(signal.SIGTERM, lambda *_: command.terminate())
    signal.signal(signal.SIGINT, lambda *_: command.send_signal(signal.SIGINT))
    return command.wait()


if __name__ == "__main__":
    sys.exit(main())
