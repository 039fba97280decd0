"""The rulings of docs/rulings.md, the functions that cite them and the tests that are named after them agree."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
RULINGS = re.findall(r"^- \*\*(R\d+)\*\* ", (ROOT / "docs" / "rulings.md").read_text("utf-8"), re.MULTILINE)


def found(folder: str, pattern: str) -> set[str]:
    """Return what a pattern finds in all Python files of a folder."""
    return {hit for path in (ROOT / folder).rglob("*.py") for hit in re.findall(pattern, path.read_text("utf-8"))}


def test_the_rulings_are_numbered_from_one_without_a_gap() -> None:
    assert [f"R{number}" for number in range(1, len(RULINGS) + 1)] == RULINGS
    assert len(RULINGS) >= 24


def test_every_ruling_is_cited_in_the_engine_and_every_cited_one_exists() -> None:
    assert found("engine", r"\bR\d+\b") == set(RULINGS)


def test_every_ruling_has_a_test_named_after_it() -> None:
    assert {f"R{number}" for number in found("tests/engine", r"\bdef test_r(\d+)_")} == set(RULINGS)
