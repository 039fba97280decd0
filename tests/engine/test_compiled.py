"""The compiled engine: used where it is built from the present sources, and nowhere else."""

import os
import subprocess
import sys
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

from engine import compiled

TELL = "from engine import compiled; import engine.gravity.rules; print(compiled.running())"


@pytest.fixture
def copy(tmp_path, monkeypatch):
    """Return the folder of a copy of the engine's sources, without a build; `compiled.folder` looks there."""
    engine = tmp_path / "engine"
    copytree(compiled.ENGINE, engine, ignore=ignore_patterns("fast", "__pycache__"))
    monkeypatch.setattr(compiled, "ENGINE", engine)
    monkeypatch.setattr(compiled, "BUILDS", engine / "fast")
    return engine


def run(copy: Path, engine: str = "") -> subprocess.CompletedProcess[str]:
    """Ask the copy which engine it runs."""
    return subprocess.run(
        [sys.executable, "-B", "-c", TELL],
        cwd=copy.parent,
        env={**os.environ, "ENGINE": engine},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_modules_that_run_are_those_that_were_asked_for():
    assert os.environ.get("ENGINE", compiled.running()) in {compiled.running(), ""}
    files = [str(import_module(name).__file__) for name in compiled.MODULES]
    assert [file.endswith(".py") for file in files] == [compiled.running() == "plain"] * len(files)


def test_without_a_build_the_sources_run(copy):
    assert run(copy).stdout == "plain\n"


def test_who_insists_on_a_build_is_told_how_to_make_one(copy):
    refused = run(copy, "fast")
    assert refused.returncode == 1
    assert refused.stderr.endswith("ImportError: There is no build of these sources of the engine: make engine-fast\n")


def test_a_build_of_other_sources_is_not_used(copy):
    broken = compiled.folder()
    broken.mkdir(parents=True)
    for name in compiled.MODULES:
        (broken / f"{name}{EXTENSION_SUFFIXES[0]}").write_text("not a module")
    assert "ImportError" in run(copy).stderr, "the build of these sources is used"
    assert run(copy, "plain").stdout == "plain\n"
    with (copy / "errors.py").open("a") as source:
        source.write("# changed\n")
    assert run(copy).stdout == "plain\n"


@pytest.mark.parametrize("source", ["contract.py", "gravity/rules.py", "gravity/bots/greedy.py"])
def test_a_change_of_any_source_asks_for_another_build(copy, source):
    before = compiled.folder()
    (copy / source).write_text((copy / source).read_text() + "\n")
    assert compiled.folder() != before
