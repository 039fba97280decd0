"""A change of address: both mailboxes have a say, and nobody takes an account along from a session alone."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from datetime import datetime, timedelta

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.core.mail import EmailMessage
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from accounts import address_change, mails, tasks
from accounts.address_change import SILENCE
from accounts.models import AccountMail, AddressChange, User
from tests.accounts.conftest import PASSWORD, link_in
from tests.conftest import Sink

type Letters = Callable[[], list[EmailMessage]]
OLD, NEW = "ada@example.org", "new@example.org"
ASKED = "Should your e-mail address be changed?"


def signed_in(login: str = OLD, password: str = PASSWORD) -> Client:
    client = Client()
    client.post(reverse("account_login"), {"login": login, "password": password})
    return client


def is_in(client: Client) -> bool:
    return client.get(reverse("profile")).status_code == 200


def ask(client: Client, email: str = NEW) -> None:
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    assert client.post(reverse("account_email"), {"action_add": "", "email": email}).status_code == 302


def links(letters: Letters) -> dict[str, str]:
    """Return the latest link that each mailbox got."""
    return {mail.to[0]: link_in(str(mail.body)) for mail in letters() if "http" in str(mail.body)}


def page(client: Client) -> str:
    return " ".join(client.get(reverse("account_email")).content.decode().split())


def address() -> str:
    return User.objects.get(display_name="Ada").email


@pytest.fixture
def own(ada: User) -> Client:
    return signed_in()


@pytest.mark.parametrize("first", [OLD, NEW])
def test_an_address_changes_once_both_mailboxes_said_yes(own: Client, letters: Letters, first: str) -> None:
    other = signed_in()
    ask(own)
    found = links(letters)
    assert found.keys() == {OLD, NEW}
    answers = {NEW: lambda: own.post(found[NEW]), OLD: lambda: own.post(found[OLD], {"answer": "yes"})}
    answers.pop(first)()
    assert address() == OLD
    assert is_in(other)
    assert ("is confirmed." if first == NEW else "You said yes at") in page(own)
    answers.popitem()[1]()
    assert address() == NEW
    assert is_in(own)
    assert not is_in(other)
    assert signed_in(NEW).session.get("_auth_user_id")
    assert not signed_in(OLD).session.get("_auth_user_id")
    assert (letters()[-1].to, letters()[-1].subject) == ([OLD], "Your e-mail address was changed")
    assert [(row.email, row.verified, row.primary) for row in EmailAddress.objects.all()] == [(NEW, True, True)]
    assert not AddressChange.objects.exists()


def test_the_old_mailbox_is_asked_in_words_and_html_by_a_link(own: Client, ada: User, smtp_sink: Sink) -> None:
    ask(own)
    mails.send_waiting(now=timezone.now())
    (mail,) = [one for one in smtp_sink.messages if one["To"] == OLD]
    text, html = (mail.get_body((kind,)) for kind in ("plain", "html"))
    assert text is not None
    assert html is not None
    assert mail["Subject"] == ASKED
    assert f"from {OLD} to {NEW}" in text.get_content()
    key = AddressChange.objects.get().key
    assert reverse("account_answer_change", args=[key]) in text.get_content()
    assert 'class="button"' in html.get_content()
    asked = Client().get(link_in(text.get_content())).content.decode()
    assert f"changed from {OLD} to {NEW}" in asked
    assert address() == OLD, "looking at the page answers nothing"


def test_a_no_ends_the_change_and_every_session(own: Client, letters: Letters) -> None:
    ask(own)
    found = links(letters)
    own.post(found[NEW])
    answer = Client().post(found[OLD], {"answer": "no"})
    assert answer["Location"] == reverse("account_reset_password")
    assert not is_in(own)
    assert address() == OLD
    assert Client().post(found[NEW]).status_code == 404
    assert Client().post(found[OLD], {"answer": "yes"}).status_code == 404
    assert "not under way any more" in Client().get(found[OLD]).content.decode()
    assert address_change.settle_due(now=timezone.now() + 9 * SILENCE, size=9) == 0
    assert address() == OLD


def test_who_says_no_where_they_are_signed_in_stays_so(own: Client, letters: Letters) -> None:
    thief = signed_in()
    ask(thief)
    own.post(links(letters)[OLD], {"answer": "no"})
    assert is_in(own)
    assert not is_in(thief)


def confirm_new(own: Client, letters: Letters) -> datetime:
    """Ask, confirm at the new address alone, and return when the old one was told."""
    ask(own)
    own.post(links(letters)[NEW])
    told = AddressChange.objects.get().told_at
    assert told is not None
    return told


def test_silence_of_the_old_mailbox_is_a_yes_after_a_week(own: Client, letters: Letters) -> None:
    told = confirm_new(own, letters)
    assert "if nobody says no, the address is changed on" in page(own)
    assert address_change.settle_due(now=told + SILENCE, size=9) == 0
    assert address() == OLD
    AddressChange.objects.update(told_at=told - SILENCE - timedelta(minutes=1))
    tasks.expire()
    assert address() == NEW
    assert not is_in(own), "each session signs in anew"
    assert letters()[-1].subject == "Your e-mail address was changed"


def test_silence_counts_for_nothing_before_the_old_mailbox_was_told(own: Client, letters: Letters) -> None:
    ask(own)
    change = AddressChange.objects.get()
    own.post(reverse("account_confirm_email", args=[EmailConfirmationHMAC(change.address).key]))
    assert address_change.settle_due(now=timezone.now() + 3 * SILENCE, size=9) == 0
    letters()
    told = AddressChange.objects.get().told_at
    assert told is not None
    assert address_change.settle_due(now=told + SILENCE, size=9) == 0
    assert address_change.settle_due(now=told + SILENCE + timedelta(minutes=1), size=9) == 1


def test_a_mailbox_that_takes_no_mail_for_a_day_counts_as_told(own: Client, smtp_sink: Sink) -> None:
    ask(own)
    smtp_sink.refusing = True
    now = timezone.now()
    AccountMail.objects.update(at=now - timedelta(days=1), due_at=now)
    mails.send_waiting(now=now)
    assert AddressChange.objects.get().told_at == now


def test_silence_of_the_new_mailbox_is_no_yes(own: Client, letters: Letters) -> None:
    ask(own)
    own.post(links(letters)[OLD], {"answer": "yes"})
    assert address_change.settle_due(now=timezone.now() + 2 * SILENCE + timedelta(minutes=1), size=9) == 0
    assert address() == OLD
    assert not AddressChange.objects.exists(), "what nobody confirmed is dropped"
    assert [row.email for row in EmailAddress.objects.all()] == [OLD]


def test_a_new_change_takes_the_place_of_the_last(own: Client, letters: Letters) -> None:
    ask(own)
    first = links(letters)
    ask(own, "other@example.org")
    assert AddressChange.objects.get().address.email == "other@example.org"
    assert Client().post(first[NEW]).status_code == 404
    assert Client().post(first[OLD], {"answer": "yes"}).status_code == 404
    letters()
    own.post(links(letters)[OLD], {"answer": "yes"})
    own.post(links(letters)["other@example.org"])
    assert address() == "other@example.org"


def test_a_new_password_through_a_mail_ends_a_change(own: Client, letters: Letters) -> None:
    confirm_new(own, letters)
    client = Client()
    client.post(reverse("account_reset_password"), {"email": OLD})
    form = client.get(links(letters)[OLD], follow=True).redirect_chain[-1][0]
    client.post(form, {"password1": "another long one", "password2": "another long one"})
    assert not AddressChange.objects.exists()
    assert [row.email for row in EmailAddress.objects.all()] == [OLD]


def test_a_change_may_be_called_off_and_both_be_asked_again(own: Client, letters: Letters) -> None:
    ask(own)
    assert len(letters()) == 2
    own.post(reverse("account_email"), {"action_send": "", "email": NEW})
    assert [mail.to[0] for mail in letters()[2:]] == [OLD, NEW] or [mail.to[0] for mail in letters()[2:]] == [NEW, OLD]
    own.post(reverse("account_email"), {"action_remove": "", "email": NEW})
    assert not AddressChange.objects.exists()


def test_the_old_mailbox_is_asked_a_bounded_number_of_times(own: Client, letters: Letters) -> None:
    ask(own)
    for _time in range(8):
        letters()
        own.post(reverse("account_email"), {"action_send": "", "email": NEW})
    assert [mail.to[0] for mail in letters()].count(OLD) == 5


def test_a_change_from_before_both_were_asked_asks_the_old_one(own: Client, ada: User, letters: Letters) -> None:
    row = EmailAddress.objects.create(user=ada, email=NEW)
    own.post(reverse("account_confirm_email", args=[EmailConfirmationHMAC(row).key]))
    assert address() == OLD
    own.post(links(letters)[OLD], {"answer": "yes"})
    assert address() == NEW


@pytest.mark.parametrize("answer", ["", "perhaps"])
def test_an_answer_that_is_none_changes_nothing(own: Client, letters: Letters, answer: str) -> None:
    confirm_new(own, letters)
    assert Client().post(links(letters)[OLD], {"answer": answer}).status_code == 422
    assert address() == OLD
    assert AddressChange.objects.exists()


def test_a_link_is_about_one_change_and_nobody_can_make_one(own: Client, letters: Letters) -> None:
    ask(own)
    link = links(letters)[OLD]
    for wrong in (link[:-2] + "x/", reverse("account_answer_change", args=["x"])):
        assert Client().get(wrong).status_code == 200
        assert Client().post(wrong, {"answer": "yes"}).status_code == 404
    assert AddressChange.objects.get().old_at is None


def test_an_address_that_somebody_took_meanwhile_is_not_taken_from_them(own: Client, letters: Letters) -> None:
    told = confirm_new(own, letters)
    User.objects.create_user(NEW, PASSWORD, display_name="Bo")
    assert address_change.settle_due(now=told + SILENCE + timedelta(minutes=1), size=9) == 0
    assert address() == OLD
    assert not AddressChange.objects.exists()


def test_the_address_of_an_account_without_a_password_changes_too(db: None, letters: Letters) -> None:
    bare = User.objects.create_user("bare@example.org", display_name="Bare")
    client = Client()
    client.force_login(bare)
    answer = client.post(reverse("account_email"), {"action_add": "", "email": NEW})
    assert answer["Location"].startswith(reverse("account_request_reauthentication_code"))
    assert not EmailAddress.objects.filter(email=NEW).exists()


@pytest.mark.pg
@pytest.mark.django_db(transaction=True)
def test_both_yeses_at_the_same_time_change_the_address_once(ada: User, settings: Settings) -> None:
    row = EmailAddress.objects.create(user=ada, email=NEW)
    change = address_change.begin(row, now=timezone.now())
    new, old = EmailConfirmationHMAC(row).key, change.key
    ways = [("account_confirm_email", new, {}), ("account_answer_change", old, {"answer": "yes"})] * 2

    def press(way: tuple[str, str, dict[str, str]]) -> int:
        name, key, form = way
        status = Client().post(reverse(name, args=[key]), form).status_code
        connection.close()
        return status

    with ThreadPoolExecutor(len(ways)) as threads:
        with transaction.atomic():
            User.objects.select_for_update().get(pk=ada.pk)
            pressed = [threads.submit(press, way) for way in ways]
            wait(pressed, timeout=1)
        assert {one.result() for one in pressed} <= {302, 404}
    assert address() == NEW
    assert AccountMail.objects.filter(template=mails.MOVED).count() == 1
    assert EmailAddress.objects.get(user=ada).verified
