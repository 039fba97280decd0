"""A site of an older version is brought up to date by its migrations alone, and is played on."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests import leftovers

ROOT = Path(__file__).resolve().parents[2]
EXPORT = Path(__file__).with_name("export.jsonl")
"""What the older version's own `export_games` wrote of the same rows."""


def upgrade(url: str, folder: Path) -> dict[str, Any]:
    """Run the older site's upgrade on an empty database and return what was seen."""
    environment = leftovers.environment(DEBUG="1", DATABASE_URL=url, DATA_DIR=str(folder), LOG_LEVEL="ERROR")
    command = [sys.executable, "-m", "tests.upgrade.site_process"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    seen: dict[str, Any] = json.loads(done.stdout)
    return seen


def check(seen: dict[str, Any]) -> None:
    exported = [json.loads(line) for line in EXPORT.read_text().splitlines()]
    documents = [json.loads(line) for line in seen["exported"]]
    newer = ("people", "alive")  # which the older version did not write
    assert all(document.pop(name) for document in documents for name in newer)
    assert {document["game"].pop("name") for document in documents} == {""}  # no game had one
    assert {document["game"].pop("players_only") for document in documents} == {False}
    assert {document["game"].pop("takes_bots") for document in documents} == {False}
    assert [document.pop("planned") for document in documents] == [[]] * len(documents)
    assert documents == exported
    assert seen["verified"][-1].endswith("0 with differences")
    assert seen["verified afterwards"][-1].endswith("0 with differences")
    before = {document["game"]["key"]: document["game"] for document in exported}
    assert seen["played"]
    assert seen["played"] == {key: before[key]["seq"] + 1 for key in seen["played"]}
    assert all(seen["lines"])
    assert seen["waiting"] > 0
    assert seen["mails"] > 0
    assert ["sent", ""] in seen["warned as before"]
    assert ["sent"] in seen["warned"]


@pytest.mark.slow
def test_an_older_site_on_sqlite_is_brought_up_to_date_and_played_on(tmp_path: Path) -> None:
    check(upgrade(f"sqlite:///{tmp_path / 'db.sqlite3'}", tmp_path))


@pytest.mark.pg
def test_an_older_site_on_postgresql_is_brought_up_to_date_and_played_on(pg_database: str, tmp_path: Path) -> None:
    check(upgrade(pg_database, tmp_path))
