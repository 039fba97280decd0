"""The settings: every page of them leads to all others, and says which it is."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.guests import make_guest
from accounts.models import User

SECTIONS = (
    "profile",
    "display",
    "notices",
    "push",
    "webhooks",
    "calendar",
    "holidays",
    "account_email",
    "account_change_password",
    "mfa_index",
    "usersessions_list",
    "access_tokens",
    "bots",
    "blocked_people",
    "your_data",
    "delete_account",
)
FOR_GUESTS = ("profile", "display", "holidays", "blocked_people", "your_data", "delete_account")


def sections(page: str) -> list[str]:
    nav = page[page.index('<nav class="sections"') :].partition("</nav>")[0]
    return re.findall(r'<a href="([^"]+)"', nav)


@pytest.mark.parametrize("name", SECTIONS)
def test_a_section_leads_to_all_of_them_and_is_marked(client: Client, ada: User, name: str) -> None:
    client.force_login(ada)
    page = client.get(reverse(name)).content.decode()
    assert sections(page) == [reverse(section) for section in SECTIONS]
    assert re.findall(r'<a href="([^"]+)" aria-current="page"', page) == [reverse(name)]
    assert page.count("<h1") == 1


@pytest.mark.parametrize("name", FOR_GUESTS)
def test_a_guest_has_the_sections_that_are_theirs(client: Client, db: None, name: str) -> None:
    client.force_login(make_guest(language="en", now=timezone.now()))
    assert sections(client.get(reverse(name)).content.decode()) == [reverse(section) for section in FOR_GUESTS]


def test_how_boards_are_shown_is_kept_in_the_account(client: Client, ada: User) -> None:
    client.force_login(ada)
    assert client.post(reverse("display"), {"board_view": "upright"}).status_code == 302
    ada.refresh_from_db()
    assert (ada.board_view, ada.hints) == ("upright", False)
    page = client.get(reverse("display")).content.decode()
    assert "Your settings were saved." in page
    assert re.search(r'value="upright"[^>]* checked', page)
    assert client.post(reverse("display"), {"board_view": "sideways", "hints": "on"}).status_code == 422
    ada.refresh_from_db()
    assert (ada.board_view, ada.hints) == ("upright", False)


def test_the_look_of_a_browser_is_chosen_there_too(client: Client, ada: User) -> None:
    client.force_login(ada)
    answer = client.post(reverse("set_theme"), {"theme": "dark", "next": reverse("display")})
    assert answer["Location"] == reverse("display")
    page = client.get(reverse("display")).content.decode()
    assert '<button class="button small" name="theme" value="dark" aria-current="true">' in page
