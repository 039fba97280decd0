"""A passkey in a browser, kept by a device that the browser plays: added, used to sign in and to confirm, removed."""

from typing import Final

import pytest
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, CDPSession, Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from tests.browser.conftest import OpenSession
from tests.browser.test_pages import assert_accessible_and_fits
from tests.browser.test_play import watch

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PASSWORD: Final = "starlight"


def give_device(page: Page) -> tuple[CDPSession, str]:
    """Let the browser have a device that keeps passkeys and knows its person; return how to reach it."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    device = session.send("WebAuthn.addVirtualAuthenticator", {"options": options})["authenticatorId"]
    return session, device


def confirm(page: Page) -> None:
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()


def add_passkey(page: Page, name: str = "My phone") -> None:
    page.goto(reverse("mfa_index"))
    page.get_by_role("link", name="Add a passkey").click()
    confirm(page)
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Recovery codes")


def test_a_passkey_is_added_and_signs_in_without_the_password(open_session: OpenSession, people: list[User]) -> None:
    page = open_session(people[0]).new_page()
    complaints = watch(page)
    give_device(page)
    add_passkey(page)
    page.goto(reverse("mfa_index"))
    expect(page.get_by_text("My phone").first).to_be_visible()
    kept = Authenticator.objects.get(type="webauthn").data["credential"]
    assert set(kept) == {"id", "rawId", "type", "response", "clientExtensionResults"}

    page.context.clear_cookies()
    page.goto(f"{reverse('account_login')}?next=/lobby/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url("**/lobby/")
    expect(page.get_by_text(people[0].display_name).first).to_be_attached()
    assert complaints == []


def test_a_passkey_stands_beside_the_password_and_confirms_changes(
    open_session: OpenSession, people: list[User]
) -> None:
    page = open_session(people[0]).new_page()
    give_device(page)
    add_passkey(page)
    page.context.clear_cookies()
    page.goto(reverse("account_login"))
    page.get_by_label("E-mail address").fill(people[0].email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("One more step to sign in")
    page.get_by_role("button", name="Use a passkey").click()
    page.wait_for_url("**/my-games/")

    page.goto(reverse("mfa_index"))
    page.get_by_role("link", name="Remove My phone").click()
    page.get_by_role("link", name="Use a passkey").click()
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Remove a passkey")
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_text("The passkey was removed.")).to_be_visible()
    assert not Authenticator.objects.exists()


def test_two_devices_have_a_passkey_each_and_the_first_goes_alone(
    open_session: OpenSession, people: list[User]
) -> None:
    page = open_session(people[0]).new_page()
    session, device = give_device(page)
    add_passkey(page)
    session.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": device})
    give_device(page)
    page.goto(reverse("mfa_add_webauthn"))
    page.get_by_label("Name").fill("Key ring")
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_text("The passkey was added.")).to_be_visible()
    page.get_by_role("link", name="Remove My phone").click()
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_text("The passkey was removed.")).to_be_visible()
    assert [one.data["name"] for one in Authenticator.objects.filter(type="webauthn")] == ["Key ring"]
    assert Authenticator.objects.filter(type="recovery_codes").exists()


def test_a_device_without_a_passkey_says_so_and_leaves_the_other_way(browser: Browser, live_server: LiveServer) -> None:
    page = browser.new_page(base_url=live_server.url)
    session, device = give_device(page)
    page.goto(reverse("account_login"))
    session.send("WebAuthn.setUserVerified", {"authenticatorId": device, "isUserVerified": False})
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_text("No passkey was used.", exact=False)).to_be_visible(timeout=90_000)
    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_enabled()
    page.close()


def test_without_script_no_passkey_is_offered(
    browser: Browser, open_session: OpenSession, live_server: LiveServer, people: list[User]
) -> None:
    page = browser.new_page(base_url=live_server.url, java_script_enabled=False)
    page.goto(reverse("account_login"))
    expect(page.get_by_role("button", name="Sign in with a passkey")).to_be_hidden()
    page.close()
    page = open_session(people[0], java_script_enabled=False).new_page()
    page.goto(reverse("mfa_add_webauthn"))
    confirm(page)
    expect(page.get_by_role("button", name="Add a passkey")).to_be_hidden()
    expect(page.get_by_text("Passkeys need a browser", exact=False)).to_be_visible()


def test_every_page_of_factors_and_sign_ins_is_accessible_and_fits(
    open_session: OpenSession, people: list[User]
) -> None:
    page = open_session(people[0], color_scheme="light").new_page()
    give_device(page)
    add_passkey(page, "W" * 50)
    Authenticator.objects.update(last_used_at=timezone.now())
    session = Session.objects.values().get()
    for key in ("elsewhere", "nowhere"):
        Session.objects.create(**session | {"session_key": key})
        UserSession.objects.create(user=people[0], session_key=key, ip="2001:db8:85a3:8d3:1319:8a2e:370:7348")
    passkey = Authenticator.objects.get(type="webauthn").pk
    named = ("mfa_index", "mfa_activate_totp", "mfa_add_webauthn", "mfa_view_recovery_codes")
    ways = ("mfa_generate_recovery_codes", "account_reauthenticate", "mfa_reauthenticate", "usersessions_list")
    addresses = [*map(reverse, (*named, *ways, "mfa_reauthenticate_webauthn"))]
    addresses += [reverse(name, args=[passkey]) for name in ("mfa_edit_webauthn", "mfa_remove_webauthn")]
    for address in addresses:
        assert_accessible_and_fits(page, address)
        assert page.url.endswith(address)
    page.context.clear_cookies()
    page.goto(reverse("account_login"))
    page.get_by_label("E-mail address").fill(people[0].email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    assert_accessible_and_fits(page, reverse("mfa_authenticate"))
