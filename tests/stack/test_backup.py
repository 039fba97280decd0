"""A database dump, and an export of games, of a site that runs: restored elsewhere, every log still replays."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from uuid import uuid4

import pytest

from tests.conftest import NO_POSTGRESQL
from tests.stack.people import Database, make_people
from tests.stack.servers import find_postgres_programs
from tests.stack.stack import ROOT, Stack

pytestmark = [pytest.mark.pg, pytest.mark.redis, pytest.mark.slow]


def test_a_dump_of_a_running_site_is_restored_as_operations_describes_and_verifies(
    running_stack: Stack, postgresql_server: str, tmp_path: Path
) -> None:
    programs = find_postgres_programs()
    if programs is None:
        pytest.skip(NO_POSTGRESQL)
    database = Database(running_stack.database_url)
    (eve,) = make_people(running_stack, f"Eve {uuid4().hex[:6]}".replace(" ", ""))
    rng = Random(21)
    key = eve.create_game(2, "nova:2")
    for _turn in range(5):
        running_stack.wait(lambda: database.game(key)["mover"] == eve.name, what="the computer player's turn")
        eve.play(key, database.seq(key), database.choose_turn(key, rng))
    dump = tmp_path / "site.dump"
    name = f"gs_restored_{uuid4().hex[:8]}"
    subprocess.run([programs / "pg_dump", "--format=custom", f"--file={dump}", database.url], check=True)

    server = Database(f"{postgresql_server}/postgres")
    server.run(f"CREATE DATABASE {name}")
    try:
        subprocess.run(
            [programs / "pg_restore", "--no-owner", "--exit-on-error", f"--dbname={postgresql_server}/{name}", dump],
            check=True,
        )
        restored = replace(running_stack, database_url=f"{postgresql_server}/{name}", home=tmp_path, processes={})
        restored.verify()
        entries = Database(restored.database_url).entries(key)
        assert entries == database.entries(key)[: len(entries)]
        assert len(entries) >= 5
        with pytest.raises(Exception, match="append-only"):
            Database(restored.database_url).run("DELETE FROM games_entry")
        exported = restored.manage("export_games", key)
        assert exported.returncode == 0, exported.stderr
        imported = restored.manage("import_games", "-", input_text=exported.stdout)
        assert imported.stdout == "0 games stored, 1 there already, 0 refused\n", imported.stderr
        record = tmp_path / "record.json"
        record.write_text(json.dumps(json.loads(exported.stdout)["record"]))
        checked = subprocess.run([sys.executable, "-m", "engine", "verify", record], cwd=ROOT, check=False)
        assert checked.returncode == 0
    finally:
        server.run(f"DROP DATABASE {name} WITH (FORCE)")
