"""Authenticator apps and recovery codes: set up, used to sign in and to confirm, and taken away."""

import json
import re
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as totp
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts import guests
from accounts.factors import MOST_PASSKEYS
from accounts.models import User
from games import commands
from tests.accounts.conftest import PASSWORD

pytestmark = [pytest.mark.anydb, pytest.mark.contexts]

type Letters = Callable[[], list[EmailMessage]]

GARBAGE = ["", "x", "1", "[]", "{}", "null", '{"id":[]}', '{"response":1}', "[" * 9000, "9" * 99_999]
GARBAGE.append(json.dumps({"id": "\0", "rawId": "\0", "type": "public-key", "response": {"userHandle": "\0"}}))
GARBAGE.append(
    json.dumps(
        {
            "id": "AAAA",
            "rawId": "AAAA",
            "type": "public-key",
            "clientExtensionResults": {},
            "response": {
                "userHandle": "MQ",
                "clientDataJSON": "e30",
                "authenticatorData": "AAAA",
                "signature": "AAAA",
                "attestationObject": "oA",
            },
        }
    )
)


def code_of(secret: str, step: int = 0) -> str:
    """Return the code that an app shows now, or some steps of half a minute later."""
    counters = list(totp.yield_hotp_counters_from_time())
    return totp.format_hotp_value(totp.hotp_value(secret, counters[len(counters) // 2] + step))


def confirm(client: Client) -> None:
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})


@pytest.fixture
def here(ada: User) -> Client:
    """Return the browser of Ada, who has just said her password once more."""
    client = Client()
    client.force_login(ada)
    confirm(client)
    return client


def set_up(client: Client) -> str:
    """Set an app up; return its secret."""
    secret: str = client.get(reverse("mfa_activate_totp")).context["form"].secret
    answer = client.post(reverse("mfa_activate_totp"), {"code": code_of(secret)})
    assert answer["Location"] == reverse("mfa_view_recovery_codes")
    return secret


def codes(client: Client) -> list[str]:
    return list(client.get(reverse("mfa_view_recovery_codes")).context["unused_codes"])


def with_password(user: User) -> Client:
    client = Client()
    answer = client.post(reverse("account_login"), {"login": user.email, "password": PASSWORD})
    assert answer["Location"] == reverse("mfa_authenticate")
    return client


def try_code(client: Client, code: str) -> int:
    return client.post(reverse("mfa_authenticate"), {"code": code}).status_code


def is_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


# --- An authenticator app ------------------------------------------------------------------------------------------


def test_nothing_is_added_before_the_password_was_said_once_more(ada: User) -> None:
    client = Client()
    client.force_login(ada)
    for name in ("mfa_activate_totp", "mfa_add_webauthn", "mfa_generate_recovery_codes"):
        assert client.get(reverse(name))["Location"].startswith(reverse("account_reauthenticate"))


def test_the_page_shows_the_secret_as_a_drawing_and_as_text(here: Client) -> None:
    page = here.get(reverse("mfa_activate_totp"))
    html = page.content.decode()
    assert 'src="data:image/svg+xml;base64,' in html
    assert page.context["form"].secret in html
    assert "issuer=Gravity%20Superstar" in page.context["totp_url"]


def test_a_wrong_code_sets_up_nothing_and_keeps_the_secret(here: Client) -> None:
    secret = here.get(reverse("mfa_activate_totp")).context["form"].secret
    answer = here.post(reverse("mfa_activate_totp"), {"code": "000000"})
    assert answer.status_code == 422
    assert "not right" in answer.content.decode()
    assert answer.context["form"].secret == secret
    assert not Authenticator.objects.exists()


def test_with_an_app_the_password_alone_signs_nobody_in(ada: User, here: Client) -> None:
    secret = set_up(here)
    client = with_password(ada)
    assert not is_in(client)
    assert client.get(reverse("profile")).status_code == 302
    client = with_password(ada)
    assert try_code(client, code_of(secret)) == 302
    assert is_in(client)


def test_a_code_of_the_app_signs_in_once(ada: User, here: Client) -> None:
    secret = set_up(here)
    code = code_of(secret)
    assert try_code(with_password(ada), code) == 302
    again = with_password(ada)
    assert try_code(again, code) == 422
    assert not is_in(again)


def test_the_clock_of_the_app_may_be_half_a_minute_wrong_and_no_more(ada: User, here: Client) -> None:
    secret = set_up(here)
    assert [try_code(with_password(ada), code_of(secret, step)) for step in (-3, 3, -1, 1)] == [422, 422, 302, 302]


def test_wrong_codes_are_bounded_for_an_account_wherever_they_come_from(ada: User, here: Client) -> None:
    secret = set_up(here)
    for number in range(5):
        client = Client(REMOTE_ADDR=f"192.0.2.{number}")
        client.post(reverse("account_login"), {"login": ada.email, "password": PASSWORD})
        assert try_code(client, "000000") == 422
    client = with_password(ada)
    answer = client.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    assert answer.status_code == 422
    assert "Too many attempts" in answer.content.decode()


def test_fifty_wrong_codes_a_day_are_the_end_of_it(ada: User, here: Client) -> None:
    secret = set_up(here)
    client = with_password(ada)
    kept: dict[str, Any] = {}
    for _attempt in range(50):
        try_code(client, "000000")
        kept = {key: cache.get(key) for key in _cache_keys() if ":second_factor:" in key}
        cache.clear()
        cache.set_many(kept, 86400)
    assert try_code(client, code_of(secret)) == 422
    cache.clear()
    assert try_code(client, code_of(secret)) == 302


def _cache_keys() -> list[str]:
    return [key.split(":", 2)[2] for key in cache._cache]  # type: ignore[attr-defined]


def test_right_codes_count_for_nothing(ada: User, here: Client) -> None:
    set_up(here)
    found = codes(here)
    assert [try_code(with_password(ada), code) for code in found[:8]] == [302] * 8


def test_who_has_an_app_may_confirm_a_change_by_its_code(ada: User, here: Client) -> None:
    secret = set_up(here)
    client = with_password(ada)
    try_code(client, code_of(secret))
    asked = client.get(reverse("mfa_generate_recovery_codes"))["Location"]
    page = client.get(asked).content.decode()
    assert reverse("mfa_reauthenticate") in page
    next_page = reverse("mfa_generate_recovery_codes")
    said = {"code": code_of(secret, 1), "next": next_page}
    assert client.post(reverse("mfa_reauthenticate"), said)["Location"] == next_page
    assert client.get(next_page).status_code == 200


def test_without_the_app_the_password_is_enough_again(ada: User, here: Client) -> None:
    set_up(here)
    assert here.post(reverse("mfa_deactivate_totp"))["Location"] == reverse("mfa_index")
    assert not Authenticator.objects.exists()
    client = Client()
    client.post(reverse("account_login"), {"login": ada.email, "password": PASSWORD})
    assert is_in(client)


def test_an_app_stops_no_change_of_address(here: Client) -> None:
    set_up(here)
    answer = here.post(reverse("account_email"), {"action_add": "", "email": "new@example.org"})
    assert answer.status_code == 302


def test_the_code_page_can_be_left(ada: User, here: Client) -> None:
    secret = set_up(here)
    client = with_password(ada)
    answer = client.post(reverse("account_logout"), {"next": reverse("account_login")})
    assert answer["Location"] == reverse("account_login")
    assert client.post(reverse("mfa_authenticate"), {"code": code_of(secret)}).status_code == 302
    assert not is_in(client)


# --- Recovery codes ------------------------------------------------------------------------------------------------


def test_a_recovery_code_signs_in_once_and_its_person_is_told(ada: User, here: Client, letters: Letters) -> None:
    set_up(here)
    first, second, *_others = codes(here)
    letters().clear()
    assert try_code(with_password(ada), first) == 302
    assert try_code(with_password(ada), first) == 422
    told = letters()[-1]
    assert told.subject == "A recovery code was used"
    assert "9 codes are left" in str(told.body)
    assert try_code(with_password(ada), second) == 302
    assert len(codes(here)) == 8


def test_new_recovery_codes_void_the_old_ones(ada: User, here: Client) -> None:
    set_up(here)
    old = codes(here)
    assert here.post(reverse("mfa_generate_recovery_codes"))["Location"] == reverse("mfa_view_recovery_codes")
    new = codes(here)
    assert len(new) == 10
    assert not set(old) & set(new)
    assert try_code(with_password(ada), old[0]) == 422
    assert try_code(with_password(ada), new[0]) == 302


def test_recovery_codes_are_a_text_to_be_kept(here: Client) -> None:
    set_up(here)
    answer = here.get(reverse("mfa_download_recovery_codes"))
    assert answer["Content-Disposition"] == 'attachment; filename="recovery-codes.txt"'
    assert re.findall(r"^\d{8}$", answer.content.decode(), re.MULTILINE) == codes(here)


def test_there_are_no_recovery_codes_without_what_they_stand_in_for(here: Client) -> None:
    answer = here.post(reverse("mfa_generate_recovery_codes"))
    assert "Add a passkey or an authenticator app first" in answer.content.decode()
    assert not Authenticator.objects.exists()


# --- Mails, the staff, guests, the end -----------------------------------------------------------------------------


def test_each_change_is_told_by_mail(
    ada: User, here: Client, letters: Letters, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        set_up(here)
        here.post(reverse("mfa_generate_recovery_codes"))
        here.post(reverse("mfa_deactivate_totp"))
    found = {mail.subject: mail for mail in letters()}
    assert set(found) >= {
        "An authenticator app was set up",
        "You have new recovery codes",
        "The authenticator app was removed",
    }
    for mail in found.values():
        assert mail.to == [ada.email]
        assert b"Hello" in mail.message().as_bytes()
        assert b"text/html" in mail.message().as_bytes()


def test_the_staff_removes_a_lost_second_factor_and_its_person_is_told(here: Client, letters: Letters) -> None:
    set_up(here)
    letters().clear()
    call_command("remove_second_factor", "ADA@example.org", stdout=(out := StringIO()))
    assert out.getvalue() == "1 second factors removed.\n"
    assert not Authenticator.objects.exists()
    assert letters()[-1].subject == "Your second factor was removed"
    with pytest.raises(CommandError):
        call_command("remove_second_factor", "nobody@example.org")


def test_the_staff_reads_no_secret_and_no_network(ada: User) -> None:
    staff = Client()
    staff.force_login(User.objects.create_superuser("staff@example.org", PASSWORD, display_name="Staff"))
    for path in ("mfa/authenticator/", "usersessions/usersession/"):
        assert staff.get(f"/admin/{path}").status_code == 404


@pytest.mark.django_db
def test_guests_are_led_to_keeping_their_games(client: Client) -> None:
    client.force_login(guests.make_guest(language="en", now=timezone.now()))
    for name in ("mfa_index", "mfa_activate_totp", "mfa_add_webauthn", "mfa_reauthenticate"):
        assert client.get(reverse(name))["Location"] == reverse("keep_games")


def test_who_has_not_confirmed_the_address_adds_nothing(ada: User, here: Client) -> None:
    User.objects.update(confirmed_address="")
    for name in ("mfa_activate_totp", "mfa_add_webauthn"):
        assert here.get(reverse(name))["Location"] == reverse("mfa_index")
    assert "Confirm your current address first" in here.get(reverse("mfa_index")).content.decode()


def test_all_of_it_goes_with_the_account(ada: User, here: Client) -> None:
    set_up(here)
    commands.delete_account(user=ada, now=timezone.now())
    assert not Authenticator.objects.exists()


# --- Passkeys that are none ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("garbage", GARBAGE, ids=range(len(GARBAGE)))
def test_what_is_no_passkey_is_refused_everywhere(ada: User, here: Client, garbage: str) -> None:
    here.get(reverse("mfa_add_webauthn"))
    answer = here.post(reverse("mfa_add_webauthn"), {"name": "x", "credential": garbage})
    assert answer.status_code == 422
    assert "was not accepted" in answer.content.decode()
    here.get(reverse("mfa_activate_totp"))
    set_up(here)
    guest = Client()
    guest.get(reverse("mfa_login_webauthn"), headers={"accept": "application/json"})
    answer = guest.post(reverse("mfa_login_webauthn"), {"credential": garbage, "next": "/lobby/"})
    assert answer["Location"] == f"{reverse('account_login')}?next=%2Flobby%2F"
    assert "was not accepted" in guest.get(answer["Location"]).content.decode()
    client = with_password(ada)
    client.get(reverse("mfa_authenticate"))
    assert client.post(reverse("mfa_authenticate"), {"credential": garbage}).status_code == 422
    assert not is_in(client)
    assert not Authenticator.objects.filter(type=Authenticator.Type.WEBAUTHN).exists()


def test_nobody_renames_or_removes_a_passkey_of_somebody_else(ada: User, here: Client) -> None:
    bo = User.objects.create_user("bo@example.org", PASSWORD, display_name="Bo")
    other = Authenticator.objects.create(user=bo, type="webauthn", data={"name": "Key", "credential": {}})
    for name in ("mfa_edit_webauthn", "mfa_remove_webauthn"):
        for answer in (here.get(reverse(name, args=[other.pk])), here.post(reverse(name, args=[other.pk]))):
            assert answer.status_code == 404


def test_a_person_has_a_bounded_number_of_passkeys(ada: User, here: Client) -> None:
    for number in range(MOST_PASSKEYS):
        Authenticator.objects.create(user=ada, type="webauthn", data={"name": f"Key {number}", "credential": {}})
    page = here.get(reverse("mfa_index")).content.decode()
    assert "Key 0" in page
    assert reverse("mfa_add_webauthn") not in page


@pytest.mark.django_db
def test_asking_for_a_passkey_without_end_is_answered_by_429(client: Client) -> None:
    ask = reverse("mfa_login_webauthn")
    statuses = [client.get(ask, headers={"accept": "application/json"}).status_code for _attempt in range(31)]
    assert statuses == [200] * 30 + [429]
