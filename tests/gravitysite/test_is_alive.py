"""The health checks say what is so, and a part that stands still is ended, so that it is started anew."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
import redis

from tests.services import free_port

ROOT = Path(__file__).resolve().parents[2]
HOUR_AGO = -3600


@pytest.fixture
def main_process() -> Iterator[subprocess.Popen[bytes]]:
    """Return a process that stands for the container's, and does not hear SIGTERM."""
    stubborn = "import signal, time; signal.signal(15, signal.SIG_IGN); print(flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", stubborn], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process
        process.kill()


@pytest.fixture
def life(tmp_path: Path) -> Path:
    return tmp_path / "life"


def touch(life: Path, *, ago: int = 0) -> None:
    life.touch()
    moment = life.stat().st_mtime + ago
    os.utime(life, (moment, moment))


def check(*part: str, life: Path, redis_url: str = "", main: int = 0) -> int:
    """Run a health check."""
    environment = {
        **os.environ,
        "SIGN_OF_LIFE": str(life),
        "REDIS_URL": redis_url,
        "MAIN_PID": str(main),
        "TMPDIR": str(life.parent),
        "PORT": str(free_port()),
    }
    command = [sys.executable, "deploy/is_alive.py", *part]
    return subprocess.run(command, cwd=ROOT, env=environment, check=False, capture_output=True).returncode


@pytest.mark.redis
def test_a_worker_is_ill_if_messages_wait_and_it_has_not_worked_for_long(redis_url: str, life: Path) -> None:
    queue = f"queue-{uuid4().hex}"
    with redis.Redis.from_url(redis_url) as client:
        for waiting in (False, True):
            if waiting:
                client.rpush(queue, "a message")
            touch(life)
            assert check("worker", queue, life=life, redis_url=redis_url) == 0
            touch(life, ago=HOUR_AGO)
            assert check("worker", queue, life=life, redis_url=redis_url) == waiting
        life.unlink()
        assert check("worker", queue, life=life, redis_url=redis_url) == 1


def test_that_the_broker_is_away_is_no_fault_of_the_worker(life: Path) -> None:
    touch(life, ago=HOUR_AGO)
    assert check("worker", "mail", life=life, redis_url=f"redis://127.0.0.1:{free_port()}/0") == 0


def test_beat_is_ill_once_its_rounds_stop(life: Path) -> None:
    assert check("beat", life=life) == 1
    touch(life, ago=HOUR_AGO)
    assert check("beat", life=life) == 1
    touch(life)
    assert check("beat", life=life) == 0


def test_a_web_server_that_does_not_answer_is_ill(life: Path) -> None:
    assert check("web", life=life) == 1


def test_the_third_failure_in_a_row_stops_the_process_and_a_fourth_one_kills_it(
    life: Path, main_process: subprocess.Popen[bytes]
) -> None:
    pid = main_process.pid
    for _time in range(2):
        assert check("beat", life=life, main=pid) == 1
        assert check("beat", life=life, main=pid) == 1
        touch(life)
        assert check("beat", life=life, main=pid) == 0
        life.unlink()
    for _time in range(3):
        assert check("beat", life=life, main=pid) == 1
    assert main_process.poll() is None  # it was told to stop, and did not
    assert check("beat", life=life, main=pid) == 1
    assert main_process.wait(timeout=10) == -9
