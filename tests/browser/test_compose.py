"""Composing a turn in a browser: what is shown before anything is sent, keys, what outlives a reload, what is seen."""

import re
from random import Random
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from games import commands
from games.models import Game
from tests.browser.conftest import OpenSession
from tests.browser.test_play import ask_for_news, take, watch
from tests.flows.play import NOW, RULES, make_user, mover_of, play, start_game, state_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE: Final[dict[str, Any]] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
NAMES: Final = ("Ada", "Bo", "Cy", "Di", "Eve", "Flo")
BOXES: Final = """(selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility())
    .map((one) => one.getBoundingClientRect()).map(({ x, y, right, bottom }) => [x, y, right, bottom])"""
COLOUR: Final = "(one) => getComputedStyle(one).backgroundColor"
SMALL: Final = """() => [...document.querySelectorAll("main :is(a, button, summary, label:has(input))")]
    .filter((one) => one.checkVisibility())
    .filter((one) => !one.closest(".spot, .log, .seat-name, .game-facts, .game-clocks, .in-words, .talk"))
    .map((one) => [one.outerHTML.slice(0, 120), one.getBoundingClientRect()])
    .filter(([, box]) => box.height < 43.5 || box.width < 43.5).map(([name]) => name)"""


def begin(size: int, *, seed: int = 8, turns: int = 0) -> Game:
    """Start a game and play some turns, until the first person is to move."""
    game = start_game([make_user(name) for name in NAMES[:size]], seed=seed)
    for _turn in range(turns * size):
        play(game, RULES.choose_turn("greedy", state_of(game), Random(seed)))
    return Game.objects.get(pk=game.pk)


def open_game(open_session: OpenSession, game: Game, **options: Any) -> Page:
    page = open_session(mover_of(game), **options).new_page()
    page.goto(f"/games/{game.key}/")
    expect(page.locator(".stage")).to_have_count(0, timeout=15_000)
    return page


def test_a_choice_is_shown_on_the_board_before_anything_is_sent(open_session: OpenSession) -> None:
    game = begin(2)
    page = open_game(open_session, game)
    complaints, sent = watch(page), list[str]()
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    page.locator("[data-way='R=']").first.hover()
    ghost = page.locator(".ghosts .ghost.lands")
    expect(ghost).to_have_count(1)
    expect(ghost).to_have_attribute("href", "#pawn-1")
    assert ghost.evaluate("(one) => one.getAnimations().length") == 1, "it goes its way"
    page.locator(".spot").first.focus()
    expect(page.locator(".ghosts")).to_have_count(1)
    page.locator(".turn-sign").hover()
    page.locator("#next").focus()
    expect(page.locator(".ghosts")).to_have_count(0)
    assert [url for url in sent if not url.endswith("/choices")] == []
    assert len(sent) == 1, "asked for once"
    assert complaints == []


def test_a_card_leaves_what_it_pays_for_and_gives_the_rest_back(open_session: OpenSession) -> None:
    game = begin(2)
    page = open_game(open_session, game)
    spots, pays = page.locator(".spot:visible"), page.locator(".ways .pay:visible")
    before = spots.count()
    page.keyboard.press("d")
    assert set(pays.all_inner_texts()) == {"D"}
    assert 0 < spots.count() < before
    page.keyboard.press("d")
    expect(spots).to_have_count(before)


def test_a_line_of_the_list_lights_up_where_pressing_it_acts(open_session: OpenSession) -> None:
    page = open_game(open_session, begin(2))
    way = page.locator(".game-compose .way:visible:has(.pay:nth-child(2))").first.get_attribute("data-way")
    line = page.locator(f".game-compose .way[data-way='{way}']")
    before = line.evaluate(COLOUR)
    line.locator(".way-name").click(force=True)
    assert line.evaluate(COLOUR) == before, "which card shall pay is still to be said"
    assert page.locator(".steps").count() == 0
    page.locator(f"#pick-{line.locator('.pay').last.inner_text()}").check(force=True)
    line.locator(".way-name").hover(force=True)
    assert line.evaluate(COLOUR) != before
    line.locator(".way-name").click(force=True)
    expect(page.locator(".steps code")).to_have_count(1)


