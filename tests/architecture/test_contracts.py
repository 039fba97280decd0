"""The contracts of imports hold, and each of them notices a break."""

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("engine", "accounts", "games", "gravitysite")
LINT = Path(sys.executable).parent / "lint-imports"
PLANTS = [
    ("houses", "engine/errors.py", "import accounts.names"),
    ("houses", "accounts/names.py", "import engine.errors"),
    ("houses", "accounts/views.py", "import games.models"),
    ("houses", "games/models/choices.py", "import gravitysite.celery"),
    ("engine-pure", "engine/contract.py", "import django.utils.timezone"),
    ("rooms", "games/web/context.py", "import games.urls"),
    ("rooms", "games/web/context.py", "import games.tasks"),
    ("rooms", "games/tasks/sweep.py", "import games.web.context"),
    ("rooms", "games/api/documents.py", "import games.web.log_lines"),
    ("rooms", "games/mail/render.py", "import games.tasks"),
    ("rooms", "games/mail/render.py", "import games.api.documents"),
    ("rooms", "games/presenters/protocol.py", "import games.mail.content"),
    ("rooms", "games/admin.py", "import games.presenters.registry"),
    ("rooms", "games/queries/lists.py", "import games.presenters.registry"),
    ("rooms", "games/queries/lists.py", "import games.admin"),
    ("rooms", "games/commands/_lock.py", "import games.queries.lists"),
    ("rooms", "games/timing/deadlines.py", "import games.commands"),
    ("rooms", "games/notices/outbox.py", "import games.commands"),
    ("rooms", "games/notices/outbox.py", "import games.timing.deadlines"),
    ("rooms", "games/log/table.py", "import games.timing.deadlines"),
    ("rooms", "games/log/table.py", "import games.notices.models"),
    ("rooms", "games/words/time.py", "import games.log.table"),
    ("rooms", "games/models/game.py", "import games.words.time"),
    ("rooms", "games/errors.py", "import games.models"),
    ("rooms", "games/errors.py", "import games.clock"),
    ("rooms", "games/clock/turns.py", "import games.errors"),
    ("no-circles", "games/models/choices.py", "import games.models.game"),
    ("no-circles", "engine/gravity/board.py", "import engine.gravity.state"),
    ("clock-pure", "games/clock/turns.py", "import django.utils.timezone"),
    ("clock-pure", "games/clock/turns.py", "import celery"),
    ("clock-pure", "games/clock/turns.py", "import accounts.zones"),
    ("clock-pure", "games/clock/turns.py", "import engine.contract"),
    ("clock-pure", "games/clock/turns.py", "import engine.errors"),
    ("clock-pure", "games/clock/errors.py", "import engine.contract"),
    ("clock-pure", "games/clock/turns.py", "import games.models.choices"),
    ("one-presenter", "games/web/views/game_page.py", "import games.presenters.gravity.board"),
    ("one-engine", "games/commands/_lock.py", "import engine.gravity.state"),
]
UNPLACED = "games/attic.py"
"""A module that has no place among the rooms."""


def lint(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str(LINT), "--no-cache", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tree")
    shutil.copy(ROOT / "pyproject.toml", folder)
    for package in PACKAGES:
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def test_every_contract_holds(tree: Path) -> None:
    done = lint(tree)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(("contract", "module", "planted"), PLANTS)
def test_a_contract_notices_a_planted_break(tree: Path, contract: str, module: str, planted: str) -> None:
    source = tree / module
    before = source.read_text()
    source.write_text(f"{before}\n{planted}\n")
    try:
        done = lint(tree, "--contract", contract)
    finally:
        source.write_text(before)
    assert done.returncode == 1, done.stdout
    assert "BROKEN" in done.stdout


def test_the_engine_imports_only_the_standard_library_and_itself() -> None:
    foreign = set()
    for source in (ROOT / "engine").rglob("*.py"):
        for node in ast.walk(ast.parse(source.read_text())):
            match node:
                case ast.Import(names=names):
                    modules = [name.name for name in names]
                case ast.ImportFrom(module=str(module), level=0):
                    modules = [module]
                case _:
                    modules = []
            foreign |= {
                module for module in modules if module.split(".")[0] not in {"engine", *sys.stdlib_module_names}
            }
    assert not foreign


def test_a_module_without_a_place_among_the_rooms_is_noticed(tree: Path) -> None:
    source = tree / UNPLACED
    source.write_text('"""Nowhere."""\n')
    try:
        done = lint(tree, "--contract", "rooms")
    finally:
        source.unlink()
    assert done.returncode == 1, done.stdout
    assert "attic" in done.stdout
