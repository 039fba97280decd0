"""Bots: accounts of people's programs, which their owners make, and nobody signs in to."""

from datetime import timedelta
from http import HTTPStatus
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.db.models import ProtectedError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import bots, mails, pending, sessions, tokens
from accounts.audit import Staff
from accounts.forms import NameField
from accounts.guests import make_guest
from accounts.mails import ACCESS_MADE, ACCESS_REVOKED
from accounts.models import AccessToken, AccountMail, EmailCode, Scope, User
from accounts.names import is_reserved
from tests.accounts.conftest import PASSWORD

pytestmark = pytest.mark.anydb

PAGE = "/accounts/bots/"


@pytest.fixture
def bo(db: None) -> User:
    return User.objects.create_user("bo@example.org", PASSWORD, display_name="Bo")


@pytest.fixture
def rex(ada: User) -> User:
    return make(ada)


@pytest.fixture
def here(ada: User) -> Client:
    """Return the browser of Ada, who has just said her password once more."""
    client = Client()
    client.force_login(ada)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    return client


def make(owner: User, name: str = "Rex") -> User:
    return bots.make_bot(owner, name, timezone.now())


def token_of(owner: User, bot: User | None, name: str = "Den") -> tuple[AccessToken, str]:
    return tokens.make(owner, name=name, scopes=[Scope.READ], life=None, now=timezone.now(), bot=bot)


def opens(text: str) -> bool:
    return tokens.find(text, now=timezone.now()) is not None


# --- Making one ----------------------------------------------------------------------------------------------------


def test_a_bot_has_an_owner_and_their_settings_but_neither_address_nor_password(ada: User) -> None:
    User.objects.filter(pk=ada.pk).update(language="de", time_zone="Europe/Berlin")
    rex = User.objects.get(pk=make(ada).pk)
    assert (rex.display_name, rex.owner, rex.is_bot, rex.is_guest) == ("Rex bot", ada, True, False)
    assert (rex.language, rex.time_zone, rex.is_confirmed) == ("de", "Europe/Berlin", False)
    assert not rex.has_usable_password()
    assert rex.email.endswith(".invalid")
    assert not ada.is_bot


@pytest.mark.parametrize("typed", ["Rex", " Rex  bot ", "Rex BOT"])
def test_the_ending_of_its_name_may_be_typed_too(ada: User, typed: str) -> None:
    assert make(ada, typed).display_name == "Rex bot"


@pytest.mark.parametrize(
    "name", ["", "!", "Admin", "Guest 1234", "Pebble", "a/b", "a.example", "x" * 27, "Rex bot 2", "Rex bot bot", "R\0x"]
)
def test_what_no_name_may_be_is_none_of_a_bot(ada: User, name: str) -> None:
    with pytest.raises(ValidationError):
        make(ada, name)
    assert not User.objects.exclude(pk=ada.pk).exists()


def test_a_bot_is_called_neither_as_another_nor_as_somebody_else(ada: User, bo: User) -> None:
    make(ada, "x" * bots.NAME_LENGTH)
    make(ada, "Ada")
    for name in ("Bo", "bo", "B\u043e", "ADA", "X" * bots.NAME_LENGTH):
        with pytest.raises(ValidationError):
            make(ada, name)


def test_no_person_takes_the_name_of_a_bot(ada: User, rex: User, client: Client) -> None:
    assert is_reserved(rex.display_name)
    with pytest.raises(ValidationError):
        NameField().clean(rex.display_name)
    client.force_login(ada)
    answer = client.post(reverse("profile"), {"display_name": "Rex Bot", "language": "en", "time_zone": "UTC"})
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY


def test_a_person_has_so_many_bots_and_no_more(ada: User, bo: User) -> None:
    for number in range(bots.MOST):
        make(ada, f"Rex {number}")
    with pytest.raises(bots.TooManyError):
        make(ada, "Max")
    make(bo, "Max")


def test_neither_guests_nor_bots_nor_who_is_barred_or_unconfirmed_make_one(ada: User, rex: User, bo: User) -> None:
    now = timezone.now()
    for nobody in (rex, make_guest(language="en", now=now)):
        with pytest.raises(bots.NotConfirmedError):
            make(nobody, "Max")
    for column in ("silenced_until", "suspended_until"):
        User.objects.filter(pk=bo.pk).update(**{"silenced_until": None, column: now + timedelta(days=1)})
        with pytest.raises(bots.BarredError):
            make(bo, "Max")
    User.objects.filter(pk=bo.pk).update(confirmed_address="", suspended_until=None)
    with pytest.raises(bots.NotConfirmedError):
        make(bo, "Max")


