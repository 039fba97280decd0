"""The picture of Gravity's board: that it shows what the view says, and says it in more than colour."""

import re
import xml.etree.ElementTree as ET
from random import Random

import pytest

from engine.contract import Event
from engine.gravity.state import CARDS
from engine.rulesets import RULESETS
from games.presenters.gravity.board import Picture, draw_board
from games.presenters.gravity.pieces import drawings, sprite, whole_sprite
from games.presenters.gravity.sentences import narrate
from games.presenters.gravity.space import label_space
from games.presenters.gravity.still import Layout, draw_still
from games.presenters.gravity.trail import trail_of
from games.presenters.gravity.view import GravityView, read_view

RULES = RULESETS["gravity-1"]
SVG = "{http://www.w3.org/2000/svg}"


def view_of(size: int, seed: int = 1) -> GravityView:
    names = [f"P{number}" for number in range(1, size + 1)]
    state = RULES.set_up(names, RULES.check_options({}, size), Random(seed))
    return read_view(RULES.view(state, None))


def parse(picture: str) -> ET.Element:
    return ET.fromstring(picture.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1))


def uses(picture: str, symbol: str) -> list[str]:
    return [
        use.get("transform", "") for use in parse(picture).iter(f"{SVG}use") if use.get("href", "").startswith(symbol)
    ]


@pytest.mark.parametrize("size", range(2, 7))
def test_the_picture_is_well_formed_and_shows_every_star_door_and_replay_symbol(size: int) -> None:
    view = view_of(size)
    picture = draw_board(view)
    assert len(uses(picture, "#star-")) == sum(len(row) - row.count(".") for row in view["stars"])
    assert len(uses(picture, "#replay")) == len(view["replay"])
    assert len([use for use in parse(picture).iter(f"{SVG}use") if use.get("href") == "#door"]) == len(view["doors"])
    assert len(uses(picture, "#door-open")) == 1


def pieces(kind: str) -> dict[str, str]:
    """Return the drawings of a kind of pieces by what comes after its name."""
    return dict(re.findall(rf'^<g id="{kind}-(\w)"[^>]*>(.*?)^</g>', drawings(), re.MULTILINE | re.DOTALL))


def test_each_colour_of_star_has_a_shape_and_a_letter_of_its_own() -> None:
    stars = pieces("star")
    assert len({re.findall(r' d="([^"]*)"', star)[0] for star in stars.values()}) == 6
    assert [re.findall(r">(\w)</text>", star) for star in stars.values()] == [[colour.upper()] for colour in stars]


def test_each_card_has_a_picture_that_takes_the_colour_of_the_words_around_it() -> None:
    drawn = pieces("card")
    assert list(drawn) == list(CARDS)
    assert len(set(drawn.values())) == len(CARDS)
    pens = re.findall(r'<g id="card-\w"[^>]* stroke="([^"]*)"', drawings())
    assert pens == ["currentcolor"] * len(CARDS)


def test_each_traveller_has_a_head_a_back_and_a_face_of_its_own() -> None:
    heads = re.findall(r'^ +<g id="head-\d"[^>]*>(.*?)</g>', drawings(), re.MULTILINE | re.DOTALL)
    assert len(heads) == len(set(heads)) == 6
    for kind in ("pawn", "front"):
        figures = list(pieces(kind).values())
        assert len(figures) == len(set(figures)) == 6
        assert all(f'href="#head-{seat}"' in figure for seat, figure in enumerate(figures, start=1))


def test_a_page_has_a_symbol_for_every_piece_and_the_drawing_of_none() -> None:
    drawn = re.findall(r'^<\w+ id="([\w-]+)"', drawings(), re.MULTILINE)
    symbols = re.findall(r'<g id="([\w-]+)"[^>]*><use href="[^"#]+pieces[^"#]*\.svg#([\w-]+)"/></g>', sprite())
    assert symbols == [(name, name) for name in drawn if not name.startswith("front-")]
    assert "<path" not in sprite()
    named = set(re.findall(r' id="([\w-]+)"', whole_sprite()))
    assert set(re.findall(r'href="#([\w-]+)"', drawings())) <= named


