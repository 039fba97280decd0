"""Templates and sheets are short; a rule, a token and a name in a sheet stand once and are used."""

import gzip
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHEETS, SCRIPTS = (
    sorted(path for path in (ROOT / "static").rglob(ending) if "vendor" not in path.parts)
    for ending in ("*.css", "*.js")
)
DRAWINGS = sorted((ROOT / "static" / "games").rglob("*.svg"))
TEMPLATES = sorted(path for path in (ROOT / "templates").rglob("*") if path.is_file())
LINES = 400
MOST_SCRIPT = 37_000
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
PART = re.compile(r"([^{};]*)([{};])")
NAME = re.compile(r"[.#]([A-Za-z_][\w-]*)")
MADE = re.compile(r"(seat|card|star|board|tile|trail|turned|pick|verdict)-\w+|[cr]\d+|htmx-request|errorlist|nonfield")
"""Names that are put together in a template, or given by Django or htmx."""


def rules(path: Path) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """Yield (conditions around it, selector, a declaration of it); layers are no conditions, but a sheet may be one."""
    around: list[str] = []
    linked = ("contrast",) if path.name == "contrast.css" else ()  # a condition of the link
    for text, end in PART.findall(COMMENT.sub("", path.read_text("utf-8"))):
        words = " ".join(text.split())
        if end == "{":
            around.append(words)
        elif words and around:
            conditions = linked + tuple(part for part in around[:-1] if not part.startswith("@layer"))
            yield conditions, around[-1], words
        if end == "}":
            around.pop()


@pytest.mark.parametrize("path", [*SHEETS, *TEMPLATES], ids=lambda path: str(path.relative_to(ROOT)))
def test_a_sheet_or_template_is_short(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= LINES


def test_all_script_of_the_site_is_little_to_send() -> None:
    scripts = [path.read_bytes() for path in (ROOT / "static").rglob("*.js")]
    assert sum(len(gzip.compress(script)) for script in scripts) < MOST_SCRIPT


def test_a_scheme_changes_nothing_but_colours() -> None:
    asking = [path.name for path in (*SHEETS, *SCRIPTS) if "prefers-color-scheme" in path.read_text("utf-8")]
    themed = [rule for path in SHEETS for rule in rules(path) if re.search(r"theme-(dark|light)", rule[1])]
    assert asking == []
    assert {declaration.partition(":")[0] for _conditions, _selector, declaration in themed} == {"color-scheme"}


def test_a_token_has_one_value_a_condition() -> None:
    given = Counter(
        (conditions, selector, declaration.partition(":")[0])
        for path in SHEETS
        for conditions, selector, declaration in rules(path)
        if declaration.startswith("--")
    )
    assert [token for token, times in given.items() if times > 1] == []


def test_a_selector_has_one_block_a_condition() -> None:
    opened: Counter[tuple[tuple[str, ...], str]] = Counter()
    for path in SHEETS:
        last = None
        for conditions, selector, _declaration in rules(path):
            if (conditions, selector) != last and not selector.startswith(("@font-face", ":root")):
                opened[conditions, selector] += 1
            last = (conditions, selector)
    assert [rule for rule, times in opened.items() if times > 1] == []


def test_a_token_is_used() -> None:
    text = "".join(path.read_text("utf-8") for path in [*SHEETS, *DRAWINGS])
    tokens = set(re.findall(r"(--[\w-]+):", text))
    assert [token for token in sorted(tokens) if f"var({token}" not in text] == []


def test_a_name_in_a_sheet_is_used() -> None:
    sources = [
        *TEMPLATES,
        *SCRIPTS,
        *DRAWINGS,
        *(ROOT / "games").rglob("*.py"),
        *(ROOT / "gravitysite").rglob("*.py"),
    ]
    used = set(re.findall(r"[\w-]+", "".join(path.read_text("utf-8") for path in sources)))
    for path in SHEETS:
        names = {name for _, selector, _ in rules(path) for name in NAME.findall(selector)}
        assert [name for name in sorted(names - used) if not MADE.fullmatch(name)] == [], path.name
