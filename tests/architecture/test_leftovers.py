"""A test run that is cut short leaves nothing behind."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from tests.services import PATIENCE, wait_until

ROOT = Path(__file__).resolve().parents[2]
CUT_SHORT = """
import subprocess, sys, time
from pathlib import Path
from tests import leftovers

def test_that_starts_things(pg_database):
    command = [sys.executable, "-c", "import time; time.sleep(600)"]
    child = subprocess.Popen(command, env=leftovers.environment(), start_new_session=True)
    ready = Path({ready!r})
    folder = leftovers.folder("cut")
    fresh = ready.with_suffix(".new")
    fresh.write_text(f"{{child.pid}} {{pg_database.rpartition('/')[2]}} {{folder}}")
    fresh.rename(ready)
    time.sleep(600)
"""


def is_there(process: int) -> bool:
    """Return whether a process runs; one that has ended and that nobody has asked about does not."""
    stat = Path("/proc", str(process), "stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="processes are found by what Linux says of them")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_run_that_is_cut_short_leaves_nothing_behind(postgresql_server: str, tmp_path: Path, how: int) -> None:
    ready, file = tmp_path / "ready", tmp_path / "test_cut_short.py"
    file.write_text(CUT_SHORT.format(ready=str(ready)))
    (tmp_path / "conftest.py").write_text("from tests.conftest import *")
    environment = {name: value for name, value in os.environ.items() if name not in {"TEST_RUN", "TEST_HOME"}}
    command = [sys.executable, "-m", "pytest", "-n", "1", "-c", str(ROOT / "pyproject.toml"), str(file)]
    with (tmp_path / "said").open("w+") as said:
        run = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=said, stderr=said)
        try:
            wait_until(lambda: ready.exists() or run.poll() is not None, what="the test within", seconds=120)
            assert run.poll() is None, (tmp_path / "said").read_text()
            process, database, folder = ready.read_text().split()
            run.send_signal(how)
            run.wait(timeout=PATIENCE)
        finally:
            run.kill()
    wait_until(lambda: not is_there(int(process)), what="the end of what was started", seconds=PATIENCE)
    wait_until(lambda: not Path(folder).exists(), what="the removal of the folder", seconds=PATIENCE)
    with psycopg.connect(f"{postgresql_server}/postgres") as connection:
        assert connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [database]).fetchone() is None
