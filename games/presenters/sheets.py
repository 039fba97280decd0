"""The site's style sheets as a drawing that stands alone needs them: rules for its parts, and colours worked out.

This is no parser of any CSS, but of ours: what it does not read it leaves out, and `tests/games/test_pictures.py`
sees to it that nothing is lacking in a picture.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Final

from django.contrib.staticfiles import finders

_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_IS: Final = re.compile(r":is\(([^()]*)\)")
_SIMPLE: Final = re.compile(r"([a-z]*)((?:\.[\w-]+)*)")
_CALL: Final = re.compile(r"(var|light-dark|color-mix|rgb)\(")


class Scheme(StrEnum):
    """What colours a picture has."""

    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class Compound:
    """What an element must be: its name, empty for any, and its classes."""

    tag: str
    classes: frozenset[str]

    def fits(self, tag: str, classes: frozenset[str]) -> bool:
        """Return whether an element is so."""
        return self.tag in {"", tag} and self.classes <= classes


@dataclass(frozen=True, slots=True)
class Rule:
    """Declarations for the elements that are as the last compound says, within others as those before it say."""

    compounds: tuple[Compound, ...]
    declarations: tuple[tuple[str, str], ...]

    @property
    def weight(self) -> tuple[int, int]:
        """How strong the rule is beside others: the later of two equal ones wins."""
        return sum(len(part.classes) for part in self.compounds), sum(bool(part.tag) for part in self.compounds)


@dataclass(frozen=True, slots=True)
class Sheet:
    """Rules, the weakest first, and the tokens of the whole page as they are written."""

    rules: tuple[Rule, ...]
    tokens: Mapping[str, str]


@lru_cache(maxsize=8)
def read_sheets(paths: tuple[str, ...]) -> Sheet:
    """Return static sheets as one, without what holds under conditions only. Raises `FileNotFoundError`."""
    rules: list[Rule] = []
    tokens: dict[str, str] = {}
    for path in paths:
        found = finders.find(path)
        if not found:
            raise FileNotFoundError(path)
        for selectors, block in _blocks(_COMMENT.sub("", Path(found).read_text("utf-8"))):
            declarations = tuple(_declarations(block))
            if selectors == ":root":
                tokens |= dict(declarations)
            else:
                rules += [Rule(compounds, declarations) for compounds in _selectors(selectors)]
    return Sheet(tuple(sorted(rules, key=lambda rule: rule.weight)), tokens)


def work_out(value: str, tokens: Mapping[str, str], scheme: Scheme) -> str:
    """Return a value without functions, colours in hexadecimal digits. Raises `KeyError` for a token there is not."""
    while found := _CALL.search(value):
        end = _closing(value, found.end())
        inner = _arguments(value[found.end() : end])
        match found[1]:
            case "var":
                known = tokens.get(inner[0])
                if known is None and len(inner) == 1:
                    raise KeyError(inner[0])
                made = inner[1] if known is None else known
            case "light-dark":
                made = inner[scheme == Scheme.DARK]
            case "color-mix":
                made = _mix(*(work_out(part, tokens, scheme) for part in inner[1:]))
            case _:
                made = _hex(work_out(inner[0], tokens, scheme))
        value = f"{value[: found.start()]}{made}{value[end + 1 :]}"
    return "none" if value == "transparent" else value


def _blocks(text: str) -> Iterator[tuple[str, str]]:
    """Yield the selectors and the declarations of each block that stands under no condition and in no layer."""
    start = 0
    while (opening := text.find("{", start)) >= 0:
        head = text[start:opening].rpartition(";")[2].strip()
        end = _closing(text, opening + 1, "{}")
        if not head.startswith("@"):
            yield " ".join(head.split()), text[opening + 1 : end]
        start = end + 1


def _closing(text: str, start: int, pair: str = "()") -> int:
    """Return where the bracket is closed that was opened before ``start``."""
    depth = 1
    for place in range(start, len(text)):
        depth += (text[place] == pair[0]) - (text[place] == pair[1])
        if not depth:
            return place
    raise ValueError(text)


def _arguments(text: str) -> list[str]:
    """Return what commas part that stand in no bracket."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def _declarations(block: str) -> Iterator[tuple[str, str]]:
    for declaration in block.split(";"):
        name, colon, value = declaration.partition(":")
        if colon:
            yield name.strip(), " ".join(value.split())


def _selectors(text: str) -> Iterator[tuple[Compound, ...]]:
    """Yield each of several selectors, those left out that ask for more than names, classes and what is around."""
    for selector in _arguments(text):
        grouped = _IS.search(selector)
        if grouped:
            for one in _arguments(grouped[1]):
                yield from _selectors(f"{selector[: grouped.start()]}{one}{selector[grouped.end() :]}")
            continue
        parts = [_SIMPLE.fullmatch(part) for part in selector.split()]
        if all(parts):
            yield tuple(Compound(part[1], frozenset(part[2].split(".")[1:])) for part in parts if part)


def _hex(text: str) -> str:
    """Return ``27 24 56 / 8%`` as a colour in hexadecimal digits."""
    colour, _slash, alpha = text.partition("/")
    digits = "".join(f"{int(part):02x}" for part in colour.split())
    return f"#{digits}{round(float(alpha.strip().removesuffix('%')) * 2.55):02x}" if alpha else f"#{digits}"


def _mix(first: str, other: str) -> str:
    """Return a mixture of two colours without transparency; the first says how much there is of it, in percent."""
    colour, _blank, percent = first.rpartition(" ")
    part = float(percent.removesuffix("%")) / 100
    pairs = zip(_channels(colour), _channels(other), strict=True)
    return "#" + "".join(f"{round(one * part + two * (1 - part)):02x}" for one, two in pairs)


def _channels(colour: str) -> Sequence[int]:
    digits = colour.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    return bytes.fromhex(digits)[:3]
