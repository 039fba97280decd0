"""Links in messages: what becomes one, what it shows, and that nothing typed can be anything else than text."""

import re
from html.parser import HTMLParser

import pytest
from django.utils.html import escape
from hypothesis import given
from hypothesis import strategies as st

from games.words.links import link_up

PIECES = st.lists(
    st.one_of(
        st.text(max_size=12),
        st.sampled_from(
            [
                "https://",
                "http://",
                "example.org",
                "/a?b=c&d",
                "<a href=x>",
                '"',
                "'",
                "\\",
                "@",
                ":80",
                ".",
                ")",
                "javascript:",
                "\u202e",
                "\u200b",
                "пример.рф",
            ]
        ),
    ),
    max_size=12,
).map("".join)


class Reading(HTMLParser):
    """Takes HTML apart as a browser does."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.links: list[dict[str, str | None]] = []
        self.others: list[str] = []
        self.outside = ""
        self.inside = ""
        self.open = False
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self.links.append(dict(attrs))
            self.open = True
        else:
            self.others.append(tag)

    def handle_endtag(self, tag: str) -> None:
        self.open = self.open and tag != "a"

    def handle_data(self, data: str) -> None:
        if self.open:
            self.inside += data
        else:
            self.outside += data


@given(PIECES)
def test_nothing_but_links_comes_of_what_is_typed_and_they_go_where_they_say(text: str) -> None:
    read = Reading(link_up(text))
    assert read.others == []
    for link in read.links:
        assert link.keys() == {"dir", "rel", "href"}
        href = link["href"] or ""
        assert re.fullmatch(r"https?://[a-z0-9.-]+(:\d+)?(?:[/?#][!-~]*)?", href)
        assert "@" not in href.split("/")[2]
    assert all(" " < character <= "~" or character == "…" for character in read.inside)


@given(st.text(max_size=60).filter(lambda text: "://" not in text))
def test_what_holds_no_address_stays_as_it_was_typed(text: str) -> None:
    assert link_up(text) == escape(text)


@given(st.text(max_size=20), st.text(max_size=20))
def test_what_stands_around_an_address_stays_as_it_was_typed(before: str, after: str) -> None:
    read = Reading(link_up(f"{before.replace('://', '')} https://example.org/x {after.replace('://', '')}"))
    typed = Reading(escape(f"{before.replace('://', '')}  {after.replace('://', '')}"))
    assert read.outside == typed.outside
    assert read.inside == "example.org/x"


@pytest.mark.parametrize(
    ("typed", "shown", "leads_to", "after"),
    [
        ("https://Example.ORG", "example.org", "https://example.org", ""),
        ("see http://example.org/a.", "example.org/a", "http://example.org/a", "."),
        ("(https://example.org/A_(b))", "example.org/A_(b)", "https://example.org/A_(b)", ")"),
        ("https://аpple.com/", "xn--pple-43d.com", "https://xn--pple-43d.com/", ""),
        ("https://example.org:8080/é", "example.org:8080/%C3%A9", "https://example.org:8080/%C3%A9", ""),
        ("https://example.org/" + "x" * 90, f"example.org/{'x' * 28}…", f"https://example.org/{'x' * 90}", ""),
    ],
)
def test_a_link_shows_its_host_as_the_network_knows_it(typed: str, shown: str, leads_to: str, after: str) -> None:
    read = Reading(link_up(typed))
    assert (read.inside, [link["href"] for link in read.links]) == (shown, [leads_to])
    assert read.links[0]["rel"] == "nofollow noopener noreferrer ugc"
    assert read.outside.endswith(after)


@pytest.mark.parametrize(
    "typed",
    [
        "https://bank.example@evil.example/",
        "https://bank.example\\@evil.example/",
        "https://example.org/\u202egpj.exe",
        "https://exam\u200bple.org/\u200b",
        "http://[::1]/",
        "http://10.0.0.1/",
        "http://localhost/",
        "https://-a.org",
        "https://example.org:99999/",
        "javascript://example.org/%0aalert(1)",
        "ftp://example.org/",
        "https://",
    ],
)
def test_what_could_mislead_is_no_link(typed: str) -> None:
    assert Reading(link_up(typed)).links == []