def test_a_turn_in_progress_outlives_a_reload_a_look_back_and_another_choice(open_session: OpenSession) -> None:
    game = begin(2, turns=1)
    page = open_game(open_session, game)
    take(page, "R=")
    steps = page.locator(".steps code")
    expect(steps).to_have_text(["R="])
    page.locator('button[name="turn"][value="R+"]').first.click()
    expect(steps).to_have_text(["R+"])
    page.reload()
    expect(steps).to_have_text(["R+"])
    page.get_by_role("link", name="Previous position").click()
    expect(page.locator(".shown-move")).to_be_visible()
    page.get_by_role("link", name="Latest position").click()
    expect(steps).to_have_text(["R+"])
    page.keyboard.press("Backspace")
    expect(steps).to_have_count(0)
    page.reload()
    expect(page.locator("#next")).to_have_text(re.compile("Choose a card"))
    expect(steps).to_have_count(0)


def test_a_whole_turn_is_played_by_keys_alone_and_focus_is_never_lost(open_session: OpenSession) -> None:
    game = begin(2)
    page = open_game(open_session, game)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".spot:focus")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator(".steps, .at-spot")).not_to_have_count(0)
    if page.locator(".at-spot").count():
        expect(page.locator(".at-spot .pay:focus")).to_have_count(1)
        page.keyboard.press("Enter")
    expect(page.locator("#confirm")).to_be_visible()
    assert page.evaluate("document.activeElement !== document.body")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#say")).to_contain_text("Your turn has been played. Ada ")
    expect(page.locator(".turn-sign")).to_contain_text("It is Bo's turn.")
    expect(page.locator(".stage")).to_have_count(1)
    assert page.evaluate("document.activeElement !== document.body")


def test_keys_can_be_listed_and_switched_off(open_session: OpenSession) -> None:
    page = open_game(open_session, begin(2))
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.get_by_label("Use these keys").uncheck()
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()
    page.keyboard.press("d")
    expect(page.locator("#pick-all")).to_be_checked()


@pytest.mark.parametrize("size", [2, 4, 6])
def test_board_points_and_hand_are_seen_without_scrolling(open_session: OpenSession, size: int) -> None:
    page = open_game(open_session, begin(size, turns=2))
    board = ".board-frame, .seat-points, .hand-card"
    choices = f"{board}, .positions, .recap summary, .confirm-bar, .ways > li:first-child"
    for width, height, seen in ((1280, 800, choices), (1920, 1080, choices), (844, 390, board)):
        page.set_viewport_size({"width": width, "height": height})
        for x, y, right, bottom in page.evaluate(BOXES, seen):
            assert x >= 0
            assert y >= 0
            assert right <= width
            assert bottom <= height


@pytest.mark.parametrize("size", [3, 6])
def test_on_a_phone_board_and_hand_stay_in_sight_and_fit_a_finger(open_session: OpenSession, size: int) -> None:
    page = open_game(open_session, begin(size, turns=2), **PHONE)
    for scrolled in (0, 300, 500):
        page.evaluate("(top) => window.scrollTo(0, top)", scrolled)
        ((_x, top, _right, _bottom),) = page.evaluate(BOXES, ".game-board")
        assert top >= 0
        assert all(bottom <= 844 for _x, _y, _right, bottom in page.evaluate(BOXES, ".hand-card"))
    places = page.evaluate(BOXES, ".spot")
    assert min(min(right - x, bottom - y) for x, y, right, bottom in places) >= 29.9
    assert page.evaluate(SMALL) == []
    frame, pawn = (page.locator(one).bounding_box() for one in (".board-scroll", ".look-here"))
    assert frame is not None
    assert pawn is not None
    assert frame["x"] <= pawn["x"] <= frame["x"] + frame["width"]


