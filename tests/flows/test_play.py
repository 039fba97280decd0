"""``manage.py play`` in real processes: a newcomer's whole site."""

import http.client
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.leftovers import environment
from tests.services import HOST, PATIENCE, free_port, wait_until

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def playing(folder: Path, port: int) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "manage.py", "play"],
        cwd=ROOT,
        env=environment(DEBUG="1", PORT=str(port), DATA_DIR=str(folder)),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        wait_until(lambda: answers(port), what="the site")
        yield process
    finally:
        process.kill()
        process.communicate()


def answers(port: int) -> bool:
    with suppress(OSError):
        return fetch(port, "/accounts/login/")[0] == 200
    return False


def fetch(port: int, path: str, form: dict[str, str] | None = None, cookie: str = "") -> tuple[int, str, str]:
    """Return status, cookies and text of one answer."""
    connection = http.client.HTTPConnection(HOST, port, timeout=30)
    headers = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}
    connection.request("POST" if form else "GET", path, urlencode(form) if form else None, headers)
    answer = connection.getresponse()
    cookies = "; ".join(value.split(";")[0] for name, value in answer.getheaders() if name.lower() == "set-cookie")
    text = answer.read().decode()
    connection.close()
    return answer.status, cookies, text


def sign_in(port: int, email: str, password: str) -> int:
    _status, cookie, text = fetch(port, "/accounts/login/")
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', text)
    assert token
    form = {"csrfmiddlewaretoken": token[1], "login": email, "password": password}
    return fetch(port, "/accounts/login/", form, cookie)[0]


def rows(folder: Path, table: str) -> int:
    with sqlite3.connect(folder / "db.sqlite3") as database:
        return int(database.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


@pytest.mark.slow
def test_the_site_starts_with_a_demo_game_survives_a_kill_and_stops_on_ctrl_c(tmp_path: Path) -> None:
    port = free_port()
    with playing(tmp_path, port) as process:
        assert sign_in(port, "ada@demo.example", "gravity-demo") == 302
        assert sign_in(port, "bo@demo.example", "wrong") == 200
        before = rows(tmp_path, "games_entry")
        assert before >= 5
        process.kill()
    with playing(tmp_path, port) as process:
        assert (rows(tmp_path, "games_game"), rows(tmp_path, "games_entry")) == (1, before)
        assert sign_in(port, "bo@demo.example", "gravity-demo") == 302
        process.send_signal(signal.SIGINT)
        said, _errors = process.communicate(timeout=20)
    assert process.returncode == 0
    assert f"http://localhost:{port}" in said
    assert "ada@demo.example or bo@demo.example with the password gravity-demo" in said
    assert said.rstrip().endswith("Stopped.")


def refused(**variables: str) -> str:
    """Return what ``manage.py play`` says when it does not start."""
    command = [sys.executable, "manage.py", "play"]
    done = subprocess.run(
        command, cwd=ROOT, env=environment(**variables), capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert done.returncode == 1
    return done.stderr


@pytest.mark.slow
def test_a_port_that_is_taken_is_named_with_a_way_out(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = refused(DEBUG="1", PORT=str(port), DATA_DIR=str(tmp_path))
    assert f"Port {port} can't be used" in said
    assert "make play PORT=" in said


def test_the_whole_site_in_one_process_is_refused_in_production(tmp_path: Path) -> None:
    said = refused(
        DEBUG="0",
        SECRET_KEY="x" * 60,
        SITE_URL="http://localhost",
        DATABASE_URL=f"sqlite:///{tmp_path}/db.sqlite3",
        REDIS_URL="redis://localhost",
        MAIL_URL="smtp://localhost",
    )
    assert "set DEBUG=1" in said
