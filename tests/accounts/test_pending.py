"""Accounts before their first confirmation: nobody learns whose an address is, and nothing but one mail goes there."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from datetime import timedelta
from pathlib import Path
from threading import Thread

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.conf import settings as site
from django.contrib.messages import SUCCESS, get_messages
from django.core.mail import EmailMessage
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from accounts import address_change, guests, mails, pending
from accounts.addresses import settle
from accounts.models import AccountMail, User

type Letters = Callable[[], list[EmailMessage]]
PASSWORD = "a fine long password"
NOW = timezone.now()
BAIT = "Claim prize now"
TEMPLATES = sorted(
    path.name.removesuffix("_subject.txt")
    for path in Path(site.BASE_DIR, "templates/account/email").glob("*_subject.txt")
)


@pytest.fixture(autouse=True)
def _mandatory(settings: Settings, db: None) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"


def sign_up(email: str, name: str = "Bo", client: Client | None = None, password: str = PASSWORD) -> Client:
    client = client or Client()
    form = {"email": email, "display_name": name, "password1": password}
    answer = client.post(reverse("account_signup"), form)
    assert (answer.status_code, answer["Location"]) == (302, reverse("account_email_verification_sent"))
    return client


def links(letters: list[EmailMessage]) -> list[str]:
    found = [re.search(r"https?://[^/]+(/accounts/confirm-email/\S+)", str(mail.body)) for mail in letters]
    return [match[1] for match in found if match]


def work(email: str, name: str) -> tuple[list[str], str, str]:
    """Return what signing up did in the database, and what it answered, without what differs by chance."""
    client = Client()
    form = {"email": email, "display_name": name, "password1": PASSWORD}
    with CaptureQueriesContext(connection) as queries:
        answer = client.post(reverse("account_signup"), form)
    page = client.get(answer["Location"]).content.decode().replace(email, "ADDRESS")
    page = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page)
    done = [re.sub(r"'[^']*'|\b\d+\b", "?", query["sql"]) for query in queries]
    return done, f"{answer.status_code} {answer['Location']} {sorted(answer.headers)}", page


def test_signing_up_does_and_answers_the_same_whoever_has_the_address(ada: User) -> None:
    sign_up("waiting@example.org", "Cleo")
    new = work("new@example.org", "One")
    assert work(ada.email, "Two") == new
    assert work("waiting@example.org", "Six") == new
    assert all(user.check_password(PASSWORD) for user in User.objects.exclude(pk=ada.pk)), "hashed for each of them"


def test_a_name_is_held_whoever_has_the_address(ada: User) -> None:
    for number, email in enumerate(("new@example.org", ada.email)):
        sign_up(email, f"Name {number}")
        form = {"email": "other@example.org", "display_name": f"Name {number}", "password1": "something else long"}
        answer = Client().post(reverse("account_signup"), form)
        assert "That name is already taken" in answer.content.decode()


def test_an_address_is_signed_in_with_only_once_it_is_confirmed(ada: User) -> None:
    for name, email in (("New", "new@example.org"), ("Old", ada.email)):
        client = sign_up(email, name, password="the guess of a stranger")
        form = {"login": email, "password": "the guess of a stranger"}
        answer = client.post(reverse("account_login"), form)
        assert answer.status_code == 200, "no hint that the account waits"
        assert "_auth_user_id" not in client.session


def test_asking_for_a_new_password_does_the_same_whoever_has_the_address(ada: User) -> None:
    sign_up("waiting@example.org")
    done = []
    for email in ("new@example.org", ada.email, "waiting@example.org"):
        with CaptureQueriesContext(connection) as queries:
            answer = Client().post(reverse("account_reset_password"), {"email": email})
        said = [re.sub(r"'[^']*'|\b\d+\b", "?", query["sql"]) for query in queries]
        done.append((said, answer.status_code, answer["Location"]))
    assert done[0] == done[1] == done[2]


def test_nobody_is_known_before_confirming(client: Client, letters: Letters) -> None:
    sign_up("bo@example.org")
    page = reverse("player", args=[User.objects.get().pk])
    assert client.get(page).status_code == 404
    assert client.get(reverse("player_named", args=["Bo"])).status_code == 404
    assert User.objects.named("Bo") is None, "can't be invited"
    client.post(links(letters())[0])
    assert client.get(page).status_code == 200
    assert User.objects.named("bo").email == "bo@example.org"


def test_the_confirmation_says_no_name_that_was_chosen(letters: Letters) -> None:
    sign_up("victim@example.org", BAIT)
    (mail,) = letters()
    assert mail.to == ["victim@example.org"]
    assert "Claim" not in mail.message().as_string() + mail.subject + str(mail.body)


@pytest.mark.parametrize(
    "template", [name for name in TEMPLATES if name not in {mails.CONFIRMATION, mails.MOVED, *mails.OUTSIDE}]
)
def test_nothing_else_goes_to_an_address_that_is_not_confirmed(template: str, ada: User, letters: Letters) -> None:
    settle(ada, "elsewhere@example.org", confirmed=False)
    sign_up("waiting@example.org")
    for address in ("elsewhere@example.org", "ada@example.org", "waiting@example.org", "nobody@example.org"):
        mails.ask(template, address, user=ada)
    assert [mail.subject for mail in letters()] == ["Confirm your e-mail address"]


def test_one_address_gets_a_bounded_number_of_mails(ada: User, letters: Letters) -> None:
    most = 5
    for number in range(most + 3):
        sign_up("victim@example.org", f"V{number}")
        sign_up(ada.email, f"A{number}")
        for _press in range(2):  # the second while the first one's mail waits
            Client().post(reverse("account_reset_password"), {"email": ada.email})
        assert AccountMail.objects.filter(closed_at=None).count() == 3
        letters()
    got = [(mail.to[0], mail.subject) for mail in letters()]
    assert {one: got.count(one) for one in got} == dict.fromkeys(
        [
            ("victim@example.org", "Confirm your e-mail address"),
            (ada.email, "You already have an account"),
            (ada.email, "Choose a new password"),
        ],
        most,
    )
    Client().post(reverse("account_reset_password"), {"email": ada.email})
    AccountMail.objects.update(at=timezone.now() - timedelta(days=1, minutes=1))
    assert len(letters()) == len(got) + 1, "another day"


def test_pressing_sign_up_twice_makes_one_account() -> None:
    client = sign_up("bo@example.org")
    sign_up("bo@example.org", client=client)
    sign_up("bo@example.org")
    assert User.objects.count() == 1
    with pytest.raises(IntegrityError), transaction.atomic():
        pending.sign_up(pending.Application("other@example.org", "Bo", PASSWORD), language="en")
    again = pending.sign_up(pending.Application("bo@example.org", "Bo", PASSWORD), language="en")
    assert again == User.objects.get(), "also when both presses arrive at the same time"


def test_a_mistyped_address_is_corrected_in_the_session_that_signed_up(client: Client, letters: Letters) -> None:
    sign_up("bo@exmaple.org", client=client)
    page = reverse("account_email_verification_sent")
    assert "bo@exmaple.org" in client.get(page).content.decode()
    assert "form-card" not in Client().get(page).content.decode()
    assert Client().post(page, {"email": "eve@example.org"}).status_code == 200
    (wrong,) = links(letters())
    assert client.post(page, {"email": "nothing"}).status_code == 422
    assert client.post(page, {"email": "Bo@example.org"}).status_code == 302
    right = links(letters())[-1]
    assert [mail.to for mail in letters()] == [["bo@exmaple.org"], ["bo@example.org"]]
    assert client.post(wrong).status_code == 404, "the link of the mistyped address is dead"
    client.post(right)
    assert User.objects.get().email == "bo@example.org"
    assert "form-card" not in client.get(page).content.decode(), "nothing is left to correct"


def test_correcting_an_address_tells_nothing_and_is_limited(ada: User, client: Client) -> None:
    sign_up("bo@example.org", client=client)
    page = reverse("account_email_verification_sent")
    answers = [client.post(page, {"email": email}) for email in ("new@example.org", ada.email)]
    assert answers[0]["Location"] == answers[1]["Location"]
    assert [client.post(page, {"email": "x@example.org"}).status_code for _try in range(5)][-1] == 429


def test_whoever_confirms_second_is_told_and_nothing_breaks(client: Client, letters: Letters) -> None:
    sign_up("bo@example.org", "Bo")
    sign_up("bo@example.org", "Bob")
    first, second = links(letters())
    client.post(first)
    assert client.post(second, follow=True).status_code == 200
    assert [user.display_name for user in User.objects.confirmed()] == ["Bo"]


def test_an_account_and_its_name_end_after_a_week_without_confirmation(ada: User, client: Client) -> None:
    sign_up("bo@example.org", "Bo")
    sign_up("cy@example.org", "Cy")
    User.objects.filter(display_name__in=("Ada", "Bo")).update(date_joined=timezone.now() - pending.KEPT_FOR)
    call_command("expire_accounts")
    assert sorted(User.objects.values_list("display_name", flat=True)) == ["Ada", "Cy"]
    assert not User.objects.name_taken("Bo")
    assert client.get(reverse("home")).status_code == 200


def test_an_account_that_expired_meanwhile_can_no_longer_be_confirmed(client: Client, letters: Letters) -> None:
    sign_up("bo@example.org")
    (link,) = links(letters())
    pending.expire(now=timezone.now() + pending.KEPT_FOR + timedelta(minutes=1), size=9)
    assert client.post(link).status_code == 404


@pytest.mark.pg
@pytest.mark.django_db(transaction=True)
def test_an_account_is_not_confirmed_and_deleted_at_the_same_time() -> None:
    user = pending.sign_up(pending.Application("bo@example.org", "Bo", PASSWORD), language="en")
    late = timezone.now() + pending.KEPT_FOR + timedelta(minutes=1)
    gone: list[int] = []

    def expire() -> None:
        gone.append(pending.expire(now=late, size=9))
        connection.close()

    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)  # as a confirmation does
        rival = Thread(target=expire)
        rival.start()
        rival.join()
        settle(user, "bo@example.org", confirmed=True)
    assert gone == [0]
    assert pending.expire(now=late, size=9) == 0


@pytest.mark.pg
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("way", ["sign up", "keep", "change"])
def test_a_link_that_is_pressed_several_times_at_once_confirms(way: str) -> None:
    form = pending.Application("bo@example.org", "Bo", PASSWORD)
    person = guests.make_guest(language="en", now=timezone.now())
    if way == "change":
        person = User.objects.create_user("old@example.org", PASSWORD, display_name="Bo")
        change = address_change.begin(EmailAddress.objects.create(user=person, email="bo@example.org"), now=NOW)
        assert not address_change.agree_at_old(change, now=NOW)
    else:
        waiting = pending.sign_up(form, language="en", guest=person if way == "keep" else None)
    address = EmailAddress.objects.get(verified=False)
    link = reverse("account_confirm_email", args=[EmailConfirmationHMAC(address).key])
    tabs = [Client() for _tab in range(4)]
    for tab in tabs:
        tab.force_login(person)

    def press(tab: Client) -> list[int]:
        answer = tab.post(link)
        connection.close()
        return [message.level for message in get_messages(answer.wsgi_request)]

    with ThreadPoolExecutor(len(tabs)) as threads:
        with transaction.atomic():
            User.objects.select_for_update().get(pk=waiting.pk if way == "sign up" else person.pk)
            pressed = [threads.submit(press, tab) for tab in tabs]
            wait(pressed, timeout=1)  # until all have read that the address is not confirmed
        assert [one.result() for one in pressed] == [[SUCCESS]] * len(tabs)
    assert User.objects.confirmed().get(email="bo@example.org").display_name == "Bo"
