"""A drawing of a page made to stand alone: as an image it knows no sheet, no font and no theme of the page around it.

Classes and tokens are worked out as a browser does it, through ``<use>`` too: a symbol that is seen in several
colours is written down once for each. Letters become outlines. What nothing refers to is left out.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from xml.etree import ElementTree as ET
from xml.sax.saxutils import escape, quoteattr

from games.presenters.letters import LETTERS
from games.presenters.sheets import Rule, Scheme, Sheet, read_sheets, work_out

_PAINT: Final = ("fill", "fill-opacity", "fill-rule", "opacity", "stop-color", "stop-opacity")
_PEN: Final = ("", "-width", "-linecap", "-linejoin", "-dasharray", "-opacity")
STYLES: Final = frozenset({*_PAINT, *(f"stroke{part}" for part in _PEN)})
"""What is kept of a rule as it is; `_Drawing` sees to letters, to what is moved and to what may spill over."""
READ: Final = STYLES | {"translate", "overflow", "font", "font-size"}
LETTERING: Final = frozenset({"font", "font-family", "font-size", "font-weight", "text-anchor"})
_PIXELS: Final = re.compile(r"([\d.]+)px")
DROPPED: Final = frozenset({"class", "id", "role", "aria-labelledby", "aria-hidden"})
WORDS: Final = frozenset({"title", "desc"})

type Tokens = tuple[tuple[str, str], ...]
"""The tokens that an element and what is in it have for themselves, with their values."""


def stand_alone(drawing: str, sheets: Sequence[str], scheme: Scheme, *, ground: str) -> str:
    """Return an ``<svg>`` element as a document, in the colours that these sheets give it by light or by dark.

    ``ground`` is the token of the colour beneath. The drawing has a ``viewBox`` and is the site's own: nothing else is
    read here. Raises `KeyError` for a token, a symbol or a letter that there is not.
    """
    return _Drawing(ET.fromstring(drawing), read_sheets(tuple(sheets)), scheme).document(ground)  # noqa: S314


@dataclass(frozen=True, slots=True)
class _Place:
    """An element with what it stands in, as rules see it."""

    element: ET.Element
    tag: str
    classes: frozenset[str]
    around: "_Place | None"

    @classmethod
    def of(cls, element: ET.Element, around: "_Place | None") -> "_Place":
        return cls(element, element.tag, frozenset(element.get("class", "").split()), around)

    def fits(self, rule: Rule) -> bool:
        """Return whether a rule is about this element."""
        *outer, own = rule.compounds
        if not own.fits(self.tag, self.classes):
            return False
        place = self.around
        while outer:
            if place is None:
                return False
            if outer[-1].fits(place.tag, place.classes):
                outer.pop()
            place = place.around
        return True


@dataclass(slots=True)
class _Drawing:
    root: ET.Element
    sheet: Sheet
    scheme: Scheme
    named: dict[str, _Place] = field(default_factory=dict)
    styles: dict[str, str] = field(default_factory=dict)
    """The name of each set of declarations."""
    written: dict[tuple[str, Tokens], str] = field(default_factory=dict)
    """The name of each definition, by the name it had and the tokens it is seen with."""
    definitions: list[str] = field(default_factory=list)
    letters: set[str] = field(default_factory=set)

    def document(self, ground: str) -> str:
        """Return the whole document, on a ground with round corners."""
        top = _Place.of(self.root, None)
        self._find_names(top)
        inner = "".join(self._inside(top, ()))
        words = "".join(
            f"<{child.tag}>{escape(child.text or '')}</{child.tag}>" for child in self.root if child.tag in WORDS
        )
        outlines = "".join(f'<path id="t{letter}" d="{LETTERS[letter][1]}"/>' for letter in sorted(self.letters))
        colour = work_out(f"var({ground})", self.sheet.tokens, self.scheme)
        rules = "".join(f".{name}{{{style}}}" for style, name in self.styles.items())
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{self.root.get("viewBox")}">'
            f"{words}<style>{rules}</style><defs>{outlines}{''.join(self.definitions)}</defs>"
            f'<rect width="100%" height="100%" rx="14" fill="{colour}"/>{inner}</svg>'
        )

    def _find_names(self, place: _Place) -> None:
        name = place.element.get("id")
        if name:
            self.named[name] = place
        for child in place.element:
            self._find_names(_Place.of(child, place))

    def _inside(self, place: _Place, tokens: Tokens) -> Iterator[str]:
        for child in place.element:
            if child.tag != "defs" and child.tag not in WORDS:
                yield self._write(_Place.of(child, place), tokens)

    def _write(self, place: _Place, tokens: Tokens, name: str = "") -> str:
        """Return an element with all that is in it, under a new name where it is a definition."""
        element = place.element
        style, tokens = self._styled(place, tokens)
        if element.tag == "text":
            return self._outlined(place, style)
        attributes = {
            key: value
            for key, value in element.attrib.items()
            if key not in DROPPED and key[:5] != "data-" and not _is_style(key, value)
        }
        if name:
            attributes["id"] = name
        for key, value in attributes.items():
            if key == "href":
                attributes[key] = "#" + self._definition(value[1:], tokens)
            elif value.startswith("url(#"):
                attributes[key] = f"url(#{self._definition(value[5:-1], ())})"
        if "translate" in style:
            moved = style["translate"].replace("px", "")
            attributes["transform"] = f"{attributes.get('transform', '')}translate({moved})"
        if style.get("overflow"):
            attributes["overflow"] = style["overflow"]
        self._classify(attributes, style)
        written = "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items())
        inside = "".join(self._inside(place, tokens))
        return f"<{element.tag}{written}>{inside}</{element.tag}>" if inside else f"<{element.tag}{written}/>"

    def _definition(self, name: str, tokens: Tokens) -> str:
        """Return what a definition is called that is seen with these tokens, and write it down if it is new."""
        key = name, tokens
        if key not in self.written:
            self.written[key] = made = f"d{len(self.written)}"
            self.definitions.append(self._write(self.named[name], tokens, made))
        return self.written[key]

    def _classify(self, attributes: dict[str, str], style: Mapping[str, str]) -> None:
        kept = "".join(f"{key}:{value};" for key, value in style.items() if key in STYLES)
        if kept:
            attributes["class"] = self.styles.setdefault(kept, f"s{len(self.styles)}")

    def _styled(self, place: _Place, tokens: Tokens) -> tuple[dict[str, str], Tokens]:
        """Return the declarations for an element, worked out, and the tokens that hold for it and in it."""
        declared = {key: value for key, value in place.element.attrib.items() if _is_style(key, value)}
        for rule in self.sheet.rules:
            if rule.compounds[-1].fits(place.tag, place.classes) and place.fits(rule):
                declared |= rule.declarations
        own = {key: value for key, value in declared.items() if key.startswith("--")}
        known = {**self.sheet.tokens, **dict(tokens), **own}
        if own:
            worked_out = {key: work_out(value, known, self.scheme) for key, value in own.items()}
            tokens = tuple({**dict(tokens), **worked_out}.items())
        style = {key: work_out(value, known, self.scheme) for key, value in declared.items() if key in READ}
        return style, tokens

    def _outlined(self, place: _Place, style: dict[str, str]) -> str:
        """Return a text as outlines, in the middle of its places."""
        element, text = place.element, place.element.text or ""
        size = float(_PIXELS.findall(style.get("font-size") or style["font"])[0]) / 100
        columns, rows = (element.get(axis, "0").split() for axis in ("x", "y"))
        runs = list(text) if len(columns) > 1 else [text]
        rows += rows[-1:] * (len(columns) - len(rows))
        attributes: dict[str, str] = {}
        self._classify(attributes, style)
        drawn = "".join(self._line(*line, size) for line in zip(runs, columns, rows, strict=True))
        return f"<g{''.join(f' {key}={quoteattr(value)}' for key, value in attributes.items())}>{drawn}</g>"

    def _line(self, text: str, x: str, y: str, size: float) -> str:
        """Return a few letters on one line, around a point of it."""
        left = -sum(LETTERS[letter][0] for letter in text) / 2
        out = []
        for letter in text:
            self.letters.add(letter)
            at = f"{float(x) + left * size:.1f} {float(y):g}"
            out.append(f'<use href="#t{letter}" transform="translate({at})scale({size:g})"/>')
            left += LETTERS[letter][0]
        return "".join(out)


def _is_style(attribute: str, value: str) -> bool:
    """Return whether an attribute says what a rule could say, which would be stronger."""
    return attribute in STYLES | LETTERING and not value.startswith("url(")
