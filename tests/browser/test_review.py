"""The review of a game in a browser: asked for, waited for, read by keys, and a better turn played on the board."""

import re
from random import Random

import pytest
from playwright.sync_api import expect

from accounts.models import User
from games import commands, tasks
from games.commands import review_game
from games.models import Game, ReviewTurn
from tests.browser.conftest import OpenSession
from tests.browser.test_play import watch
from tests.flows.play import NOW, play_randomly, start_game

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def test_a_review_is_asked_for_made_and_gone_through(
    open_session: OpenSession, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(review_game, "PLAYOUTS", 2)
    game = start_game(people, seed=4)
    play_randomly(game, 6, Random(4))
    commands.resign(game_key=game.key, user=people[1], seq=6, now=NOW)
    page = open_session(people[0]).new_page()
    complaints = watch(page)
    page.goto(f"/games/{game.key}/")
    page.locator("#review-link").click()
    page.locator("#ask-for-review").click()
    expect(page.locator("#review-wait progress")).to_be_visible()
    tasks.make_reviews()
    expect(page.locator("#chances")).to_be_visible(timeout=15_000)

    seat = game.seats.get(user=people[0]).number or 0
    ReviewTurn.objects.update(verdict="best", best="")
    for turn in ReviewTurn.objects.filter(seat=seat)[:2]:
        following = ReviewTurn.objects.filter(seq=turn.seq + 1).values_list("turn", flat=True)
        ReviewTurn.objects.filter(pk=turn.pk).update(
            verdict="mistake", lost=0.15, best=turn.turn, best_line=[text for text in following if text]
        )
    first, second = ReviewTurn.objects.filter(verdict="mistake").values_list("seq", flat=True).order_by("seq")
    page.reload()
    for key, at in (("n", first), ("n", second), ("p", first), ("ArrowRight", first + 1), ("Home", 1)):
        page.keyboard.press(key)
        expect(page).to_have_url(re.compile(rf"at={at}$"))
        expect(page.locator("#judged-heading")).to_contain_text(f"Move {at}:")
    page.go_back()
    expect(page.locator("#judged-heading")).to_contain_text(f"Move {first + 1}:")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#judged-heading")).to_contain_text(f"Move {first}:")
    page.locator("#learn").click()
    page.locator("#next-mistake").click()
    expect(page.locator("#show-better")).to_be_hidden()
    page.locator(".review-hidden summary").click()
    page.locator("#show-better").click()
    expect(page.locator(".stage-caption")).to_be_visible()
    expect(page.locator(".stage")).to_have_count(0, timeout=30_000)
    assert complaints == []
    assert Game.objects.get(pk=game.pk).seq == 7, "the game is as it was"


def test_a_review_is_read_without_script(open_session: OpenSession, people: list[User]) -> None:
    game = start_game(people, seed=4)
    play_randomly(game, 2, Random(4))
    commands.resign(game_key=game.key, user=people[1], seq=2, now=NOW)
    page = open_session(people[0], java_script_enabled=False).new_page()
    page.goto(f"/games/{game.key}/review/")
    page.locator("#ask-for-review").click()
    expect(page.get_by_text("0 of 3 moves")).to_be_visible()
    tasks.make_reviews()
    page.get_by_role("link", name="Look again").click()
    page.locator(".review-list a").first.click()
    expect(page.locator("#judged-heading")).to_contain_text("Move 1:")
