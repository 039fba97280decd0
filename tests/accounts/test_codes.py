"""Codes by e-mail: to confirm an address at sign-up, to sign in, and to confirm that it is you; each works once."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from datetime import timedelta
from uuid import uuid4

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core.mail import EmailMessage
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from accounts import codes, guests, mails, pending
from accounts.models import AccountMail, EmailCode, Purpose, User
from games import commands
from tests.accounts.conftest import PASSWORD, code_in, link_in
from tests.conftest import Sink

type Letters = Callable[[], list[EmailMessage]]
ASK, ENTER = "account_request_login_code", "account_confirm_login_code"
WAITING, CONFIRM, AGAIN = "account_email_verification_sent", "account_confirm_by_code", "account_send_again"
REFUSED = "This code is not right"
DEAD = "This code does not work any more"


@pytest.fixture(autouse=True)
def _mandatory(settings: Settings, db: None) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"


@pytest.fixture
def bare(db: None) -> User:
    """Return somebody without a password."""
    return User.objects.create_user("bare@example.org", display_name="Bare")


def ask(email: str, client: Client | None = None, **more: str) -> Client:
    client = client or Client()
    assert client.post(reverse(ASK), {"login": email, **more}).status_code == 302
    return client


def enter(client: Client, code: str, **more: str) -> str:
    """Type a code at the sign-in; return what is said, or where it leads."""
    answer = client.post(reverse(ENTER), {"code": code, **more})
    return str(answer["Location"]) if answer.status_code == 302 else answer.content.decode()


def sign_up(email: str, name: str = "Bo", client: Client | None = None, **more: str) -> Client:
    client = client or Client()
    answer = client.post(reverse("account_signup"), {"email": email, "display_name": name, **more})
    assert (answer.status_code, answer["Location"]) == (302, reverse(WAITING)), answer.content.decode()
    return client


def type_code(client: Client, code: str) -> str:
    """Type a code on the page on which one waits; return what is said, or where it leads."""
    answer = client.post(reverse(CONFIRM), {"code": code})
    return str(answer["Location"]) if answer.status_code == 302 else answer.content.decode()


def last_code(letters: Letters) -> str:
    return code_in(str(letters()[-1].body))


def who(client: Client) -> str:
    return str(client.session.get("_auth_user_id", ""))


def plain(page: str, address: str = "") -> str:
    """Return a page without what differs by chance or with the address."""
    page = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page)
    return page.replace(address, "ADDRESS") if address else page


def statements(queries: CaptureQueriesContext) -> list[str]:
    return [re.sub(r"'[^']*'|\b\d+\b|s\d+_x\d+", "?", query["sql"]) for query in queries]


# --- Signing in ----------------------------------------------------------------------------------------------------


def test_a_code_signs_in_and_leads_where_one_wanted_to_go(ada: User, letters: Letters) -> None:
    client = ask(ada.email.upper(), next="/accounts/display/")
    (mail,) = letters()
    assert (mail.to, mail.subject) == ([ada.email], "Your code to sign in")
    code = code_in(str(mail.body))
    assert re.fullmatch(r"[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}", code)
    assert enter(client, f" {code.lower().replace('-', ' ')} ", next="/accounts/display/") == "/accounts/display/"
    assert who(client) == str(ada.pk)
    assert "known" in client.cookies, "guesses in this browser are counted apart from now on"


def test_the_form_of_the_sign_in_page_takes_its_address_along(ada: User, letters: Letters) -> None:
    page = Client().get(f"{reverse('account_login')}?next=/accounts/display/").content.decode()
    assert f'formaction="{reverse(ASK)}"' in page
    answer = Client().post(reverse(ASK), {"login": ada.email, "password": "", "next": "/accounts/display/"})
    assert answer["Location"] == f"{reverse(ENTER)}?next=%2Faccounts%2Fdisplay%2F"
    empty = Client().post(reverse(ASK), {"login": "", "next": "/accounts/display/"})
    assert empty.status_code == 200
    assert 'name="next" value="/accounts/display/"' in empty.content.decode()
    assert Client().post(reverse(ASK), {"login": "nonsense"}).status_code == 422


def test_a_code_leads_nowhere_else(ada: User, letters: Letters) -> None:
    client = ask(ada.email)
    assert enter(client, last_code(letters), next="https://evil.example/") == reverse("my_games")


def test_a_code_works_once_and_in_the_session_that_asked(ada: User, letters: Letters) -> None:
    client, other = ask(ada.email), ask("nobody@example.org")
    code = last_code(letters)
    assert REFUSED in enter(other, code)
    assert enter(Client(), code) == reverse(ASK)
    assert enter(client, code) == reverse("my_games")
    client.post(reverse("account_logout"))
    assert enter(client, code) == reverse(ASK)
    session = client.session
    session[f"code_{Purpose.SIGN_IN}"] = EmailCode.objects.exclude(used_at=None).get().pk
    session.save()
    assert enter(client, code) == reverse(ASK)


def test_a_code_of_somebody_else_or_for_something_else_is_refused(ada: User, bare: User, letters: Letters) -> None:
    mine, theirs = ask(ada.email), ask(bare.email)
    found = {mail.to[0]: code_in(str(mail.body)) for mail in letters()}
    assert REFUSED in enter(mine, found[bare.email])
    session = theirs.session
    session[f"code_{Purpose.CONFIRM}"] = EmailCode.objects.get(user=bare).pk
    session.save()
    theirs.force_login(bare)
    answer = theirs.post(reverse("account_confirm_reauthentication_code"), {"code": found[bare.email]})
    assert answer["Location"] == reverse("account_request_reauthentication_code")


def test_a_new_password_or_address_voids_a_code(ada: User, letters: Letters) -> None:
    client = ask(ada.email)
    code = last_code(letters)
    ada.set_password("another long one")
    ada.save()
    assert REFUSED in enter(client, code)
    client = ask(ada.email)
    code = last_code(letters)
    ada.email = "new@example.org"
    ada.save()
    assert REFUSED in enter(client, code)


def test_a_code_works_for_a_quarter_of_an_hour_from_its_mail_on(ada: User, letters: Letters) -> None:
    client = ask(ada.email)
    EmailCode.objects.update(asked_at=timezone.now() - timedelta(hours=3))
    code = last_code(letters)
    EmailCode.objects.update(made_at=timezone.now() - codes.LIFE)
    assert REFUSED in enter(client, code)
    EmailCode.objects.update(made_at=timezone.now() - codes.LIFE + timedelta(seconds=30))
    assert enter(client, code) == reverse("my_games")


def test_a_code_is_dead_after_a_few_wrong_tries_and_a_new_one_works(ada: User, letters: Letters) -> None:
    client = ask(ada.email)
    code = last_code(letters)
    said = [enter(client, "BBBB-BBBB") for _try in range(codes.MOST_TRIES)]
    assert all(REFUSED in one for one in said[:-1])
    assert [DEAD in one for one in said] == [False] * (codes.MOST_TRIES - 1) + [True]
    assert DEAD in enter(client, code), "even the right one"
    assert who(client) == ""
    ask(ada.email, client)
    assert last_code(letters) != code
    assert enter(client, last_code(letters)) == reverse("my_games")


def test_a_new_code_takes_the_place_of_the_last(ada: User, letters: Letters) -> None:
    client = ask(ada.email)
    first = last_code(letters)
    ask(ada.email, client)
    second = last_code(letters)
    assert REFUSED in enter(client, first)
    assert enter(client, second) == reverse("my_games")


def test_pressing_twice_sends_one_code(ada: User, letters: Letters) -> None:
    client = ask(ada.email)
    ask(ada.email, client)
    assert len(letters()) == 1
    assert enter(client, last_code(letters)) == reverse("my_games")


def test_asking_for_and_trying_codes_does_the_same_whoever_has_the_address(ada: User, letters: Letters) -> None:
    sign_up("waiting@example.org", "Waits")
    letters()
    seen = []
    for email in (ada.email, "nobody@example.org", "waiting@example.org"):
        client, done, said = Client(), [], []
        with CaptureQueriesContext(connection) as queries:
            answer = client.post(reverse(ASK), {"login": email})
        done.append(statements(queries))
        said.append(f"{answer.status_code} {answer['Location']} {sorted(answer.headers)}")
        letters()
        said.append(plain(client.get(reverse(ENTER)).content.decode(), email))
        with CaptureQueriesContext(connection) as queries:
            ask(email, client)
        done.append(statements(queries))
        letters()
        for _try in range(codes.MOST_TRIES + 1):
            with CaptureQueriesContext(connection) as queries:
                answer = client.post(reverse(ENTER), {"code": "BBBB-BBBB"})
            done.append(statements(queries))
            said.append(f"{answer.status_code} {plain(answer.content.decode(), email)}")
        ask(email, client)
        said.append(plain(client.get(reverse(ENTER)).content.decode(), email))
        seen.append((done, said))
    assert seen[0] == seen[1] == seen[2]
    assert {mail.to[0] for mail in letters()} == {ada.email, "waiting@example.org"}, "the latter got its confirmation"
    assert [mail.subject for mail in letters() if mail.to == ["waiting@example.org"]] == ["Confirm your e-mail address"]


def test_a_mailbox_gets_a_few_codes_an_hour_and_its_owner_is_not_kept_out(ada: User, letters: Letters) -> None:
    own = Client()
    own.post(reverse("account_login"), {"login": ada.email, "password": PASSWORD})
    own.post(reverse("account_logout"))
    for number in range(8):
        ask(ada.email)
        sign_up(ada.email, f"Name {number}")
        letters()
    assert len(letters()) == 5
    ask(ada.email, own)
    assert len(letters()) == 6, "asked for in a browser that is known"
    assert enter(own, last_code(letters)) == reverse("my_games")
    AccountMail.objects.update(at=timezone.now() - timedelta(hours=1, seconds=1))
    ask(ada.email)
    assert len(letters()) == 7
    for _time in range(20):
        AccountMail.objects.update(at=timezone.now() - timedelta(hours=1, seconds=1))
        mails.ask(mails.SIGN_IN, ada.email, code=EmailCode.objects.latest("pk").pk, known=False)
        letters()
    assert len(letters()) == 21, "twenty a day, and the one of the known browser"


def test_a_network_asks_and_tries_so_often(ada: User, settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "code": "3/m/ip", "code_tried": "3/m/ip"}
    client = ask(ada.email)
    assert [client.post(reverse(ENTER), {"code": "B"}).status_code for _time in range(4)] == [422, 422, 422, 429]
    statuses = [client.post(reverse(ASK), {"login": f"{time}@example.org"}).status_code for time in range(3)]
    assert statuses == [302, 302, 429]


def test_a_second_factor_is_asked_for_after_the_code(ada: User, letters: Letters) -> None:
    TOTP.activate(ada, generate_totp_secret())
    client = ask(ada.email)
    assert enter(client, last_code(letters)) == reverse("mfa_authenticate")
    assert who(client) == ""


def test_who_may_not_sign_in_gets_no_code(ada: User, letters: Letters) -> None:
    client = ask(ada.email)
    code = last_code(letters)
    User.objects.filter(pk=ada.pk).update(is_active=False)
    assert REFUSED in enter(client, code)
    ask(ada.email)
    assert len(letters()) == 1


def test_codes_are_kept_as_hashes_for_a_day(ada: User, letters: Letters) -> None:
    ask(ada.email)
    code = last_code(letters)
    row = EmailCode.objects.get()
    kept = f"{EmailCode.objects.values()} {AccountMail.objects.values()}"
    assert len(row.hash) == 64
    assert code not in kept
    assert code.replace("-", "").lower() not in kept
    now = timezone.now()
    commands.prune_traces(size=9, now=now)
    assert EmailCode.objects.count() == 1
    commands.prune_traces(size=9, now=now + codes.KEPT_FOR + timedelta(minutes=1))
    assert EmailCode.objects.count() == 0


def test_a_code_is_read_in_text_and_html_as_it_arrives(ada: User, smtp_sink: Sink) -> None:
    client = ask(ada.email)
    mails.send_waiting(now=timezone.now())
    (mail,) = smtp_sink.messages
    text, html = (mail.get_body((kind,)) for kind in ("plain", "html"))
    assert text is not None
    assert html is not None
    code = code_in(text.get_content())
    assert "Hello Ada," in text.get_content()
    assert re.search(rf'<p class="code"[^>]*>{code}</p>', html.get_content())
    assert code not in str(mail["Subject"])
    assert enter(client, code) == reverse("my_games")


@pytest.mark.pg
@pytest.mark.django_db(transaction=True)
def test_a_code_that_is_typed_in_several_tabs_at_once_is_used_once(ada: User, mailoutbox: list[EmailMessage]) -> None:
    first = ask(ada.email)
    mails.send_waiting(now=timezone.now())
    code = code_in(str(mailoutbox[-1].body))
    tabs = [Client() for _tab in range(4)]
    for tab in tabs:
        tab.cookies = first.cookies

    def press(tab: Client) -> int:
        status = tab.post(reverse(ENTER), {"code": code}).status_code
        connection.close()
        return status

    with ThreadPoolExecutor(len(tabs)) as threads:
        with transaction.atomic():
            EmailCode.objects.select_for_update().get()
            pressed = [threads.submit(press, tab) for tab in tabs]
            wait(pressed, timeout=1)
        assert sorted(one.result() for one in pressed) == [302, 422, 422, 422]
    assert EmailCode.objects.get().used_at is not None


# --- Signing up ----------------------------------------------------------------------------------------------------


def test_an_address_and_a_name_are_enough_and_the_code_signs_in(letters: Letters) -> None:
    client = sign_up("Bo@example.org", next="/accounts/display/")
    page = client.get(reverse(WAITING)).content.decode()
    assert "within 15 minutes" in page
    (mail,) = letters()
    assert "/accounts/confirm-email/" in str(mail.body), "the link is there too"
    assert type_code(client, code_in(str(mail.body))) == "/accounts/display/"
    user = User.objects.get()
    assert who(client) == str(user.pk)
    assert (user.email, user.is_confirmed, user.has_usable_password()) == ("bo@example.org", True, False)


def test_the_link_signs_in_too_in_the_browser_that_signed_up(letters: Letters) -> None:
    client = sign_up("bo@example.org", next="/accounts/display/")
    link = link_in(str(letters()[0].body))
    elsewhere = sign_up("cy@example.org", "Cy")
    assert client.post(link)["Location"] == "/accounts/display/"
    assert who(client) == str(User.objects.get(display_name="Bo").pk)
    assert Client().post(link_in(str(letters()[1].body)))["Location"] == reverse("account_login")
    assert who(elsewhere) == "", "another browser confirms, and signs in nowhere"


def test_a_password_may_be_chosen_and_its_rules_are_one_sentence(letters: Letters) -> None:
    page = Client().get(reverse("account_signup")).content.decode()
    assert "You can leave this empty" in page
    assert "At least 8 characters" in page
    assert "<li>Your password" not in page
    assert "<details>" in page
    refused = Client().post(reverse("account_signup"), {"email": "b@c.nl", "display_name": "Bo", "password1": "12345"})
    assert "<details open>" in refused.content.decode()
    client = sign_up("bo@example.org", password1=PASSWORD)
    type_code(client, last_code(letters))
    assert User.objects.get().check_password(PASSWORD)


def test_a_password_that_was_typed_is_not_forgotten_unseen() -> None:
    form = {"email": "nonsense", "display_name": "Bo", "password1": PASSWORD}
    assert "<details open>" in Client().post(reverse("account_signup"), form).content.decode()


def test_one_form_makes_one_account_without_a_password(letters: Letters) -> None:
    token = str(uuid4())
    client = sign_up("bo@example.org", token=token)
    sign_up("bo@example.org", client=client, token=token)
    assert User.objects.count() == 1
    assert len(letters()) == 1
    for other in ("", str(uuid4()), "nonsense"):
        form = {"email": "bo@example.org", "display_name": "Bo", "token": other}
        assert "already taken" in Client().post(reverse("account_signup"), form).content.decode()
    sign_up("bo@example.org", "Other", token=token)
    assert User.objects.count() == 2, "who goes back and corrects the name makes another account"


def test_wrong_codes_at_sign_up_are_refused_and_a_new_one_is_sent(letters: Letters) -> None:
    client = sign_up("bo@example.org")
    first = last_code(letters)
    said = [type_code(client, "BBBB-BBBB") for _try in range(codes.MOST_TRIES)]
    assert all(REFUSED in one for one in said[:-1])
    assert DEAD in type_code(client, first)
    assert client.post(reverse(AGAIN)).status_code == 302
    assert type_code(client, last_code(letters)) == reverse("my_games")


def test_the_code_for_a_mistyped_address_is_dead_once_it_is_corrected(letters: Letters) -> None:
    client = sign_up("bo@exmaple.org")
    first = last_code(letters)
    client.post(reverse(WAITING), {"email": "bo@example.org"})
    assert REFUSED in type_code(client, first)
    assert letters()[-1].to == ["bo@example.org"]
    type_code(client, last_code(letters))
    assert User.objects.get().email == "bo@example.org"


def test_who_has_an_account_already_is_signed_in_to_it_by_the_code(ada: User, letters: Letters) -> None:
    client = sign_up(ada.email, next="/accounts/display/")
    (mail,) = letters()
    assert mail.subject == "You already have an account"
    assert "it signs you in to the account that you have already" in str(mail.body)
    assert type_code(client, code_in(str(mail.body))) == "/accounts/display/"
    assert who(client) == str(ada.pk)
    assert list(User.objects.all()) == [ada], "nothing waits any more, and the name is free"
    ada.refresh_from_db()
    assert ada.check_password(PASSWORD)


def test_the_page_on_which_one_waits_tells_nothing(ada: User, letters: Letters) -> None:
    seen = []
    for name, email in (("New", "new@example.org"), ("Old", ada.email)):
        client = sign_up(email, name)
        letters()
        done, said = [], [plain(client.get(reverse(WAITING)).content.decode(), email)]
        with CaptureQueriesContext(connection) as queries:
            client.post(reverse(AGAIN))
        done.append(statements(queries))
        letters()
        for _try in range(codes.MOST_TRIES + 1):
            with CaptureQueriesContext(connection) as queries:
                said.append(plain(type_code(client, "BBBB-BBBB"), email))
            done.append(statements(queries))
        with CaptureQueriesContext(connection) as queries:
            client.post(reverse(AGAIN))
        done.append(statements(queries))
        letters()
        said.append(plain(client.get(reverse(WAITING)).content.decode(), email))
        seen.append((done, said))
    assert seen[0] == seen[1]


def test_codes_at_sign_up_belong_to_the_session_that_signed_up(letters: Letters) -> None:
    sign_up("bo@example.org")
    code = last_code(letters)
    assert type_code(Client(), code) == reverse(WAITING)
    assert REFUSED in type_code(sign_up("cy@example.org", "Cy"), code)
    assert not User.objects.confirmed().exists()


def test_whoever_confirms_an_address_by_a_code_second_is_told(letters: Letters) -> None:
    first, second = sign_up("bo@example.org", "Bo"), sign_up("bo@example.org", "Bob")
    one, two = (code_in(str(mail.body)) for mail in letters())
    type_code(first, one)
    assert type_code(second, two) == reverse("account_login")
    assert [user.display_name for user in User.objects.confirmed()] == ["Bo"]


def test_an_account_that_expired_meanwhile_is_confirmed_by_no_code(letters: Letters) -> None:
    client = sign_up("bo@example.org")
    code = last_code(letters)
    pending.expire(now=timezone.now() + pending.KEPT_FOR + timedelta(minutes=1), size=9)
    assert type_code(client, code) == reverse(WAITING)
    assert not User.objects.exists()


# --- Guests --------------------------------------------------------------------------------------------------------


def keep(guest: User, email: str, name: str = "Bo") -> Client:
    tab = Client()
    tab.force_login(guest)
    answer = tab.post(reverse("keep_games"), {"email": email, "display_name": name})
    assert answer["Location"] == reverse(WAITING)
    return tab


def test_a_guest_keeps_the_games_by_a_code(letters: Letters) -> None:
    guest = guests.make_guest(language="en", now=timezone.now())
    tab = keep(guest, "bo@example.org")
    assert "go on playing as a guest" in tab.get(reverse(WAITING)).content.decode()
    assert type_code(tab, last_code(letters)) == reverse("my_games")
    guest.refresh_from_db()
    assert (guest.email, guest.display_name, guest.is_guest) == ("bo@example.org", "Bo", False)
    assert tab.get(reverse("my_games")).status_code == 200, "still signed in"
    assert User.objects.count() == 1


def test_a_guest_is_not_taken_to_another_account(ada: User, letters: Letters) -> None:
    guest = guests.make_guest(language="en", now=timezone.now())
    tab = keep(guest, ada.email)
    (mail,) = letters()
    assert code_in(str(mail.body)) == ""
    assert reverse("account_login") in str(mail.body)
    assert REFUSED in type_code(tab, "BBBB-BBBB")
    assert who(tab) == str(guest.pk)


def test_who_became_a_guest_meanwhile_types_no_code(letters: Letters) -> None:
    client = sign_up("bo@example.org")
    code = last_code(letters)
    guest = guests.make_guest(language="en", now=timezone.now())
    session = client.session
    made = dict(session.items())
    client.force_login(guest)
    session = client.session
    session.update(made | dict(session.items()))
    session.save()
    assert reverse(CONFIRM) not in client.get(reverse(WAITING)).content.decode()
    assert type_code(client, code) == reverse(WAITING)
    assert who(client) == str(guest.pk)


# --- Confirming that it is you --------------------------------------------------------------------------------------


def test_who_has_no_password_confirms_by_a_code_and_goes_on(bare: User, letters: Letters) -> None:
    client = Client()
    client.force_login(bare)
    asked = client.get(reverse("account_set_password"))
    assert asked["Location"].startswith(reverse("account_request_reauthentication_code"))
    assert bare.email in client.get(asked["Location"]).content.decode()
    sent = client.post(reverse("account_request_reauthentication_code"), {"next": reverse("account_set_password")})
    assert sent["Location"].startswith(reverse("account_confirm_reauthentication_code"))
    assert letters()[0].subject == "Your code to confirm that it is you"
    form = {"code": "BBBB-BBBB", "next": reverse("account_set_password")}
    assert client.post(sent["Location"], form).status_code == 422
    done = client.post(sent["Location"], form | {"code": last_code(letters)})
    assert done["Location"] == reverse("account_set_password")
    new = "another long one"
    assert client.post(reverse("account_set_password"), {"password1": new, "password2": new}).status_code == 302
    bare.refresh_from_db()
    assert bare.check_password(new)
    assert letters()[-1].subject == "You have a password now"


def test_the_page_of_the_password_leads_to_where_one_is_chosen(bare: User) -> None:
    client = Client()
    client.force_login(bare)
    assert client.get(reverse("account_change_password"))["Location"] == reverse("account_set_password")


def test_who_has_a_password_or_an_app_confirms_by_these_and_by_no_code(ada: User, bare: User) -> None:
    TOTP.activate(bare, generate_totp_secret())
    ways = ((ada, reverse("account_reauthenticate")), (bare, reverse("mfa_reauthenticate")))
    for user, way in ways:
        client = Client()
        client.force_login(user)
        for page in ("account_request_reauthentication_code", "account_confirm_reauthentication_code"):
            for answer in (client.get(reverse(page)), client.post(reverse(page), {"code": "B"})):
                assert (answer.status_code, answer["Location"]) == (302, way)


def test_an_account_without_a_password_is_deleted_after_a_code(bare: User, letters: Letters) -> None:
    client = Client()
    client.force_login(bare)
    page = reverse("delete_account")
    for asked in (client.post(page, {"proof": "Bare"}), client.get(page)):
        assert asked["Location"].startswith(reverse("account_request_reauthentication_code"))
    session = client.session
    del session["account_reauthentication_state"]  # the form that was sent would be taken up again
    session.save()
    assert User.objects.filter(pk=bare.pk).exists()
    client.post(reverse("account_request_reauthentication_code"), {"next": page})
    confirm = reverse("account_confirm_reauthentication_code")
    client.post(confirm, {"code": last_code(letters), "next": page})
    assert client.get(page).status_code == 200
    assert client.post(page, {"proof": "Bare"}).status_code == 302
    assert not User.objects.filter(pk=bare.pk).exists()


def test_a_mail_for_a_new_password_works_for_who_has_none(bare: User, letters: Letters) -> None:
    client = Client()
    client.post(reverse("account_reset_password"), {"email": bare.email})
    page = client.get(link_in(str(letters()[0].body)), follow=True)
    new = "another long one"
    client.post(page.redirect_chain[-1][0], {"password1": new, "password2": new})
    bare.refresh_from_db()
    assert bare.check_password(new)


def test_codes_to_confirm_are_for_who_is_signed_in(ada: User, bare: User, letters: Letters) -> None:
    other = User.objects.create_user("other@example.org", display_name="Other")
    client, theirs = Client(), Client()
    client.force_login(bare)
    theirs.force_login(other)
    for tab in (client, theirs):
        tab.post(reverse("account_request_reauthentication_code"))
    found = {mail.to[0]: code_in(str(mail.body)) for mail in letters()}
    confirm = reverse("account_confirm_reauthentication_code")
    assert client.post(confirm, {"code": found[other.email]}).status_code == 422
    session = client.session
    session[f"code_{Purpose.CONFIRM}"] = EmailCode.objects.get(user=other).pk
    session.save()
    assert client.post(confirm, {"code": found[other.email]}).status_code in {302, 422}
    assert client.get(reverse("account_set_password")).status_code == 302, "nothing is confirmed"


def test_an_unconfirmed_address_gets_no_code_to_confirm_with(bare: User, letters: Letters) -> None:
    User.objects.filter(pk=bare.pk).update(confirmed_address="")
    EmailAddress.objects.filter(user=bare).update(verified=False)
    client = Client()
    client.force_login(bare)
    assert client.post(reverse("account_request_reauthentication_code")).status_code == 403
    assert letters() == []
