"""Access tokens: made by their person alone, shown once, kept as a hash, and gone with whatever ends sign-ins."""

import json
import re
from collections.abc import Callable
from datetime import timedelta
from http import HTTPStatus
from typing import Any

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries, Settings

from accounts import guests, sessions, tokens
from accounts.audit import Staff
from accounts.models import AccessToken, AccountMail, AddressChange, Scope, StaffAct, StaffAction, User
from accounts.token_text import CHECK, DRAWN, PREFIX, START, digest, draw, is_token, start_of, without_secrets
from games import commands
from games.admin.acts import PERSON_ACTS
from tests.accounts.conftest import PASSWORD

pytestmark = pytest.mark.anydb

type Letters = Callable[[], list[EmailMessage]]

FIELDS = {"name": "My bot", "scopes": ["read", "play"], "life": "quarter"}
PAGE = "/accounts/tokens/"


def make(user: User, name: str = "My bot", *, life: timedelta | None = None, **terms: Any) -> tuple[AccessToken, str]:
    terms = {"scopes": [Scope.READ], "now": timezone.now(), **terms}
    return tokens.make(user, name=name, life=life, **terms)


def opens(text: str, **later: int) -> bool:
    return tokens.find(text, now=timezone.now() + timedelta(**later)) is not None


def confirm(client: Client) -> None:
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})


@pytest.fixture
def here(ada: User) -> Client:
    """Return the browser of Ada, who has just said her password once more."""
    client = Client()
    client.force_login(ada)
    confirm(client)
    return client


def shown(answer: Any) -> str:
    """Return the one token that stands in an answer."""
    found: set[str] = {text for text in re.findall(r"gst_\w+", answer.content.decode()) if is_token(text)}
    (text,) = found
    return text


# --- The text of a token -------------------------------------------------------------------------------------------


def test_a_token_is_drawn_from_more_than_256_bits_beside_what_its_owner_is_shown() -> None:
    drawn = {draw() for _ in range(200)}
    assert len(drawn) == 200
    assert all(is_token(text) and text.startswith(PREFIX) for text in drawn)
    assert 62 ** (DRAWN - (START - len(PREFIX))) > 2**256
    assert len({text[len(PREFIX) :][:DRAWN] for text in drawn}) == 200
    assert {letter for text in drawn for letter in text[4:52]} > set("019azAZ")


@given(st.integers(0, len(PREFIX) + DRAWN + CHECK - 1), st.sampled_from("0aZ_é \n"))
def test_a_changed_letter_makes_it_no_token(place: int, letter: str) -> None:
    text = draw()
    changed = text[:place] + letter + text[place + 1 :]
    assert is_token(changed) == (changed == text)
    assert not is_token(text[:place] + text[place + 1 :])


