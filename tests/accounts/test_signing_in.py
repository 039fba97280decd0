from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from accounts import mails
from accounts.models import User
from tests.accounts.conftest import link_in
from tests.conftest import Sink

type Letters = Callable[[], list[EmailMessage]]

PASSWORD = "a fine long password"
SIGN_UP = {"email": "Bo@Example.org", "display_name": "Bo", "password1": PASSWORD}


@pytest.mark.django_db
def test_whoever_signs_up_is_signed_in_under_the_chosen_name(client: Client) -> None:
    answer = client.post(reverse("account_signup"), SIGN_UP, headers={"accept-language": "fr"})
    assert answer.status_code == 302
    user = User.objects.get()
    assert (user.email, user.display_name, user.language) == ("bo@example.org", "Bo", "fr")
    assert client.session["_auth_user_id"] == str(user.pk)


@pytest.mark.contexts
@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("email", "bo", "valid e-mail"),
        ("email", "ada@example.org", "already"),
        ("display_name", "aDA", "That name is already taken"),
        ("display_name", "B" * 31, "at most 30"),
        ("display_name", "Bo\u202e", "invisible"),
        ("display_name", "", "required"),
        ("password1", "password", "too common"),
        ("password1", "short", "too short"),
    ],
)
def test_a_wrong_field_at_sign_up_is_said_beside_it(
    client: Client, ada: User, field: str, value: str, said: str, settings: Settings
) -> None:
    settings.ACCOUNT_PREVENT_ENUMERATION = False
    answer = client.post(reverse("account_signup"), SIGN_UP | {field: value})
    assert answer.status_code == 200
    assert said in " ".join(answer.context["form"].errors[field])
    assert User.objects.count() == 1


def test_one_signs_in_with_the_address_in_any_case_and_out_again(client: Client, ada: User) -> None:
    answer = client.post(reverse("account_login"), {"login": "ADA@example.org", "password": PASSWORD})
    assert answer.status_code == 302
    assert "_auth_user_id" in client.session
    client.post(reverse("account_logout"))
    assert "_auth_user_id" not in client.session


def test_signing_out_takes_a_post(client: Client, ada: User) -> None:
    client.force_login(ada)
    assert client.get(reverse("account_logout")).status_code == 200
    assert "_auth_user_id" in client.session


@pytest.mark.contexts
def test_a_wrong_password_and_an_unknown_address_get_the_same_answer(client: Client, ada: User) -> None:
    said = []
    for address in ("ada@example.org", "nobody@example.org"):
        answer = client.post(reverse("account_login"), {"login": address, "password": "wrong"})
        said.append(answer.context["form"].errors)
    assert said[0] == said[1]
    assert said[0]


def test_guessing_passwords_is_stopped_after_a_few_tries(client: Client, ada: User) -> None:
    for _attempt in range(5):
        client.post(reverse("account_login"), {"login": "ada@example.org", "password": "wrong"})
    client.post(reverse("account_login"), {"login": "ada@example.org", "password": PASSWORD})
    assert "_auth_user_id" not in client.session


@pytest.mark.django_db
@pytest.mark.parametrize(("address", "form"), [("account_signup", {}), ("account_reset_password", {"email": "a@b.nl"})])
def test_asking_too_often_is_answered_by_429(client: Client, address: str, form: dict[str, str]) -> None:
    statuses = [client.post(reverse(address), form).status_code for _attempt in range(21)]
    assert 429 in statuses
    assert statuses[0] != 429


def test_a_forgotten_password_is_replaced_through_the_link_in_the_mail(
    client: Client, ada: User, letters: Letters
) -> None:
    client.post(reverse("account_reset_password"), {"email": "ada@example.org"})
    (mail,) = letters()
    assert mail.to == ["ada@example.org"]
    page = client.get(link_in(str(mail.body)), follow=True)
    answer = client.post(page.redirect_chain[-1][0], {"password1": "another long one", "password2": "another long one"})
    assert answer["Location"] == reverse("account_reset_password_from_key_done")
    assert (
        client.post(reverse("account_login"), {"login": ada.email, "password": "another long one"}).status_code == 302
    )


