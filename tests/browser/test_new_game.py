"""The page of a new game in a browser: its summary follows the choices, and nothing is made before the button."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from accounts.models import User
from games.models import Game
from tests.browser.conftest import OpenSession
from tests.browser.test_play import watch

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("width", [1280, 390])
def test_the_summary_follows_the_choices(open_session: OpenSession, people: list[User], width: int) -> None:
    page = open_session(people[0], viewport={"width": width, "height": 844}).new_page()
    complaints = watch(page)
    page.goto(reverse("create_game"))
    summary = page.locator(".summary")
    expect(summary).to_contain_text("A game for 2: you and 1 other person")
    page.get_by_label("4", exact=True).check()
    page.get_by_label("Name of the game").fill("Friday night")
    expect(summary).to_contain_text("“Friday night”, a game for 4: you and 3 other people")
    page.get_by_label("Only people you give the link to").check()
    expect(summary).to_contain_text("by link only")
    assert not Game.objects.exists()
    page.get_by_role("button", name="Create the game").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Friday night")
    assert complaints == []