@pytest.mark.parametrize("text", ["", "gst_", "x" * 58, "gst_" + "0" * 54, "gst_" + "é" * 54, "\0", "9" * 99_999])
def test_what_is_no_token_is_not_looked_for(
    text: str, db: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        assert not opens(text)


def test_tokens_and_what_follows_bearer_are_taken_out_of_a_text() -> None:
    text = draw()
    for said in (
        text,
        f"at {text}, there",
        f"'Authorization': 'Bearer {text}'",
        text[:30],
        "bearer abc.def",
        f"?t={text}",
    ):
        kept = without_secrets(said)
        assert text[8:30] not in kept
        assert "abc" not in kept
        assert "…" in kept
    assert without_secrets("the bearer of a name") == "the bearer … a name"
    assert without_secrets("a game of gusts") == "a game of gusts"


# --- Making and using one ------------------------------------------------------------------------------------------


def test_a_token_is_found_by_its_text_and_stored_as_a_hash(ada: User) -> None:
    token, text = make(ada, scopes=[Scope.PLAY, Scope.READ])
    found = tokens.find(text, now=timezone.now())
    assert found == token
    assert found is not None
    assert found.user == ada
    assert (found.scopes, found.start, found.hash) == ("read play", start_of(text), digest(text))
    assert [found.allows(scope) for scope in Scope] == [True, True, False, False]
    values = json.dumps([*AccessToken.objects.values()], default=str)
    assert text not in values
    assert text[START:] not in values
    assert not opens(draw())


def test_using_one_takes_one_statement_and_is_written_down_once_in_ten_minutes(
    ada: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    _token, text = make(ada)
    now = timezone.now()
    written = []
    for minutes in (0, 1, 5, 9, 10, 11, 19, 25):
        at = now + timedelta(minutes=minutes)
        with django_assert_num_queries(1):
            found = tokens.find(text, now=at)
        assert found is not None
        tokens.note_used(found, at)
        written.append((AccessToken.objects.get().used_at or now) - now)
    assert [instant.total_seconds() // 60 for instant in written] == [0, 0, 0, 0, 10, 10, 10, 25]
    found = tokens.find(text, now=now + timedelta(minutes=26))
    assert found is not None
    with django_assert_num_queries(0):
        tokens.note_used(found, now + timedelta(minutes=26))


def test_one_expires_at_its_end_and_is_deleted_a_month_later(ada: User) -> None:
    make(ada, "for ever")
    token, text = make(ada, life=timedelta(days=30))
    assert token.expires_at is not None
    assert tokens.find(text, now=token.expires_at - timedelta(seconds=1)) is not None
    assert tokens.find(text, now=token.expires_at) is None
    commands.prune_traces(size=10, now=token.expires_at + tokens.KEPT_FOR - timedelta(seconds=1))
    assert AccessToken.objects.count() == 2
    commands.prune_traces(size=10, now=token.expires_at + tokens.KEPT_FOR)
    assert [left.name for left in AccessToken.objects.all()] == ["for ever"]


def test_nobody_has_more_than_so_many_nor_two_of_one_name(ada: User) -> None:
    for number in range(tokens.MOST):
        make(ada, f"bot {number}", life=timedelta(days=30))
    with pytest.raises(tokens.TooManyError):
        make(ada, "one more")
    tokens.revoke(ada, AccessToken.objects.earliest("pk").pk)
    with pytest.raises(tokens.NameTakenError):
        make(ada, "bot 1")
    make(ada, "bot 0")
    make(User.objects.create_user("bo@example.org", PASSWORD, display_name="Bo"), "bot 1")
    assert AccessToken.objects.count() == tokens.MOST + 1


def test_guests_and_who_has_not_confirmed_make_none(ada: User) -> None:
    with pytest.raises(tokens.NotConfirmedError):
        make(guests.make_guest(language="en", now=timezone.now()))
    User.objects.filter(pk=ada.pk).update(confirmed_address="")
    with pytest.raises(tokens.NotConfirmedError):
        make(ada)
    assert not AccessToken.objects.exists()


# --- What ends one -------------------------------------------------------------------------------------------------


def deactivate(ada: User, _here: Client) -> None:
    User.objects.filter(pk=ada.pk).update(is_active=False)


def delete(ada: User, _here: Client) -> None:
    commands.delete_account(user=ada, now=timezone.now())


def revoke(_ada: User, here: Client) -> None:
    address = reverse("revoke_token", args=[AccessToken.objects.get(name="My bot").pk])
    assert "My bot" in here.get(address).content.decode()
    assert AccessToken.objects.count() == 2, "looking revokes nothing"
    assert here.post(address)["Location"] == PAGE


def choose_another_password(_ada: User, here: Client) -> None:
    changed = {"oldpassword": PASSWORD, "password1": "another long one", "password2": "another long one"}
    assert here.post(reverse("account_change_password"), changed).status_code == HTTPStatus.FOUND


def move_to_another_address(ada: User, here: Client) -> None:
    address = EmailAddress.objects.create(user=ada, email="new@example.org", verified=False, primary=False)
    here.post(reverse("account_confirm_email", args=[EmailConfirmationHMAC(address).key]))
    here.post(reverse("account_answer_change", args=[AddressChange.objects.get().key]), {"answer": "yes"})


def sign_out_everywhere_else(_ada: User, here: Client) -> None:
    here.post(reverse("end_other_sessions"))


def be_signed_out_by_the_staff(ada: User, _here: Client) -> None:
    run_act("end-sessions", ada)


def lose_them_to_the_staff(ada: User, _here: Client) -> None:
    run_act("revoke-tokens", ada)


def run_act(name: str, person: User) -> None:
    (act,) = [act for act in PERSON_ACTS if act.name == name]
    assert act.fits(person)
    act.run(person, {}, Staff("Staff", "a leak"))


@pytest.mark.parametrize("measure", [commands.silence, commands.suspend])
def test_what_bars_a_person_from_some_things_ends_none(ada: User, measure: Callable[..., object]) -> None:
    _token, text = make(ada)
    until = timezone.now() + timedelta(days=1)
    measure(user=ada, until=until, words="No.", staff=Staff("Staff", "why"), now=timezone.now())
    assert opens(text)


@pytest.mark.parametrize(
    "end",
    [
        deactivate,
        delete,
        choose_another_password,
        move_to_another_address,
        sign_out_everywhere_else,
        be_signed_out_by_the_staff,
        lose_them_to_the_staff,
    ],
)
def test_what_ends_all_of_a_persons_tokens_ends_nobody_elses(
    ada: User, here: Client, end: Callable[[User, Client], None]
) -> None:
    bo = User.objects.create_user("bo@example.org", PASSWORD, display_name="Bo")
    texts = [make(ada, name)[1] for name in ("My bot", "Another")]
    _token, of_bo = make(bo)
    end(ada, here)
    assert [opens(text) for text in (*texts, of_bo)] == [False, False, True]


def test_revoking_one_leaves_the_others(ada: User, here: Client) -> None:
    _token, text = make(ada)
    _other, kept = make(ada, "Another")
    revoke(ada, here)
    assert (opens(text), opens(kept)) == (False, True)
    assert "My bot" not in here.get(PAGE).content.decode()


def test_nobody_sees_or_revokes_a_token_of_somebody_else(ada: User, here: Client) -> None:
    bo = User.objects.create_user("bo@example.org", PASSWORD, display_name="Bo")
    token, text = make(bo, "Not yours")
    for ask in (here.get, here.post):
        assert ask(reverse("revoke_token", args=[token.pk])).status_code == HTTPStatus.NOT_FOUND
    assert "Not yours" not in here.get(PAGE).content.decode()
    assert opens(text)


def test_the_staff_revokes_with_a_reason_and_the_person_is_told(ada: User, letters: Letters) -> None:
    make(ada)
    letters().clear()
    lose_them_to_the_staff(ada, Client())
    action = StaffAction.objects.get()
    assert (action.act, action.person, action.why, action.details) == (
        StaffAct.REVOKE_TOKENS,
        ada.pk,
        "a leak",
        {"count": 1},
    )
    assert letters()[-1].subject == "Your access tokens were revoked"
    (act,) = [act for act in PERSON_ACTS if act.name == "revoke-tokens"]
    assert not act.fits(ada)


@pytest.mark.contexts
def test_another_address_of_the_staff_ends_all(ada: User, client: Client) -> None:
    _token, text = make(ada)
    staff = User.objects.create_superuser("staff@example.org", PASSWORD, display_name="Staff")
    client.force_login(staff)
    address = reverse("admin:accounts_user_change", args=[ada.pk])
    form = client.get(address).context["adminform"].form
    fields = {name: form.get_initial_for_field(field, name) for name, field in form.fields.items()}
    sent = {
        name: "on" if value is True else value
        for name, value in fields.items()
        if value is not None and value is not False
    }
    answer = client.post(address, {**sent, "email": "other@example.org", "why": "they asked"})
    assert answer.status_code == HTTPStatus.FOUND, answer.context["adminform"].form.errors
    assert not opens(text)


# --- The page ------------------------------------------------------------------------------------------------------


def test_nothing_is_made_before_the_password_was_said_once_more(ada: User, client: Client) -> None:
    client.force_login(ada)
    asked = client.post(PAGE, FIELDS)
    assert asked["Location"].startswith(reverse("account_reauthenticate"))
    assert not AccessToken.objects.exists()
    answer = client.post(asked["Location"], {"password": PASSWORD, "next": PAGE})
    assert opens(shown(answer))
    assert "no-store" in answer["Cache-Control"]


def test_a_token_is_shown_once_and_nowhere_else(
    here: Client, letters: Letters, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    answer = here.post(PAGE, FIELDS)
    text = shown(answer)
    assert "no-store" in answer["Cache-Control"]
    assert 'data-copies="token"' in answer.content.decode()
    assert opens(text)
    secret = text[START:]
    listed = here.get(PAGE).content.decode()
    assert text[:START] in listed
    mail = letters()[-1]
    assert mail.subject == "An access token was made"
    assert "“My bot”" in mail.body
    rows = json.dumps([*AccountMail.objects.values()], default=str)
    held = json.dumps(dict(here.session.items()), default=str)
    for place in (listed, mail.body, str(mail.message()), rows, held, caplog.text):
        assert secret not in place
    assert [record for record in caplog.records if "access token made" in str(record.msg)]


def test_the_page_says_of_each_what_it_may_when_it_was_used_and_until_when(ada: User, here: Client) -> None:
    make(ada, "Old", life=timedelta(days=30), now=timezone.now() - timedelta(days=40))
    token, text = make(ada, "New", scopes=[Scope.READ, Scope.PLAY, Scope.CREATE], life=timedelta(days=90))
    page = here.get(PAGE).content.decode()
    assert page.index("New") < page.index("Old")
    assert page.count("Not used yet") == 2
    assert "Expired:" in page
    assert "Works until" in page
    assert page.count('<li class="tag">') == 4
    tokens.note_used(token, timezone.now())
    assert here.get(PAGE).content.decode().count("Not used yet") == 1
    assert text not in page


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"name": " "},
        {"name": "x" * 51},
        {"name": "ﷺ" * 50},
        {"name": "a\0b"},
        {"name": "a\r\nBcc: x"},
        {"name": "a\u202eb"},
        {"scopes": []},
        {"scopes": ["admin"]},
        {"scopes": ["read", "\0"]},
        {"life": ""},
        {"life": "9" * 999},
        {"life": "century"},
    ],
)
def test_what_is_no_token_is_refused_in_words(ada: User, here: Client, wrong: dict[str, Any]) -> None:
    answer = here.post(PAGE, {**FIELDS, **wrong})
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert 'id="errors"' in answer.content.decode()
    assert not AccessToken.objects.exists()


def test_a_hostile_name_is_shown_as_text(ada: User, here: Client) -> None:
    here.post(PAGE, {**FIELDS, "name": "<script>alert(1)</script>"})
    assert AccessToken.objects.exists()
    assert "<script>alert" not in here.get(PAGE).content.decode()


def test_the_same_form_sent_again_makes_no_second_token(here: Client) -> None:
    here.post(PAGE, FIELDS)
    again = here.post(PAGE, FIELDS)
    assert again.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "You have a token of that name already." in again.content.decode()
    assert AccessToken.objects.count() == 1


def test_so_many_are_made_an_hour(here: Client, settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "access_token": "2/h/user"}
    answers = [here.post(PAGE, {**FIELDS, "name": f"bot {number}"}).status_code for number in range(3)]
    assert answers == [HTTPStatus.OK, HTTPStatus.OK, HTTPStatus.TOO_MANY_REQUESTS]
    assert AccessToken.objects.count() == 2


def test_a_full_page_has_no_form_and_few_statements(
    ada: User, here: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(tokens.MOST):
        make(ada, f"bot {number}")
    with django_assert_max_num_queries(6):
        page = here.get(PAGE).content.decode()
    assert 'name="scopes"' not in page
    assert "Revoke one first." in page


def test_a_guest_is_led_to_where_they_get_an_address(db: None, client: Client) -> None:
    client.force_login(guests.make_guest(language="en", now=timezone.now()))
    for answer in (client.get(PAGE), client.post(PAGE, FIELDS)):
        assert answer["Location"] == reverse("keep_games")


def test_the_admin_lists_tokens_without_what_finds_one(ada: User, client: Client) -> None:
    token, text = make(ada)
    client.force_login(User.objects.create_superuser("staff@example.org", PASSWORD, display_name="Staff"))
    for address in (
        reverse("admin:accounts_accesstoken_changelist"),
        reverse("admin:accounts_accesstoken_change", args=[token.pk]),
        reverse("admin:accounts_accesstoken_changelist") + f"?q={digest(text)}",
    ):
        page = client.get(address).content.decode()
        assert text[START:] not in page
        assert digest(text) not in page.replace(f'value="{digest(text)}"', "")
    assert client.get(reverse("admin:accounts_accesstoken_add")).status_code == HTTPStatus.FORBIDDEN
    found = client.get(reverse("admin:accounts_accesstoken_changelist"), {"hash": digest(text)})
    assert found.status_code != HTTPStatus.OK, "a filter would tell which hashes there are"


def test_signing_out_everywhere_says_whether_there_was_anything(ada: User) -> None:
    assert not sessions.end_other_sessions(ada, current=None)
    make(ada)
    assert sessions.end_other_sessions(ada, current=None)