@pytest.mark.contexts
def test_a_link_for_a_new_password_works_once(client: Client, ada: User, letters: Letters) -> None:
    client.post(reverse("account_reset_password"), {"email": "ada@example.org"})
    link = link_in(str(letters()[0].body))
    page = client.get(link, follow=True)
    client.post(page.redirect_chain[-1][0], {"password1": "another long one", "password2": "another long one"})
    assert client.get(link).context["token_fail"]


def test_a_reset_for_an_unknown_address_answers_like_one_for_a_known_address(
    client: Client, ada: User, letters: Letters
) -> None:
    known = client.post(reverse("account_reset_password"), {"email": "ada@example.org"})
    unknown = client.post(reverse("account_reset_password"), {"email": "nobody@example.org"})
    assert (known.status_code, known["Location"]) == (unknown.status_code, unknown["Location"])
    assert [mail.to for mail in letters()] == [["ada@example.org"]]


@pytest.mark.django_db
def test_an_address_is_confirmed_through_the_link_in_the_mail(client: Client, letters: Letters) -> None:
    client.post(reverse("account_signup"), SIGN_UP)
    link = link_in(str(letters()[0].body))
    assert client.get(link).status_code == 200
    client.post(link)
    assert User.objects.get().emailaddress_set.get().verified


@pytest.mark.django_db
def test_where_confirming_is_mandatory_nobody_is_signed_in_before(
    client: Client, settings: Settings, letters: Letters
) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    client.post(reverse("account_signup"), SIGN_UP)
    assert "_auth_user_id" not in client.session
    client.post(link_in(str(letters()[0].body)))
    client.post(reverse("account_login"), {"login": "bo@example.org", "password": PASSWORD})
    assert "_auth_user_id" in client.session


@pytest.mark.django_db
def test_a_second_sign_up_with_an_address_sends_its_owner_a_mail(
    client: Client, ada: User, settings: Settings, letters: Letters
) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    client.post(reverse("account_signup"), SIGN_UP | {"email": "ada@example.org"})
    (mail,) = letters()
    assert (mail.subject, mail.to) == ("You already have an account", ["ada@example.org"])
    assert "/accounts/confirm-email/" not in str(mail.body)


def test_mails_reach_a_real_mail_server(client: Client, ada: User, smtp_sink: Sink) -> None:
    client.post(reverse("account_reset_password"), {"email": "ada@example.org"})
    mails.send_waiting(now=timezone.now())
    (mail,) = smtp_sink.messages
    assert mail["To"] == "ada@example.org"
    assert mail["Subject"] == "Choose a new password"
    text = mail.get_body(("plain",))
    assert text is not None
    assert "Hello Ada," in text.get_content()
    assert "/accounts/password/reset/key/" in text.get_content()


@pytest.mark.django_db
def test_a_mail_server_that_refuses_breaks_no_sign_up_and_is_asked_again(
    client: Client, ada: User, settings: Settings, smtp_sink: Sink
) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    now = timezone.now()
    smtp_sink.refusing = True
    assert client.post(reverse("account_signup"), SIGN_UP, follow=True).status_code == 200
    assert client.post(reverse("account_reset_password"), {"email": ada.email}, follow=True).status_code == 200
    assert mails.send_waiting(now=now + timedelta(seconds=1)) == 0
    assert mails.send_waiting(now=now + timedelta(seconds=20)) == 0, "not at once"
    smtp_sink.refusing = False
    assert mails.send_waiting(now=now + timedelta(minutes=5)) == 2
    assert sorted(mail["To"] for mail in smtp_sink.messages) == ["ada@example.org", "bo@example.org"]
