"""Signing up, and signing in, by a code from a mail, in a browser that is told to run nothing inline."""

import re
from collections.abc import Callable

import pytest
from allauth.account.models import EmailAddress
from django.core.mail import EmailMessage
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from accounts.address_change import begin
from accounts.models import User
from tests.accounts.conftest import code_in
from tests.browser.conftest import OpenSession
from tests.browser.test_pages import assert_accessible_and_fits
from tests.browser.test_play import watch

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
ASKING = ("account_request_login_code", "account_confirm_login_code")
CONFIRMING = ("account_request_reauthentication_code", "account_confirm_reauthentication_code", "account_email")
type Letters = Callable[[], list[EmailMessage]]


@pytest.fixture(autouse=True)
def _mandatory(settings: Settings) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"


def type_code(page: Page, letters: Letters, button: str) -> None:
    page.get_by_label("Code").fill(code_in(str(letters()[-1].body)).lower())
    page.get_by_role("button", name=button).click()


def test_one_signs_up_by_a_code_without_a_password_and_signs_in_by_another(
    page: Page, live_server: LiveServer, letters: Letters
) -> None:
    complaints = watch(page)
    page.goto(f"{live_server.url}{reverse('account_signup')}")
    page.get_by_label("E-mail address").fill("bo@example.org")
    page.get_by_label("Display name").fill("Bo")
    expect(page.get_by_label("Password")).not_to_be_visible()
    page.get_by_text("Choose a password (optional)").click()
    expect(page.get_by_label("Password")).to_be_visible()
    page.get_by_role("main").get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Confirm your e-mail address")
    type_code(page, letters, "Confirm")
    expect(page).to_have_url(re.compile(rf"{reverse('my_games')}$"))
    assert User.objects.get().is_confirmed
    page.context.clear_cookies()
    page.goto(f"{live_server.url}{reverse('account_login')}")
    page.get_by_label("E-mail address").fill("bo@example.org")
    page.get_by_role("button", name="Send me a code").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Enter the code")
    type_code(page, letters, "Sign in")
    expect(page).to_have_url(re.compile(rf"{reverse('my_games')}$"))
    assert complaints == []


def test_every_page_of_codes_is_accessible_and_fits(
    browser: Browser,
    live_server: LiveServer,
    open_session: OpenSession,
    letters: Letters,
) -> None:
    page = browser.new_page(base_url=live_server.url, color_scheme="light")
    page.goto(reverse("account_signup"))
    page.get_by_label("E-mail address").fill("bo@example.org")
    page.get_by_label("Display name").fill("W" * 30)
    page.get_by_role("main").get_by_role("button", name="Sign up").click()
    page.goto(reverse("account_request_login_code"))
    page.get_by_label("E-mail address").fill(f"{'w' * 60}@example.org")
    page.get_by_role("button", name="Send me a code").click()
    for name in ("account_signup", "account_email_verification_sent", "account_login", *ASKING):
        assert_accessible_and_fits(page, reverse(name))
        assert page.url.endswith(reverse(name))
    page.close()
    bare = User.objects.create_user("bare@example.org", display_name="Bare")
    change = begin(EmailAddress.objects.create(user=bare, email="new@example.org"), now=timezone.now())
    page = open_session(bare, color_scheme="light").new_page()
    page.goto(reverse("account_request_reauthentication_code"))
    page.get_by_role("button", name="Send me a code").click()
    for address in (*map(reverse, CONFIRMING), reverse("account_answer_change", args=[change.key])):
        assert_accessible_and_fits(page, address)
        assert page.url.endswith(address)
