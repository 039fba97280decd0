"""A board that stands alone: its colours are worked out, its letters are outlines, and nothing is missing."""

import re
from random import Random
from xml.etree import ElementTree as ET

import pytest

from engine.rulesets import RULESETS
from games.presenters.gravity.board import Picture, draw_board
from games.presenters.gravity.presenter import PICTURE_SHEETS
from games.presenters.gravity.trail import Trail
from games.presenters.gravity.view import GravityView, read_view
from games.presenters.sheets import Scheme, read_sheets, work_out
from games.presenters.standalone import stand_alone

SVG = "{http://www.w3.org/2000/svg}"
SEEN = {"path", "rect", "circle", "use", "g", "stop"}


def view_of(size: int, turns: int = 30) -> GravityView:
    """Return a position of a game of computer players, with doors, tokens and all that moves."""
    rules, chance = RULESETS["gravity-1"], Random(5)
    state = rules.set_up(tuple("ABCDEF"[:size]), {}, chance)
    for _turn in range(turns):
        state = rules.apply_turn(state, rules.choose_turn("random", state, chance)).state
    return read_view(rules.view(state, None))


def busy_trail(view: GravityView) -> Trail:
    """Return a trail with everything that one can have."""
    strokes = (((0, 0), (1, 0), (1, 1)), ((3, 3), (3, 4)))
    collected, ejected = (("b", (1, 0)), ("r", (1, 1))), ((2, (3, 4)),)
    return Trail(1, "0,0,S", strokes, collected, ejected, turned_tile=1)


def document(size: int, scheme: Scheme) -> str:
    view = view_of(size)
    picture = Picture(trails=(busy_trail(view),), title="A <board>", description="Ten & more", alone=True)
    return stand_alone(draw_board(view, picture), PICTURE_SHEETS, scheme, ground="--board-back")


@pytest.fixture(params=[(2, Scheme.LIGHT), (6, Scheme.DARK)], ids=str)
def drawn(request: pytest.FixtureRequest) -> str:
    return document(*request.param)


def test_nothing_is_left_for_a_browser_to_work_out(drawn: str) -> None:
    assert not re.search(r"var\(|light-dark|color-mix|rgb\(|currentcolor|:is|@|http(?!://www\.w3\.org/2000/svg)", drawn)


def test_every_reference_leads_to_something(drawn: str) -> None:
    root = ET.fromstring(drawn)
    names = [element.get("id") for element in root.iter() if element.get("id")]
    referred = {*re.findall(r'href="#([^"]+)"', drawn), *re.findall(r"url\(#([^)]+)\)", drawn)}
    assert len(names) == len(set(names))
    assert referred == set(names)


def test_every_class_has_its_colours_and_every_colours_are_used(drawn: str) -> None:
    ruled = set(re.findall(r"\.(s\d+)\{", drawn))
    assert ruled == set(re.findall(r'class="([^"]+)"', drawn))


def test_all_that_has_colours_on_the_page_has_them_here() -> None:
    board = draw_board(view_of(6), Picture(trails=(busy_trail(view_of(6)),), alone=True))
    styled = {part.compounds[-1].classes for part in read_sheets(PICTURE_SHEETS).rules}
    plain = {
        name
        for classes in re.findall(r'class="([^"]+)"', board)
        for name in classes.split()
        if not any(name in known for known in styled)
    }
    frames = {"still", "ground", "labels", "turned-0", "gravity-board", "growth"}
    found_by_the_script = {"open-door", "pawn", "look-here", "trail", "trail-last", "stop", "ejected-tag", "ejected"}
    assert plain - frames - found_by_the_script == set()


def test_it_says_what_it_is_and_has_no_size_of_its_own(drawn: str) -> None:
    assert re.match(
        r'<svg xmlns="http://www\.w3\.org/2000/svg" viewBox="0 0 \d+ \d+"><title>A &lt;board&gt;</title>', drawn
    )
    assert "<desc>Ten &amp; more</desc>" in drawn
    assert "<text" not in drawn


def test_a_pawn_has_the_colours_of_its_seat_in_either_scheme() -> None:
    light, dark = (document(6, scheme) for scheme in Scheme)
    for colour in ("#d6336c", "#0c8599", "#7048e8", "#a3550a", "#2b7a0b", "#44526e"):
        assert f"fill:{colour}" in light
        assert colour not in dark
    assert "fill:#ff6b95" in dark


def test_a_shape_that_all_pawns_wear_is_written_once_a_colour() -> None:
    drawn = document(6, Scheme.LIGHT)
    suits = [
        path for path in ET.fromstring(drawn).iter(f"{SVG}path") if (path.get("d") or "").startswith("M-6-5H6q4.5")
    ]
    assert len({path.get("class") for path in suits}) == len(suits) > 1


def test_it_is_small_to_send(drawn: str) -> None:
    assert len(drawn) < 50_000


@pytest.mark.parametrize(
    ("value", "scheme", "worked_out"),
    [
        ("light-dark(#fff, #000)", Scheme.LIGHT, "#fff"),
        ("light-dark(rgb(1 2 3 / 50%), rgb(255 0 16))", Scheme.DARK, "#ff0010"),
        ("rgb(27 24 56 / 8%)", Scheme.LIGHT, "#1b183814"),
        ("var(--a)", Scheme.LIGHT, "#123456"),
        ("var(--none, var(--a))", Scheme.DARK, "#123456"),
        ("color-mix(in srgb, var(--a) 50%, #fff)", Scheme.DARK, "#889aaa"),
        ("transparent", Scheme.DARK, "none"),
        ("0 9 1.2 15", Scheme.DARK, "0 9 1.2 15"),
    ],
)
def test_a_value_is_worked_out(value: str, scheme: Scheme, worked_out: str) -> None:
    assert work_out(value, {"--a": "#123456"}, scheme) == worked_out


def test_a_token_that_there_is_not_is_an_error() -> None:
    with pytest.raises(KeyError):
        work_out("var(--none)", {}, Scheme.LIGHT)


def test_a_sheet_that_there_is_not_is_an_error() -> None:
    with pytest.raises(FileNotFoundError):
        read_sheets(("nowhere.css",))