def test_pieces_have_their_colours_without_the_sheets_of_a_page() -> None:
    root = ET.fromstring(f"<svg>{drawings()}</svg>")
    assert {element.tag for element in root.iter()} == {"svg", "defs", "g", "path", "circle", "text", "use"}
    classes = {element.get("class") for element in root.iter() if element.get("class")}
    assert classes == {"growth", *(f"star-{colour}" for colour in pieces("star"))}, "theirs are tokens, or the symbol's"


def test_every_reference_of_a_picture_leads_to_something_in_it() -> None:
    for size in (2, 6):
        picture = draw_board(view_of(size), Picture(alone=True))
        named = re.findall(r' id="([^"]*)"', picture)
        assert len(named) == len(set(named))
        assert set(re.findall(r'href="#([^"]*)"', picture)) | set(re.findall(r"url\(#([^)]*)\)", picture)) <= {*named}


def test_two_layouts_on_a_page_do_not_share_the_name_of_their_ledges() -> None:
    names = [re.findall(r'id="(ledges-[^"]*)"', draw_still(Layout.of(view_of(4, seed=seed)))) for seed in (1, 2)]
    assert len(names[0]) == len(names[1]) == 1
    assert names[0] != names[1]


def test_nothing_grows_at_the_edge_of_the_board_where_its_labels_stand() -> None:
    edge: GravityView = {**view_of(2), "platforms": [f"{x},0,N" for x in range(12)]}
    inside: GravityView = {**view_of(2), "platforms": [f"{x},3,N" for x in range(12)]}
    assert "#plant" not in draw_still(Layout.of(edge))
    assert "#crystal" not in draw_still(Layout.of(edge))
    assert "#plant" in draw_still(Layout.of(inside))


@pytest.mark.parametrize(
    ("feet", "turn"), [("S", ""), ("W", " rotate(90)"), ("N", " rotate(180)"), ("E", " rotate(270)")]
)
def test_a_pawn_points_its_feet_where_they_are(feet: str, turn: str) -> None:
    view: GravityView = {**view_of(2), "pawns": [f"2,1,{feet}", None]}
    assert uses(draw_board(view), "#pawn-1") == [f"translate(120 80){turn}"]


def test_the_still_part_is_built_once_a_layout_and_anew_when_a_tile_turns() -> None:
    layout = Layout.of(view_of(4))
    assert draw_still(layout) is draw_still(Layout.of(view_of(4)))
    assert draw_still(layout) != draw_still(Layout.of(view_of(4, seed=2)))


def test_a_platform_on_the_seam_is_drawn_at_both_edges() -> None:
    view: GravityView = {**view_of(2), "platforms": ["3,0,N", "0,2,W"]}
    ledges = re.findall(r'id="ledges-[^"]*" d="([^"]*)"', draw_board(view))
    assert ledges == ["M140 20H180M140 260H180M20 100V140M500 100V140"]


def test_neighbouring_platforms_are_one_ledge() -> None:
    view: GravityView = {**view_of(2), "platforms": ["2,3,N", "4,3,N", "3,3,N"]}
    assert re.findall(r'id="ledges-[^"]*" d="([^"]*)"', draw_board(view)) == ["M100 140H220"]


def test_a_path_over_the_edge_leaves_the_board_and_comes_back_on_the_other_side() -> None:
    events = [Event("moved", 1, {"x": 11, "y": 3, "how": "walk"})]
    view: GravityView = {**view_of(2), "pawns": ["11,3,S", None]}
    picture = draw_board(view, Picture(preview=trail_of(events, 1, "0,3,S")))
    path = re.search(r'class="trail-line" d="([^"]*)"', picture)
    assert path is not None
    assert path[1] == "M40 160L14 160M506 160L480 160"


