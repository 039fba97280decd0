"""Where a person is signed in: what the page shows, and that what is ended there has ended."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts import guests
from accounts.models import AddressChange, User
from accounts.sessions import BROWSERS, MOST, SYSTEMS
from games import commands
from tests.accounts.conftest import PASSWORD

pytestmark = [pytest.mark.anydb, pytest.mark.contexts]
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
SAFARI = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1"
EDGE = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0"


def sign_in(user: User, browser: str = FIREFOX, network: str = "192.0.2.7", password: str = PASSWORD) -> Client:
    client = Client(headers={"user-agent": browser}, REMOTE_ADDR=network)
    client.post(reverse("account_login"), {"login": user.email, "password": password})
    assert client.session.get("_auth_user_id") == str(user.pk)
    return client


def confirm(client: Client) -> None:
    """Say the password once more, as is asked before anything is ended."""
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})


def page(client: Client) -> str:
    return client.get(reverse("usersessions_list")).content.decode()


def is_in(client: Client) -> bool:
    return client.get(reverse("profile")).status_code == 200


def test_the_page_says_from_where_each_browser_signed_in_and_which_is_this_one(ada: User) -> None:
    here = sign_in(ada)
    sign_in(ada, SAFARI, "2001:db8::1")
    sign_in(ada, EDGE)
    sign_in(ada, "curl")
    shown = page(here)
    for words in ("Firefox on Linux", "Safari on iPhone", "Edge on Windows", "Unknown browser", "2001:db8::1"):
        assert words in shown
    assert shown.index("Firefox on Linux") < shown.index("this one") < shown.index("Safari on iPhone")
    assert shown.count("this one") == 1
    assert shown.count("/end") == 3 + 1


def test_every_name_of_a_browser_can_come_about() -> None:
    for names in (BROWSERS, SYSTEMS):
        marks = list(names)
        for number, mark in enumerate(marks):
            assert not any(earlier in mark for earlier in marks[:number])


def test_another_session_is_ended_after_the_password_was_said_once_more(ada: User) -> None:
    here, there = sign_in(ada), sign_in(ada, SAFARI)
    number = UserSession.objects.get(user_agent=SAFARI).pk
    asked = here.post(reverse("end_session", args=[number]))
    assert asked["Location"].startswith(reverse("account_reauthenticate"))
    assert is_in(there)
    answer = here.post(asked["Location"], {"password": PASSWORD, "next": reverse("end_session", args=[number])})
    assert answer["Location"] == reverse("usersessions_list")
    assert "You are signed out there." in page(here)
    assert not is_in(there)
    assert is_in(here)
    assert (UserSession.objects.count(), Session.objects.filter(session_key=there.session.session_key).count()) == (
        1,
        0,
    )


def test_nobody_ends_a_session_of_somebody_else_nor_the_one_they_use(ada: User) -> None:
    bo = User.objects.create_user("bo@example.org", PASSWORD, display_name="Bo")
    here, other = sign_in(ada), sign_in(bo)
    confirm(here)
    for row in UserSession.objects.all():
        assert here.post(reverse("end_session", args=[row.pk])).status_code == 302
    assert is_in(here)
    assert is_in(other)


def test_signing_out_everywhere_else_leaves_this_session_alone(ada: User) -> None:
    here, *others = sign_in(ada), sign_in(ada, SAFARI), sign_in(ada, EDGE)
    confirm(here)
    here.post(reverse("end_other_sessions"))
    assert [is_in(client) for client in (here, *others)] == [True, False, False]
    assert UserSession.objects.count() == 1


def test_who_signs_out_leaves_no_trace_of_the_session(ada: User) -> None:
    client = sign_in(ada)
    client.post(reverse("account_logout"))
    assert not UserSession.objects.exists()


def test_another_password_ends_the_other_sessions_and_their_rows(ada: User) -> None:
    here, there = sign_in(ada), sign_in(ada, SAFARI)
    changed = {"oldpassword": PASSWORD, "password1": "another long one", "password2": "another long one"}
    assert here.post(reverse("account_change_password"), changed).status_code == 302
    assert is_in(here)
    assert not is_in(there)
    assert [row.user_agent for row in UserSession.objects.all()] == [FIREFOX]
    assert "this one" in page(here)


def test_another_address_ends_the_other_sessions_and_their_rows(ada: User) -> None:
    here, there = sign_in(ada), sign_in(ada, SAFARI)
    address = EmailAddress.objects.create(user=ada, email="new@example.org", verified=False, primary=False)
    here.post(reverse("account_confirm_email", args=[EmailConfirmationHMAC(address).key]))
    assert is_in(there), "the old mailbox has not answered yet"
    here.post(reverse("account_answer_change", args=[AddressChange.objects.get().key]), {"answer": "yes"})
    ada.refresh_from_db()
    assert ada.email == "new@example.org"
    assert is_in(here)
    assert not is_in(there)
    assert [row.user_agent for row in UserSession.objects.all()] == [FIREFOX]


def test_a_session_that_a_new_password_of_the_staff_ended_is_not_listed(ada: User) -> None:
    sign_in(ada, SAFARI)
    ada.set_password("another long one")
    ada.save()
    assert "Safari" not in page(sign_in(ada, password="another long one"))


def test_a_session_is_last_seen_when_it_was_prolonged(ada: User) -> None:
    here, there = sign_in(ada), sign_in(ada, SAFARI)
    UserSession.objects.update(created_at=timezone.now() - timedelta(days=9))
    seen = timezone.now() - timedelta(days=3)
    rows = Session.objects.filter(session_key=there.session.session_key)
    rows.update(expire_date=seen + timedelta(seconds=settings.SESSION_COOKIE_AGE))
    response = here.get(reverse("usersessions_list"))
    shown = {one.browser: one.seen_at for one in response.context["sessions"]}
    assert abs(shown["Safari"] - seen) < timedelta(seconds=1)
    is_in(there)
    assert rows.get().expire_date > timezone.now() + timedelta(seconds=settings.SESSION_COOKIE_AGE - 60)


def test_a_session_from_before_such_rows_gets_one_when_it_is_used(ada: User) -> None:
    client = Client(headers={"user-agent": EDGE})
    client.force_login(ada)
    is_in(client)
    assert not UserSession.objects.exists()
    Session.objects.update(expire_date=timezone.now() + timedelta(days=9))
    is_in(client)
    assert UserSession.objects.get().user_agent == EDGE
    UserSession.objects.all().delete()
    assert "Edge on Windows" in page(client)


def test_a_row_goes_with_its_session_when_traces_are_pruned(ada: User) -> None:
    sign_in(ada, SAFARI)
    kept = sign_in(ada)
    Session.objects.exclude(session_key=kept.session.session_key).update(expire_date=timezone.now() - timedelta(days=1))
    commands.prune_traces(size=10, now=timezone.now())
    assert [row.user_agent for row in UserSession.objects.all()] == [FIREFOX]
    assert is_in(kept)


def test_all_of_it_goes_with_the_account(ada: User) -> None:
    sign_in(ada)
    commands.delete_account(user=ada, now=timezone.now())
    assert not UserSession.objects.exists()


@pytest.mark.django_db
def test_of_guests_no_network_is_kept_until_they_have_an_address(client: Client) -> None:
    client.force_login(guests.make_guest(language="en", now=timezone.now()))
    Session.objects.update(expire_date=timezone.now() + timedelta(days=9))
    assert client.get(reverse("usersessions_list"))["Location"] == reverse("keep_games")
    client.get(reverse("lobby"))
    assert not UserSession.objects.exists()


def test_a_hostile_name_of_a_browser_is_shown_as_text_or_not_at_all(ada: User) -> None:
    client = sign_in(ada, "<script>\0" + "x" * 999)
    assert "<script>x" not in page(client)
    assert len(UserSession.objects.get().user_agent) == 200


def test_a_thousand_sign_ins_are_one_page_of_few_statements(
    ada: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client = sign_in(ada)
    for number in range(MOST + 10):
        UserSession.objects.create(user=ada, session_key=f"key{number}", ip="192.0.2.1", user_agent=FIREFOX)
    with django_assert_max_num_queries(12):
        page(client)
