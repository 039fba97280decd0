"""The map names every module, the picture of the house every room, and what a text points to is there."""

import ast
import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
LAW = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def modules() -> dict[str, str]:
    """Return all modules that hold code, packages by their folder, each with the first line of its docstring."""
    found = {}
    for package in LAW["root_packages"]:
        for source in (ROOT / package).rglob("*.py"):
            path, text = source.relative_to(ROOT), source.read_text("utf-8")
            if "migrations" in path.parts or not text.strip():
                continue
            name = f"{path.parent.as_posix()}/" if path.name == "__init__.py" else path.as_posix()
            found[name] = (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0]
    return found


def test_the_map_has_one_line_for_each_module_and_none_for_what_is_gone() -> None:
    listed = Counter(re.findall(r"^\| `([\w/.]+)` \| .+ \|$", PAGE.partition("## Map")[2], re.MULTILINE))
    assert [path for path, count in listed.items() if count > 1] == []
    found = modules()
    lacking = [f"| `{path}` | {found[path]} |" for path in sorted(set(found) - set(listed))]
    assert not lacking, "\n".join(["Add to the map in docs/architecture.md, in plain words:", *lacking])
    assert sorted(set(listed) - set(found)) == []


def test_the_picture_of_the_house_names_every_room() -> None:
    picture = (ROOT / "docs" / "house.svg").read_text("utf-8")
    rooms = next(contract["layers"] for contract in LAW["contracts"] if contract["id"] == "rooms")
    names = [name for layer in rooms for name in layer.replace("|", " ").split()]
    assert names
    assert [name for name in names if f">{name}</text>" not in picture] == []


@pytest.mark.parametrize("text", PAGES, ids=lambda path: path.name)
def test_a_link_or_path_in_a_text_leads_somewhere(text: Path) -> None:
    words = re.sub(r"^```.*?^```", "", text.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", words) if "://" not in link]
    assert [link for link in links if link and not (text.parent / link).exists()] == []
    roots = "|".join([*LAW["root_packages"], "benchmarks", "docs", "scripts", "static", "templates", "tests"])
    paths = re.findall(rf"`((?:{roots})/[\w/.-]+)`", words)
    assert [path for path in paths if not (ROOT / path).exists()] == []
