"""Guessing a password is stopped, and stops nobody but who guesses."""

import re
from collections.abc import Callable

import pytest
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from accounts.models import User

PASSWORD = "a fine long password"
HOME, CAFE, ELSEWHERE = "192.0.2.1", "192.0.2.2", "198.51.100.7"


def sign_in(client: Client, password: str = PASSWORD, *, at: str = HOME, login: str = "ada@example.org") -> bool:
    client.post(reverse("account_login"), {"login": login, "password": password}, REMOTE_ADDR=at)
    signed_in = "_auth_user_id" in client.session
    if signed_in:
        client.post(reverse("account_logout"))
    return signed_in


def guess(times: int, *, at: str = ELSEWHERE) -> None:
    for number in range(times):
        assert not sign_in(Client(), f"guess {number}", at=at)


def guess_from_everywhere(times: int) -> None:
    for number in range(times):
        assert not sign_in(Client(), "guess", at=f"198.51.{number // 250}.{number % 250}")


@pytest.fixture
def narrow(settings: Settings) -> None:
    """Make the limit over all networks one that a test can reach."""
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "login_failed_anywhere": "20/h/key"}


def test_guesses_from_elsewhere_do_not_keep_the_owner_out(ada: User) -> None:
    guess(9)
    assert not sign_in(Client(), at=ELSEWHERE), "who guessed is stopped, be the next guess right"
    assert sign_in(Client())


def test_guesses_are_stopped_at_one_account_and_from_one_network(ada: User) -> None:
    User.objects.create_user("bo@example.org", PASSWORD, display_name="Bo")
    guess(5)
    assert not sign_in(Client(), at=ELSEWHERE)
    assert sign_in(Client(), at=ELSEWHERE, login="bo@example.org")


def test_guesses_from_everywhere_are_stopped_but_not_a_browser_that_is_known(ada: User, narrow: None) -> None:
    own = Client()
    assert sign_in(own)
    guess_from_everywhere(25)
    assert not sign_in(Client(), at=CAFE), "a wide limit by account"
    assert sign_in(own, at=CAFE), "the owner's browser, wherever it is"


def test_a_known_browser_may_not_guess_for_ever(ada: User) -> None:
    own = Client()
    assert sign_in(own)
    assert [sign_in(own, "guess", at=f"203.0.113.{number}") for number in range(5)] == [False] * 5
    assert not sign_in(own, at="203.0.113.99")


def test_a_browser_is_known_for_nobody_elses_account(ada: User, narrow: None) -> None:
    User.objects.create_user("bo@example.org", PASSWORD, display_name="Bo")
    rival = Client()
    assert sign_in(rival, login="bo@example.org")
    guess_from_everywhere(25)
    assert not sign_in(rival)
    rival.cookies["known"] = rival.cookies["known"].value[:-2] + "xx"
    assert not sign_in(rival), "nor with a cookie of one's own making"


def test_a_new_password_lets_the_owner_in_while_others_guess(
    ada: User, narrow: None, letters: Callable[[], list[EmailMessage]]
) -> None:
    guess_from_everywhere(25)
    own = Client()
    assert not sign_in(own)
    own.post(reverse("account_reset_password"), {"email": ada.email})
    link = re.search(r"https?://[^/]+(/\S+)", str(letters()[0].body))
    assert link
    page = own.get(link[1], follow=True)
    new = "another long one"
    own.post(page.redirect_chain[-1][0], {"password1": new, "password2": new})
    guess_from_everywhere(5)
    assert sign_in(own, new)


def test_right_passwords_use_up_no_guesses(ada: User, narrow: None) -> None:
    assert [sign_in(Client()) for _time in range(25)] == [True] * 25