def test_the_trail_marks_what_was_gathered_and_who_was_ejected() -> None:
    events = [
        Event("moved", 1, {"x": 3, "y": 3, "how": "walk"}),
        Event("collected", 1, {"item": "b", "x": 3, "y": 3}),
        Event("fell", 1, {"x": 3, "y": 4}),
        Event("ejected", 1, {"victim": 2, "x": 3, "y": 4}),
    ]
    view: GravityView = {**view_of(2), "pawns": ["3,4,S", None]}
    picture = draw_board(view, Picture(preview=trail_of(events, 1, "2,3,S")))
    assert picture.count('class="collected-ring"') == 1
    assert uses(picture, "#cross") == ["translate(160 200)"]
    assert picture.count('class="landing seat-1"') == 1


def test_names_that_people_chose_are_escaped_in_the_picture() -> None:
    picture = draw_board(view_of(2), Picture(title="<b>&", description='"><script>'))
    assert "<script>" not in picture
    assert parse(picture).find(f"{SVG}title").text == "<b>&"  # type: ignore[union-attr]


def test_spaces_are_named_by_column_letter_and_row_number() -> None:
    assert label_space(0, 0) == "a1"
    assert label_space(17, 11) == "r12"


def test_a_turn_is_narrated_in_whole_sentences_in_the_order_of_its_steps() -> None:
    events = [
        Event("placed", 1, {"x": 2, "y": 0, "feet": "S"}),
        Event("door_moved", 1, {"from": 0, "to": 1}),
        Event("laid", 1, {"card": "H", "face_up": True}),
        Event("moved", 1, {"x": 2, "y": 5, "how": "jump"}),
        Event("wrapped", 1, {"side": "N"}),
        Event("fell", 1, {"x": 1, "y": 0}),
        Event("collected", 1, {"item": "y", "x": 1, "y": 0}),
        Event("ejected", 1, {"victim": 2, "x": 1, "y": 0}),
        Event("stole", 1, {"victim": 2, "item": "r"}),
        Event("token_spent", 1, {}),
        Event("laid", 1, {"card": None, "face_up": False}),
        Event("moved", 1, {"x": 2, "y": 0, "how": "walk"}),
    ]
    assert narrate(events, "H< x2r & S>(?)", ["Ada", "Bo"]) == [
        "Ada enters through the open door at c1.",
        "The open door moves on.",
        "Ada makes a high jump to the left.",
        "Ada ejects Bo.",
        "The pawn leaves over the edge and comes back in on the opposite side.",
        "The pawn falls 1 space to b1.",
        "Collected: yellow star.",
        "Ada steals from Bo: replay token.",
        "Ada spends a replay token for a second action.",
        "Ada moves one space right, laying a card face down.",
        "The move ends on c1.",
    ]


@pytest.mark.parametrize("bot", RULES.bots)
@pytest.mark.parametrize("size", [2, 5])
def test_every_event_and_step_of_whole_games_has_words_for_every_reader(bot: str, size: int) -> None:
    names = [f"P{number}" for number in range(1, size + 1)]
    rng = Random(size)
    state = RULES.set_up(names, RULES.check_options({"goodies": "PJT"}, size), rng)
    for _turn in range(150):
        if RULES.summary(state).finished:
            break
        seat = RULES.summary(state).seat
        turn = RULES.choose_turn(bot, state, rng)
        applied = RULES.apply_turn(state, turn)
        for reader in (seat, None):
            seen = RULES.view_events(applied.events, reader)
            sentences = narrate(seen, RULES.view_turn(turn, own=reader == seat), names)
            actions = [step for step in turn.split() if step[0] not in "x&"]
            assert len(sentences) >= len(actions)
            assert all(sentence.endswith(".") and "%(" not in sentence for sentence in sentences)
        draw_board(
            read_view(RULES.view(applied.state, None)), Picture(trails=(trail_of(applied.events, seat or 1, None),))
        )
        state = applied.state
