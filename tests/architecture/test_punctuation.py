"""Words and what stands between them belong to the language: nothing of either is written in a template or in code."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]
TEMPLATES: Final = sorted(path for path in (ROOT / "templates").rglob("*.*") if path.suffix != ".js")
ROOMS: Final = (
    "accounts",
    *(f"games/{room}" for room in ("api", "mail", "notices", "presenters", "templatetags", "web", "words")),
)
"""Where sentences for people are made."""
TRANSLATED: Final = re.compile(r"{%\s*blocktrans(?:late)?\b.*?{%\s*endblocktrans(?:late)?\s*%}", re.DOTALL)
UNSEEN: Final = re.compile(
    r"{#.*?#}|{%\s*(?:comment|block body_class).*?(?:endcomment|endblock)\s*%}"
    r"|<(style|script|path|code)\b.*?</\1>|<!--.*?-->",
    re.DOTALL,
)
TAG: Final = re.compile(r"<[!/a-zA-Z](?:{[{%].*?[%}]}|[^>])*>", re.DOTALL)
READ_ALOUD: Final = re.compile(r'\b(?:alt|aria-label|placeholder|title|label)="([^"{]*)["{]')
JOINED: Final = re.compile(r"""\|join:(?:"[^"]*[^\s"][^"]*"|'[^']*[^\s'][^']*')""")
ALLOWED: Final = {"Gravity Superstar", "· Gravity Superstar", "Ada", "Bo"}
"""Names, which are the same in every language."""


def literal_texts(source: str) -> Iterator[str]:
    """Yield what a template says outside of its translated texts: words, and punctuation beside what it fills in."""
    source = UNSEEN.sub("", TRANSLATED.sub("\0", source))
    yield from READ_ALOUD.findall(source)
    yield from JOINED.findall(source)
    source = re.sub(r"{%.*?%}|{{.*?}}", "\0", TAG.sub("\n", source), flags=re.DOTALL)
    yield from re.split(r"[\0\n]+", source)


def faults_of_template(source: str) -> list[str]:
    return [
        text.strip()
        for text in literal_texts(source)
        if text.strip() not in ALLOWED and re.search(r"[^\W\d_]{2}|[:,;!?()“”«»„]", re.sub(r"&#?\w+;", "", text))
    ]


def faults_of_code(source: str) -> list[str]:
    """Return the separators that code writes between words: in a join, or in a text that it fills in."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "join":
            by = node.func.value
            if isinstance(by, ast.Constant) and isinstance(by.value, str) and re.search(r"[:,;]", by.value):
                found.append(ast.unparse(node))
    return found


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("<p>{{ label }}: {{ value }}</p>", ":"),
        ('{{ names|join:", " }}', '|join:", "'),
        ("<p>Hello there</p>", "Hello there"),
        ('<a title="Go {{ there }}">x</a>', "Go"),
        ("{% translate 'Since' %}: {{ x }}", ":"),
        ("({{ x }})", "("),
    ],
)
def test_what_is_written_in_a_template_is_found(source: str, fault: str) -> None:
    assert fault in faults_of_template(source)


def test_what_is_translated_is_no_fault() -> None:
    source = (
        '<p class="a, b">{% blocktranslate %}Hello: {{ x }}, you{% endblocktranslate %} {% translate "Now, then" %}</p>'
    )
    assert faults_of_template(source) == []


def test_a_separator_in_code_is_found() -> None:
    assert faults_of_code('", ".join(names)') == ["', '.join(names)"]
    assert faults_of_code('" ".join(names)') == []


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT / "templates")))
def test_no_template_writes_words_or_punctuation_of_its_own(template: Path) -> None:
    assert faults_of_template(template.read_text()) == []


def test_no_code_puts_punctuation_between_words_for_people() -> None:
    found = {}
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            if "migrations" not in path.parts and (faults := faults_of_code(path.read_text())):
                found[str(path.relative_to(ROOT))] = faults
    assert found == {}