def test_a_bot_is_found_by_name_and_number_but_gets_no_mail(ada: User, rex: User) -> None:
    assert User.objects.named("rex BOT") == rex
    assert rex in User.objects.shown()
    assert rex not in User.objects.confirmed()
    User.objects.filter(pk=ada.pk).update(is_active=False)
    assert User.objects.named("Rex bot") is None
    assert rex not in User.objects.shown()


def test_a_bot_is_no_account_that_waits_to_be_confirmed(rex: User) -> None:
    later = timezone.now() + 2 * pending.KEPT_FOR
    assert pending.expire(now=later, size=10) == 0
    assert User.objects.filter(pk=rex.pk).exists()


def test_its_owner_does_not_go_before_it(ada: User, rex: User) -> None:
    with pytest.raises(ProtectedError):
        ada.delete()
    rex.delete()
    ada.delete()


# --- Nobody signs in to it -----------------------------------------------------------------------------------------


def test_no_session_is_a_bots(rex: User) -> None:
    client = Client()
    client.force_login(rex)
    for name in ("profile", "bots", "access_tokens", "my_games"):
        assert client.get(reverse(name)).status_code == HTTPStatus.FOUND, name
    assert client.get("/api/v1/me/").status_code == HTTPStatus.UNAUTHORIZED


def test_a_token_of_a_bot_opens_no_page(ada: User, rex: User) -> None:
    _token, text = token_of(ada, rex)
    bearer = {"Authorization": f"Bearer {text}"}
    assert Client(headers=bearer).get("/api/v1/me/").json()["number"] == rex.pk
    for name in ("profile", "bots", "access_tokens", "my_games", "delete_account"):
        assert Client(headers=bearer).get(reverse(name))["Location"].startswith("/accounts/login/"), name


@pytest.mark.parametrize("password", ["", PASSWORD, "!"])
def test_no_password_signs_in_to_a_bot(rex: User, client: Client, password: str) -> None:
    client.post(reverse("account_login"), {"login": rex.email, "password": password})
    assert "_auth_user_id" not in client.session
    assert not client.login(email=rex.email, password=password)


def test_no_mail_brings_a_code_or_a_new_password_for_a_bot(
    rex: User, client: Client, mailoutbox: list[EmailMessage]
) -> None:
    client.post(reverse("account_request_login_code"), {"email": rex.email})
    client.post(reverse("account_reset_password"), {"email": rex.email})
    mails.send_waiting(now=timezone.now())
    assert mailoutbox == []
    assert not EmailCode.objects.exclude(hash="").exists()


# --- Its tokens ----------------------------------------------------------------------------------------------------


def test_its_tokens_are_its_owners_to_see_and_to_revoke(ada: User, bo: User, rex: User) -> None:
    token, text = token_of(ada, rex)
    found = tokens.find(text, now=timezone.now())
    assert found is not None
    assert found.user == rex
    assert [*tokens.owned(ada)] == [token]
    assert [*tokens.owned(bo)] == []
    assert not tokens.revoke(bo, token.pk)
    assert opens(text)
    assert tokens.revoke(ada, token.pk)
    assert not opens(text)


def test_nobody_makes_a_token_for_somebody_elses_bot_and_no_bot_makes_one(ada: User, bo: User, rex: User) -> None:
    for owner, bot in ((bo, rex), (bo, ada), (rex, None), (rex, rex)):
        with pytest.raises(tokens.NotConfirmedError):
            token_of(owner, bot)
    assert not AccessToken.objects.exists()


def test_tokens_of_a_person_and_their_bots_are_counted_together(ada: User, rex: User) -> None:
    for number in range(tokens.MOST):
        token_of(ada, rex if number % 2 else None, f"{number}")
    for bot in (rex, None):
        with pytest.raises(tokens.TooManyError):
            token_of(ada, bot, "one more")


def test_a_name_may_be_used_once_for_each(ada: User, rex: User) -> None:
    token_of(ada, rex)
    token_of(ada, None)
    with pytest.raises(tokens.NameTakenError):
        token_of(ada, rex)


