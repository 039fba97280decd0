"""The audit of what the lock pins finds what is known, and says so where it can't ask."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.services import free_port

ROOT = Path(__file__).resolve().parents[2]
KNOWN = {
    "id": "GHSA-test-test-test",
    "modified": "2026-01-01T00:00:00Z",
    "published": "2026-01-01T00:00:00Z",
    "summary": "It falls over",
    "affected": [
        {
            "package": {"ecosystem": "PyPI", "name": "whitenoise"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}]}],
        }
    ],
}


class Advisories(BaseHTTPRequestHandler):
    """An OSV service that knows one thing about one package, or nothing."""

    vulnerable = ""

    def answer(self, document: Any) -> None:
        body = json.dumps(document).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        names = [query["package"]["name"] for query in asked["queries"]]
        known = {"vulns": [{"id": KNOWN["id"], "modified": KNOWN["modified"]}]}
        self.answer({"results": [known if name == self.vulnerable else {} for name in names]})

    def do_GET(self) -> None:
        self.answer(KNOWN)

    def log_message(self, *_args: object) -> None:
        """Say nothing."""


@pytest.fixture
def advisories() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), Advisories) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def audit(address: str) -> tuple[int, str]:
    command = [sys.executable, "scripts/audit.py", address]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(("vulnerable", "status"), [("", 0), ("whitenoise", 1)])
def test_a_known_vulnerability_of_what_is_locked_fails(
    advisories: str, monkeypatch: pytest.MonkeyPatch, vulnerable: str, status: int
) -> None:
    monkeypatch.setattr(Advisories, "vulnerable", vulnerable)
    found, said = audit(advisories)
    assert (found, "GHSA-test-test-test" in said) == (status, bool(status)), said


def test_advisories_that_can_not_be_reached_are_said_not_to_have_been_asked() -> None:
    status, said = audit(f"http://127.0.0.1:{free_port()}/")
    assert status == 0
    assert "the dependencies were NOT audited" in said
