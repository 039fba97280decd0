"""The page of a game in all of its states, light and dark: accessible to everyone."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from games import commands
from games.models import Game
from tests.browser.conftest import OpenSession
from tests.browser.test_pages import faults_for_readers
from tests.browser.test_play import take
from tests.flows.play import NOW, RULES, make_user, mover_of, play, start_game, state_of

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

STEAL: Final = "x"


def begin_with_a_steal(people: Sequence[User]) -> tuple[Game, str]:
    """Play a game until a step lets the seat to move choose what to steal; return that step."""
    for seed in range(100):
        game, rng = start_game(people, seed=seed), Random(seed)
        for _turn in range(6):
            for step in RULES.legal_steps(state_of(game)):
                if [next_step[0] for next_step in RULES.legal_steps(state_of(game), [step])].count(STEAL) > 1:
                    return Game.objects.get(pk=game.pk), step
            play(game, RULES.choose_turn("greedy", state_of(game), rng))
    raise AssertionError("no seed leads to a steal")


def compose_a_steal(page: Page, step: str) -> Iterator[str]:
    """Compose a turn by that step, up to where it can be confirmed; yield what each state on the way is called."""
    page.locator(".spot").first.click()
    expect(page.locator("#leave-spot")).to_be_visible()
    yield "a-place"
    page.locator("#leave-spot").click()
    expect(page.locator("#leave-spot")).to_have_count(0)
    take(page, step)
    expect(page.locator(".steals")).to_be_visible()
    yield "stealing"
    page.locator(".steals button").first.click()
    expect(page.locator("#confirm")).to_be_enabled()
    yield "about-to-confirm"


def assert_open_to_all(page: Page, state: str) -> None:
    assert faults_for_readers(page) == [], state


@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (390, "light")])
def test_every_state_of_a_game_is_accessible(open_session: OpenSession, width: int, scheme: str) -> None:
    game, step = begin_with_a_steal([make_user("Ada"), make_user("Bo")])
    page = open_session(
        mover_of(game), viewport={"width": width, "height": 844}, color_scheme=scheme, reduced_motion="reduce"
    ).new_page()
    page.goto(f"/games/{game.key}/")
    expect(page.locator(".stage")).to_have_count(0)
    assert_open_to_all(page, "choosing")
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    assert_open_to_all(page, "keys")
    page.keyboard.press("Escape")
    for state in compose_a_steal(page, step):
        assert_open_to_all(page, state)
    page.locator("#confirm").click()
    expect(page.locator("#confirm")).to_have_count(0)
    assert_open_to_all(page, "played")
    page.locator("#go-back").click()
    expect(page.locator(".shown-move")).to_be_visible()
    assert_open_to_all(page, "looking back")
    page.goto(f"/games/{game.key}/chart/")
    assert_open_to_all(page, "chart")
    last = Game.objects.get(pk=game.pk).seq
    commands.resign(game_key=game.key, user=mover_of(game), seq=last, now=NOW)
    page.goto(f"/games/{game.key}/")
    expect(page.locator(".game-result")).to_be_visible()
    assert_open_to_all(page, "the end")