def test_on_a_phone_the_hand_covers_nothing_at_the_end_of_the_page(open_session: OpenSession) -> None:
    game = begin(2, turns=1)
    page = open_game(open_session, game, **PHONE)
    for address in (f"/games/{game.key}/", f"/games/{game.key}/try/", "/learn/down/"):
        page.goto(address)
        expect(page.locator(".stage")).to_have_count(0, timeout=15_000)
        for begun in (False, True):
            if begun:
                page.locator(".way .pay:visible").first.click()
                expect(page.locator("#confirm, .confirm-bar :enabled")).not_to_have_count(0)
            page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
            ((_x, hand, _right, _bottom),) = page.evaluate(BOXES, ".tray")
            assert max(bottom for *_place, bottom in page.evaluate(BOXES, ".site-footer button")) <= hand, address
        ((*_place, ends),) = page.evaluate(BOXES, "#game")
        assert ends == max(bottom for *_place, bottom in page.evaluate(BOXES, "#game > *")), "no hole above the footer"


UNSEEN = """() => {
  const box = document.querySelector(".at-spot-box").getBoundingClientRect();
  const [left, top, right, bottom] = [box.left + 4, box.top + 4, box.right - 4, box.bottom - 4];
  return [[left, top], [right, top], [left, bottom], [right, bottom]]
    .filter(([x, y]) => !document.elementFromPoint(x, y)?.closest(".at-spot-box"));
}"""


@pytest.mark.parametrize(("size", "turns"), [(2, 5), (6, 6)])
@pytest.mark.parametrize("viewport", [{"width": 390, "height": 844}, {"width": 1280, "height": 800}])
def test_what_leads_to_a_place_is_seen_whole(
    open_session: OpenSession, size: int, turns: int, viewport: dict[str, int]
) -> None:
    page = open_game(open_session, begin(size, turns=turns), viewport=viewport)
    places = [place.get_attribute("value") for place in page.locator(".spot").all()]
    assert places
    for place in places:
        page.locator(f".spot[value='{place}']").evaluate("place => place.click()")
        expect(page.locator(".at-spot, .steps")).to_have_count(1)  # one way only is gone at once
        if page.locator(".at-spot").count():
            assert page.evaluate(UNSEEN) == [], place
            page.locator("#leave-spot").click()
        else:
            page.get_by_role("button", name="Undo", exact=True).click()
        expect(page.locator(".at-spot, .steps")).to_have_count(0)


def test_the_board_keeps_its_place_while_a_turn_is_composed_and_news_come(open_session: OpenSession) -> None:
    game = begin(2, turns=1)
    User.objects.update(hints=False)  # all that is pressed is in sight, so that nothing is scrolled
    page = open_game(open_session, game, viewport={"width": 1280, "height": 800})
    place = page.locator(".board-frame").bounding_box()
    page.locator("[data-way='R=']").first.hover()
    take(page, "R=")
    expect(page.locator(".steps")).to_be_visible()
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.locator(".steps")).to_have_count(0)
    take(page, "R+")
    page.locator("#confirm").click()
    expect(page.locator(".stage")).to_have_count(1)
    expect(page.locator(".stage")).to_have_count(0, timeout=10_000)
    assert page.locator(".board-frame").bounding_box() == place
    bo = User.objects.get(display_name="Bo")
    turn = RULES.choose_turn("greedy", state_of(game), Random(1))
    commands.play_turn(game_key=game.key, user=bo, seq=3, turn=turn, now=NOW)
    ask_for_news(page)
    expect(page.locator(".turn-sign")).to_contain_text("Your turn")
    expect(page.locator("#announcement")).to_contain_text("Bo ")
    assert page.locator(".board-frame").bounding_box() == place


