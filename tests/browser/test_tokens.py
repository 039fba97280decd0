"""The page of access tokens in a browser: made, shown this once, used by a program, taken back."""

import json
import urllib.request
from urllib.error import HTTPError

import pytest
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from tests.browser.conftest import OpenSession
from tests.browser.test_pages import assert_accessible_and_fits
from tests.browser.test_play import watch

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def ask_as_program(site: str, token: str) -> tuple[int, str]:
    """Ask who one is by a token, as a program does; return the status, and the name or the code of the refusal."""
    request = urllib.request.Request(f"{site}/api/v1/me/", headers={"Authorization": f"Bearer {token}"})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, json.load(answer)["name"]
    except HTTPError as refusal:
        return refusal.code, json.load(refusal)["code"]


@pytest.mark.parametrize("width", [1280, 390])
def test_a_token_is_made_shown_once_used_and_taken_back(
    people: list[User], live_server: LiveServer, open_session: OpenSession, width: int
) -> None:
    ada, _bo = people
    page = open_session(ada, viewport={"width": width, "height": 800}).new_page()
    complaints = watch(page)
    page.goto("/accounts/tokens/")
    page.get_by_label("Name").fill("My program")
    page.get_by_label("Read", exact=False).check()
    page.get_by_role("button", name="Make a token").click()
    page.get_by_label("Password").fill("starlight")
    page.get_by_role("main").get_by_role("button", name="Confirm").click()
    made = page.get_by_label("Token", exact=True)
    expect(made).to_be_visible()
    token = made.input_value()
    assert_accessible_and_fits(page, "/accounts/tokens/")
    expect(page.get_by_role("link", name="Revoke My program")).to_be_visible()
    assert token not in page.content()
    assert ask_as_program(live_server.url, token) == (200, "Ada")
    page.get_by_role("link", name="Revoke My program").click()
    assert_accessible_and_fits(page, page.url)
    page.get_by_role("main").get_by_role("button", name="Revoke").click()
    expect(page.get_by_text("You have no access token yet.")).to_be_visible()
    assert ask_as_program(live_server.url, token) == (401, "invalid-token")
    assert complaints == []
