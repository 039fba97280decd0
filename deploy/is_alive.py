"""Exit with 0 if the process of this container does its work, else with 1: a health check of web, live, workers, beat.

    python deploy/is_alive.py web | live | worker QUEUE | beat

Compose marks a container as unhealthy and leaves it at that. So the third failure in a row tells the container's
process to stop, and each further one kills it: the restart policy begins anew. Outside of a container MAIN_PID names
the process, and 0 none.
"""

import os
import signal
import sys
import tempfile
import time
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path

import redis

FAILURES = 3
"""Checks that fail in a row before the process is told to stop."""
OLD = 240.0
"""Seconds without a finished task while messages wait: the longest task is over after 150, and sweeps come every 20."""
OLD_BEAT = 120.0
COUNT = Path(tempfile.gettempdir()) / f"failed-checks-{os.environ.get('MAIN_PID', '1')}"


def main(part: str, queue: str = "") -> int:
    """Check a part of the site; end its process where it has failed too often."""
    fault = {"web": web, "live": live, "worker": lambda: worker(queue), "beat": beat}[part]()
    if not fault:
        COUNT.unlink(missing_ok=True)
        return 0
    failures = 1 + (int(COUNT.read_text() or 0) if COUNT.exists() else 0)
    COUNT.write_text(str(failures))
    if failures >= FAILURES:
        for pid in main_processes():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM if failures == FAILURES else signal.SIGKILL)
    sys.stdout.write(f"{fault} ({failures})\n")
    return 1


def web() -> str:
    """Return what is wrong with the web server: it must answer, whatever else is away."""
    return answers(os.environ.get("PORT", "8000"))


def live() -> str:
    """Return what is wrong with the server of streams, of which the same is asked."""
    return answers(os.environ.get("LIVE_PORT", "8001"))


def answers(port: str) -> str:
    """Return why a server of this machine does not answer; nothing where it does."""
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=4)
    except (urllib.error.URLError, TimeoutError, ConnectionError) as error:
        return str(error)
    return ""


def worker(queue: str) -> str:
    """Return what is wrong with a worker: messages wait and none has been dealt with for a while.

    That the broker is away, or that nobody sends anything, is no fault of it.
    """
    age = age_of(os.environ["SIGN_OF_LIFE"])
    if age < OLD:
        return ""
    known = {"password": password} if (password := os.environ.get("REDIS_PASSWORD")) else {}
    client = redis.Redis.from_url(os.environ["REDIS_URL"], socket_connect_timeout=2, socket_timeout=2, **known)
    try:
        waiting = int(client.llen(queue))
    except redis.RedisError:
        return ""
    finally:
        client.close()
    return f"{waiting} messages wait, and none was dealt with for {age:.0f} s" if waiting else ""


def beat() -> str:
    """Return what is wrong with beat, which touches its file with every round."""
    age = age_of(os.environ["SIGN_OF_LIFE"])
    return f"no round for {age:.0f} s" if age > OLD_BEAT else ""


def age_of(path: str) -> float:
    """Return the seconds since a file was touched; one that is not there is as old as can be."""
    try:
        return max(0.0, time.time() - Path(path).stat().st_mtime)
    except FileNotFoundError:
        return float("inf")


def main_processes() -> list[int]:
    """Return the processes that the container's init started, or the one that MAIN_PID names."""
    named = os.environ.get("MAIN_PID")
    if named is not None:
        return [int(named)] if int(named) else []
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it ended meanwhile
            _state, parent, *_rest = stat.read_text().rpartition(")")[2].split()
            if parent == "1":
                found.append(int(stat.parent.name))
    return found


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