def top_of_board(page: Page) -> float:
    ((_x, top, _right, _bottom),) = page.evaluate(BOXES, ".game-board")
    return float(top)


@pytest.mark.parametrize("scrolled", [0, 40])
def test_on_a_phone_the_board_stays_where_it_is_when_the_recap_goes(open_session: OpenSession, scrolled: int) -> None:
    game = begin(2, turns=1)
    page = open_game(open_session, game, **PHONE)
    page.evaluate("(top) => window.scrollTo(0, top)", scrolled)
    place = top_of_board(page)
    assert page.locator(".recap").is_visible()
    press = "(selector) => document.querySelector(selector).click()"  # a click of Playwright's scrolls by itself
    page.evaluate(press, "[data-way='R+'] .pay, [data-way='R+'].pay")
    expect(page.locator(".steps")).to_be_visible()
    assert top_of_board(page) == pytest.approx(place, abs=1)
    page.evaluate(press, "#confirm")
    expect(page.locator(".recap")).to_have_count(0)
    expect(page.locator(".stage")).to_have_count(0, timeout=10_000)
    assert top_of_board(page) == pytest.approx(place, abs=1)
    bo = User.objects.get(display_name="Bo")
    turn = RULES.choose_turn("greedy", state_of(game), Random(1))
    commands.play_turn(game_key=game.key, user=bo, seq=3, turn=turn, now=NOW)
    ask_for_news(page)
    expect(page.locator(".recap")).to_be_visible()
    expect(page.locator(".stage")).to_have_count(0, timeout=10_000)
    assert top_of_board(page) == pytest.approx(place, abs=1)


def test_on_a_phone_what_a_press_leads_to_is_read_from_its_beginning(open_session: OpenSession) -> None:
    page = open_game(open_session, begin(2, turns=1), **PHONE)
    in_sight = """(selector) => {
        const box = document.querySelector(selector).getBoundingClientRect();
        const found = document.elementFromPoint(box.left + 5, box.top + 5);
        return found !== null && found.closest(selector) !== null;
    }"""
    page.locator(".way .pay:visible").last.click()
    expect(page.locator(".steps")).to_be_visible()
    assert page.evaluate(in_sight, "#next")
    page.evaluate("scrollTo(0, 600)")
    page.locator("#confirm").click()
    expect(page.locator(".steps")).to_have_count(0)
    assert page.evaluate(in_sight, "#turn-sign")
    page.goto("/learn/stealing/")
    for step in ("D", "x2y"):
        page.locator(f"[id='step-{step}']").click()
    page.locator("#confirm").click()
    expect(page.locator("#turn-sign")).to_be_visible()
    assert page.evaluate(in_sight, "#turn-sign")


def test_a_turned_board_is_played_on_and_its_turns_are_shown_turned(open_session: OpenSession) -> None:
    for seed in range(30):
        game = begin(2, seed=seed, turns=1) if seed == 0 else start_game(list(User.objects.order_by("pk")), seed=seed)
        if str(RULES.view(state_of(game), None)["doors"][0])[-1] in "EW":  # type: ignore[index, call-overload]
            break
    page = open_game(open_session, game, viewport={"width": 1280, "height": 800})
    complaints = watch(page)
    page.get_by_role("button", name="Turn the board so that my pawn stands upright").click()
    board = page.locator(".board-frame > .gravity-board").first
    expect(board).not_to_have_class(re.compile(r"turned-0( |$)"))
    pawn, spot = page.locator(".look-here").bounding_box(), page.locator(".spot").first.bounding_box()
    assert pawn is not None
    assert spot is not None
    take(page, "R=")
    page.locator("#confirm").click()
    expect(page.locator(".stage .scene")).to_have_class(re.compile(r"turned-(90|180|270)"))
    expect(page.locator(".stage")).to_have_count(0, timeout=10_000)
    assert complaints == []
