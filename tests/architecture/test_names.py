"""The names of tests are sentences that fit on a line."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 79


def names() -> Iterator[str]:
    """Yield the name of each function of the tests."""
    for source in sorted((ROOT / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(source.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node.name


def test_the_name_of_a_test_fits_on_a_line() -> None:
    found = list(names())
    assert any(name.startswith("test_") for name in found)
    assert [name for name in found if len(name) > LONGEST] == []