def test_the_owner_is_told_of_them_by_mail(ada: User, rex: User, mailoutbox: list[EmailMessage]) -> None:
    token_of(ada, rex)
    mail = AccountMail.objects.get()
    assert (mail.template, mail.user, mail.address) == (ACCESS_MADE, ada, ada.email)
    mails.send_waiting(now=timezone.now())
    assert "“Den” was made for Rex bot" in " ".join(str(mailoutbox[0].body).split())
    AccountMail.objects.all().delete()
    tokens.revoke_for_staff(rex, Staff("Op", "a leak"))
    assert AccountMail.objects.filter(template=ACCESS_REVOKED, user=ada, address=ada.email).count() == 1


def test_what_ends_the_owners_tokens_ends_the_bots(ada: User, bo: User, rex: User) -> None:
    texts = [token_of(ada, None)[1], token_of(ada, rex)[1]]
    _other, stays = token_of(bo, make(bo, "Max"))
    sessions.end_other_sessions(ada, current=None)
    assert [opens(text) for text in (*texts, stays)] == [False, False, True]


def test_a_token_of_a_bot_opens_nothing_while_its_owner_is_inactive(ada: User, rex: User) -> None:
    _token, text = token_of(ada, rex)
    for column, opened in (("is_active", False), ("is_active", True)):
        User.objects.filter(pk=ada.pk).update(**{column: opened})
        assert opens(text) is opened
    User.objects.filter(pk=rex.pk).update(is_active=False)
    assert not opens(text)


# --- The pages -----------------------------------------------------------------------------------------------------


def test_the_page_makes_a_bot_and_shows_it(here: Client, ada: User) -> None:
    answer = here.post(PAGE, {"name": "Rex"}, follow=True)
    page = answer.content.decode()
    (rex,) = bots.owned(ada)
    assert reverse("player", args=[rex.pk]) in page
    assert reverse("delete_bot", args=[rex.pk]) in page
    assert f"{reverse('access_tokens')}?for={rex.pk}" in page


def test_it_says_why_it_makes_none(here: Client, ada: User, rex: User) -> None:
    for name, words in (("Rex", "already taken"), ("", "required"), ("Admin", "reserved"), ("x" * 27, "at most 26")):
        answer = here.post(PAGE, {"name": name})
        assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
        assert words in answer.content.decode()
    User.objects.filter(pk=ada.pk).update(silenced_until=timezone.now() + timedelta(days=1))
    assert "make a bot at the moment" in here.post(PAGE, {"name": "Max"}).content.decode()
    User.objects.filter(pk=ada.pk).update(silenced_until=None)
    for number in range(bots.MOST - 1):
        make(ada, f"Max {number}")
    assert "as many bots as one can have" in here.get(PAGE).content.decode()
    assert "as many bots as one can have" in here.post(PAGE, {"name": "Max"}).content.decode()


def test_a_bot_is_made_and_deleted_after_confirming_that_it_is_they(ada: User, rex: User) -> None:
    client = Client()
    client.force_login(ada)
    for address, fields in ((PAGE, {"name": "Max"}), (reverse("delete_bot", args=[rex.pk]), {})):
        assert "reauthenticate" in client.post(address, fields)["Location"]
    assert [*bots.owned(ada)] == [rex]


def test_the_page_of_tokens_makes_them_for_a_bot(here: Client, ada: User, bo: User, rex: User) -> None:
    fields: dict[str, Any] = {"name": "Den", "scopes": ["read"], "life": "month", "bot": rex.pk}
    assert f'<option value="{rex.pk}" selected>' in here.get(f"/accounts/tokens/?for={rex.pk}").content.decode()
    page = here.post("/accounts/tokens/", fields).content.decode()
    assert AccessToken.objects.get().user == rex
    assert "for Rex bot" in page
    other = make(bo, "Max")
    answer = here.post("/accounts/tokens/", {**fields, "bot": other.pk})
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert AccessToken.objects.count() == 1


def test_who_has_no_bot_is_not_asked_whose_a_token_is(here: Client, ada: User, bo: User) -> None:
    make(bo)
    assert 'name="bot"' not in here.get("/accounts/tokens/?for=1").content.decode()
    here.post("/accounts/tokens/", {"name": "Den", "scopes": ["read"], "life": "month", "bot": "1"})
    assert AccessToken.objects.get().user == ada
