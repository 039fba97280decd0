"""An invitation for who has never been here: what it is, how to take a seat, and back to it after signing up."""

import re
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from accounts import mails
from accounts.models import User
from games import commands
from games.models import Game, Seat
from games.models.choices import Status
from tests.flows.people import Offer, SignIn

TERMS: dict[str, Any] = {"ruleset": "gravity-1", "size": 2, "options": {}, "bots": []}


@pytest.fixture
def private(ada: User, transactional_db: None) -> Game:
    return commands.create_game(user=ada, public=False, now=timezone.now(), **TERMS)


def page_of(client: Client, game: Game) -> str:
    return " ".join(client.get(reverse("invitation", args=[game.key])).content.decode().split())


def test_who_has_no_account_reads_what_this_is_and_signs_up_first(client: Client, private: Game) -> None:
    page = page_of(client, private)
    assert "Ada invites you to play." in page
    assert "is a board game about falling" in page
    assert "you have 3 days for each" in page
    assert f'src="{reverse("board_svg", args=[private.key])}"' in page
    ways = [f'name="by" value="{name}"' for name in ("signup", "login")]
    guest = f'action="{reverse("join_as_guest", args=[private.key])}"'
    assert page.index(ways[0]) < page.index(guest) < page.index(ways[1])


def test_one_press_takes_a_seat_for_a_guest_account(client: Client, private: Game) -> None:
    answer = client.post(reverse("join_as_guest", args=[private.key]))
    assert answer.status_code == HTTPStatus.FOUND
    private.refresh_from_db()
    assert private.status == Status.ACTIVE
    assert User.objects.get(is_guest=True).seats.get().game_id == private.pk


def test_a_listed_game_makes_no_guest_account(client: Client, ada: User, transactional_db: None) -> None:
    game = commands.create_game(user=ada, public=True, now=timezone.now(), **TERMS)
    assert reverse("join_as_guest", args=[game.key]) not in page_of(client, game)
    assert client.post(reverse("join_as_guest", args=[game.key]))["Location"] == reverse("invitation", args=[game.key])
    assert not User.objects.filter(is_guest=True).exists()


def test_a_full_game_makes_no_guest_account(client: Client, bo: User, private: Game) -> None:
    commands.join_game(game_key=private.key, user=bo, now=timezone.now())
    client.post(reverse("join_as_guest", args=[private.key]))
    assert not User.objects.filter(is_guest=True).exists()


def test_who_has_signed_in_joins_and_is_not_asked_to_sign_up(as_user: SignIn, bo: User, private: Game) -> None:
    page = page_of(as_user(bo), private)
    assert f'action="{reverse("join_game", args=[private.key])}"' in page
    assert f"{reverse('account_signup')}?next" not in page
    as_user(bo).post(reverse("join_as_guest", args=[private.key]))
    private.refresh_from_db()
    assert private.seats.filter(user=bo).exists()
    assert not User.objects.filter(is_guest=True).exists()


def test_who_has_a_seat_finds_the_link_and_no_introduction(as_user: SignIn, ada: User, private: Game) -> None:
    page = page_of(as_user(ada), private)
    assert 'id="copy-link"' in page
    assert 'id="link" class="wide" type="url" readonly' in page
    assert "What is this?" not in page


@pytest.mark.parametrize("verification", ["optional", "mandatory"])
def test_signing_up_leads_back_to_the_invitation(
    verification: str, client: Client, private: Game, settings: Settings, mailoutbox: list[Any]
) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = verification
    address = reverse("invitation", args=[private.key])
    form = {"email": "new@example.org", "display_name": "Newcomer", "password1": "a fine long password"}
    answer = client.post(reverse("account_signup"), {**form, "next": address})
    if verification == "mandatory":
        mails.send_waiting(now=timezone.now())
        link = re.search(r"https?://[^/]+(/accounts/confirm-email/\S+)", str(mailoutbox[-1].body))
        assert link is not None
        answer = client.post(link[1])
    assert answer["Location"] == address
    assert "_auth_user_id" in client.session


@pytest.mark.parametrize("by", ["signup", "login"])
def test_who_presses_join_and_signs_in_first_has_the_seat_when_they_are_back(
    by: str, ada: User, bo: User, offer: Offer
) -> None:
    game = offer(ada, size=3)
    page, browser = reverse("invitation", args=[game.key]), Client()
    answer = browser.post(reverse("join_game", args=[game.key]), {"by": by})
    assert answer["Location"] == f"{reverse(f'account_{by}')}?next={quote(page)}"
    assert "Sign up and play" in browser.get(page).content.decode(), "nobody is seated who is not signed in"
    browser.force_login(bo)
    answer = browser.get(page, follow=True)
    assert answer.redirect_chain == [(page, HTTPStatus.FOUND)]
    assert "You have a seat in this game." in answer.content.decode()
    assert Seat.objects.filter(game=game, user=bo).exists()
    browser.post(reverse("leave_game", args=[game.key]))
    browser.get(page)
    assert not Seat.objects.filter(game=game, user=bo).exists(), "once"


def test_a_seat_is_wanted_in_the_one_game_in_which_the_button_was_pressed(ada: User, bo: User, offer: Offer) -> None:
    game, other = offer(ada, size=3), offer(ada, size=3)
    browser = Client()
    browser.post(reverse("join_game", args=[game.key]), {"by": "login"})
    browser.cookies["seat"]["path"] = "/"
    browser.force_login(bo)
    browser.get(reverse("invitation", args=[other.key]))
    forged = Client()
    forged.force_login(bo)
    for value in (other.key, f"{other.key}:x:y"):
        forged.cookies["seat"] = value
        forged.get(reverse("invitation", args=[other.key]))
    assert not Seat.objects.filter(user=bo).exists()


def test_a_seat_that_is_gone_meanwhile_is_refused_with_why(ada: User, bo: User, cleo: User, offer: Offer) -> None:
    game = offer(ada, size=2)
    browser = Client()
    browser.post(reverse("join_game", args=[game.key]), {"by": "login"})
    commands.join_game(game_key=game.key, user=cleo, now=timezone.now())
    browser.force_login(bo)
    page = browser.get(reverse("invitation", args=[game.key]), follow=True)
    assert "This game is no longer open to new players." in page.content.decode()
