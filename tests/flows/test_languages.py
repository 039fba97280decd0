"""Every page in every language: what is English on a Dutch, French or German page is a name or the same word there."""

import re
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

import pytest
from django.conf import settings

from accounts.models import User
from tests.flows.addresses import ROLES, ROWS, Row
from tests.flows.world import World

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

LANGUAGES: Final = ("nl", "fr", "de")
READ: Final = {"alt", "title", "aria-label", "placeholder", "content"}
VOID: Final = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
NAMES: Final = re.compile(
    r"\b(Ada|Bo|Cy|Staff|Hello|Gravity|Superstar|English|Nederlands|Français|Deutsch|JSON|UTC|MIT|Python|Juno|Message|Code)\b"
    r"|\b(Pebble|Cobble|Comet|Ceres|Titan|Jupiter|Sirius|Nova|Rex bot)\b"
    r"|\b(Well met|A fine start)\b|\b(April|August|September|October|November|December) 20\d\d\b"
    r"|\babcdef[g-r]*\b"
    r"|[\w.+-]+@[\w.-]+|\bhttps?://\S*|\b[\w+/-]+/[\w+/ -]+\b|width=device\S*|initial-scale\S*"
    r"|light dark|\bsummary\w*"
)
"""What has no language: names of people, of the game, of languages in themselves, zones, addresses, columns."""
WRONG: Final[Mapping[str, tuple[Mapping[str, Any], ...]]] = {
    "account_signup": (
        {"email": "x", "display_name": "Ada", "password1": "12345"},
        {"email": "new@example.org", "display_name": "new", "password1": "password"},
        {"email": "newcomer@example.org", "display_name": "new", "password1": "newcomer@example.or"},
        {},
    ),
    "account_login": ({"login": "nobody@example.org", "password": "x"}, {}),
    "account_change_password": (
        {"oldpassword": "x", "password1": "one long password", "password2": "another long one"},
        {},
    ),
    "account_reset_password": ({"email": "x"}, {}),
    "account_reauthenticate": ({"password": "x"},),
    "account_email": ({"action_add": "", "email": "x"}, {"action_add": "", "email": "bo@example.org"}),
    "profile": ({"display_name": "B" * 99, "language": "xx", "time_zone": "Mars"},),
    "create_game": ({"size": "9", "time-preset": "custom", "time-allowance_amount": "x"},),
    "holidays": ({"first": "x", "last": ""},),
    "notices": ({"turn-minutes": "x", "digest_hour": "99"},),
}
"""Forms that are refused in as many ways as there are words for."""


class Texts(HTMLParser):
    """The texts of a page that people read or hear, but for what is marked as being in another language."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: set[str] = set()
        self.inside: list[str] = []
        self.foreign: list[str] = []
        self.feed(page)
        assert not self.foreign, "what is not closed would hide all that follows"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in {"script", "style", "code", "option", "textarea"}:
            self.inside.append(tag)
        if tag not in VOID and (self.foreign or (tag != "html" and "lang" in dict(attrs))):
            self.foreign.append(tag)
        for name, value in attrs:
            if value and name in READ:
                self.handle_data(value)

    def handle_endtag(self, tag: str) -> None:
        if self.inside and self.inside[-1] == tag:
            self.inside.pop()
        if self.foreign and self.foreign[-1] == tag:
            self.foreign.pop()

    def handle_data(self, data: str) -> None:
        if not self.foreign and (not self.inside or self.inside[-1] == "option") and data.strip():
            self.texts.add(" ".join(data.split()))


def answers(world: World, language: str) -> dict[str, set[str]]:
    """Return the texts of every page as its readers get it: by what was asked, and by whom."""
    User.objects.update(language=language)
    for browser in world.browsers.values():
        browser.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    found = {}
    for row in ROWS:
        for role in readers(row):
            for number, fields in enumerate((None, *(WRONG.get(row.name, ()) if row.method == "POST" else ()))):
                page = world.ask(role, row, fields=fields, follow=True)
                if page["Content-Type"].startswith("text/html"):
                    found[f"{row} {role} {number}"] = Texts(page.content.decode()).texts
    return found


def readers(row: Row) -> Iterator[str]:
    """Yield one role for each status that an address answers with, from who may least to who may most."""
    seen = set()
    for role, status in zip(ROLES, row.statuses, strict=True):
        if status not in seen:
            seen.add(status)
            yield role


def words_of(language: str) -> tuple[set[str], set[str]]:
    """Return what our catalogue of a language says, and the English sentences that stand for something else in it."""
    catalogue = (Path(settings.LOCALE_PATHS[0]) / language / "LC_MESSAGES" / "django.po").read_text()
    said, english = set(), set()
    for block in catalogue.split("\n\n"):
        there, here = text_of(block, "msgid"), text_of(block, r"msgstr(?:\[\d\])?")
        said |= here
        english |= {piece for text in there - here for piece in re.split(r"%\(\w+\)s|%%", text)}
    return said, {piece.strip() for piece in english if len(piece.split()) > 3}


def text_of(block: str, field: str) -> set[str]:
    """Return the texts of one field of a message, which may have several forms."""
    found = re.findall(rf'^{field}(?:_plural)? ((?:"(?:[^"\\]|\\.)*"\s*)+)', block, re.MULTILINE)
    return {"".join(re.findall(r'"((?:[^"\\]|\\.)*)"', lines)).replace('\\"', '"') for lines in found}


def left_in_english(texts: set[str], page: set[str], said: set[str], english: set[str]) -> list[str]:
    """Return texts that the English page has too though no translator wrote them, and those with English in them."""
    same = {text for text in texts & page if re.search(r"[^\W\d_]{3}", NAMES.sub("", text))}
    partly = {text for text in texts for piece in english if piece in text}
    return sorted({text for text in same if text.removesuffix(" · Gravity Superstar") not in said} | partly)


def test_a_text_that_is_the_same_in_both_languages_is_found() -> None:
    page = Texts('<h1 title="Go on">Ada</h1><p>All games</p><p>Details</p>').texts
    dutch = Texts('<h1 title="Ga door">Ada</h1><p>All games</p><p>Details</p><p>Ja: it was your turn</p>').texts
    assert left_in_english(dutch, page, {"Details"}, {"it was your turn"}) == ["All games", "Ja: it was your turn"]


def test_a_text_marked_as_english_may_be_english() -> None:
    english = '<ul lang="en"><li>Play<br> on<ul><li>and on</li></ul></li></ul>'
    page = f'<html lang="nl">{english}<p>Speel</p><b lang="en">x</b>y'
    assert Texts(page).texts == {"Speel", "y"}


def test_no_page_is_left_in_english() -> None:
    world = World()
    pages = answers(world, "en")
    left = {}
    for language in LANGUAGES:
        words = words_of(language)
        for asked, texts in answers(world, language).items():
            if found := left_in_english(texts, pages[asked], *words):
                left[f"{language} {asked}"] = found
    assert left == {}
