"""Puzzles in a browser: solved, missed, tried again and shown; without script, on a phone, and looked at by axe."""

from collections.abc import Iterator
from threading import Event, Thread
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from games import commands, tasks
from games.models import Puzzle, PuzzleAttempt
from tests.browser.conftest import OpenSession
from tests.browser.test_learn import PHONE, is_accessible, visitor  # noqa: F401 - a fixture
from tests.browser.test_play import take, watch
from tests.games.puzzle_box import make_puzzle

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def puzzle(transactional_db: None) -> Puzzle:
    return make_puzzle(now=timezone.now())


@pytest.fixture
def _worker(transactional_db: None) -> Iterator[None]:
    """Judge answers as they come, as a worker does."""
    stop = Event()

    def work() -> None:
        while not stop.wait(0.3):
            tasks.judge_answers()
        connection.close()

    thread = Thread(target=work)
    thread.start()
    yield
    stop.set()
    thread.join()


def answer(page: Page, step: str) -> None:
    take(page, step)
    page.locator("#confirm").click()


@pytest.mark.usefixtures("_worker")
def test_a_puzzle_is_missed_tried_again_and_its_answer_shown_on_the_board(
    puzzle: Puzzle, open_session: OpenSession, people: list[User]
) -> None:
    page = open_session(people[0]).new_page()
    complaints = watch(page)
    page.goto(f"/puzzles/{puzzle.pk}/")
    answer(page, "C")
    expect(page.get_by_role("heading", name="Not the best turn")).to_be_visible(timeout=15_000)
    expect(page.locator(".stage")).to_have_count(0, timeout=15_000)
    is_accessible(page)
    page.locator("#try-again").click()
    expect(page.locator("#compose")).to_be_visible()
    answer(page, "C")
    expect(page.locator("#try-again")).to_be_visible(timeout=15_000)
    page.locator("#show-answer").click()
    expect(page.get_by_role("heading", name="The best turn", exact=True)).to_be_visible()
    expect(page.locator(".answer-why")).to_have_text("This turn ends the game, and Player 2 wins.")
    expect(page.locator(".stage")).to_have_count(0, timeout=15_000)
    page.get_by_role("button", name="Play the last turn").click()
    expect(page.locator(".stage")).to_have_count(1)
    expect(page.locator(".stage")).to_have_count(0, timeout=15_000)
    is_accessible(page)
    assert PuzzleAttempt.objects.get().solved is False
    assert complaints == []


def test_a_puzzle_is_solved_on_a_phone_from_the_page_of_all(puzzle: Puzzle, visitor: Any) -> None:  # noqa: F811
    page = visitor(**PHONE)
    complaints = watch(page)
    page.goto("/puzzles/")
    is_accessible(page)
    page.locator("#today").tap()
    expect(page.locator("#compose")).to_be_visible()
    is_accessible(page)
    page.locator(".spot[value='1,5']").tap()
    page.locator(".at-spot .pay").first.tap()
    page.locator("#confirm").tap()
    expect(page.get_by_role("heading", name="Well done!")).to_be_visible()
    expect(page.locator(".stage")).to_have_count(0, timeout=15_000)
    is_accessible(page)
    assert complaints == []


def test_a_puzzle_is_answered_without_script(puzzle: Puzzle, visitor: Any) -> None:  # noqa: F811
    page = visitor(java_script_enabled=False)
    page.goto(f"/puzzles/{puzzle.pk}/")
    page.locator("#step-C").click()
    page.locator("#confirm").click()
    expect(page.get_by_role("heading", name="Your turn is being judged")).to_be_visible()
    judged = commands.claim_turn(now=timezone.now())
    assert judged is not None
    commands.judge_turn(judged, now=timezone.now())
    page.get_by_role("link", name="Look again").click()
    expect(page.get_by_role("heading", name="Not the best turn")).to_be_visible()
    page.locator("#show-answer").click()
    expect(page.get_by_role("heading", name="The best turn", exact=True)).to_be_visible()
