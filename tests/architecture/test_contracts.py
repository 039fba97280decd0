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
    ("houses", "games/labels.py", "import gravitysite.celery"),
    ("engine-pure", "engine/contract.py", "import django.utils.timezone"),
    ("inside-games", "games/errors.py", "import games.models"),
    ("inside-games", "games/models.py", "import games.records"),
    ("inside-games", "games/records.py", "import games.queries"),
    ("inside-games", "games/queries.py", "import games.forms"),
    ("inside-games", "games/commands/lock.py", "import games.tasks"),
    ("inside-games", "games/forms.py", "import games.views"),
    ("inside-games", "games/tasks.py", "import games.urls"),
    ("one-game", "games/queries.py", "import games.gravity.board"),
    ("one-game", "games/commands/lock.py", "import engine.gravity.state"),
]


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
