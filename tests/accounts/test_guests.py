"""Guest accounts: who has one without an address, and how it is kept with one."""

import re
from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import pytest
from django.conf import settings as site
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override
from pytest_django import Settings

from accounts import guests, households, pending
from accounts.models import AccountMail, Trace, User
from accounts.names import validate_name, validate_person

type Letters = Callable[[], list[EmailMessage]]
PASSWORD = "a fine long password"

pytestmark = [pytest.mark.django_db, pytest.mark.contexts]


@pytest.fixture(autouse=True)
def _mandatory(settings: Settings) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"


@pytest.fixture
def guest() -> User:
    return guests.make_guest(language="en", now=timezone.now())


@pytest.fixture
def tab(guest: User) -> Client:
    return browser_of(guest)


def browser_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def keep(tab: Client, email: str = "bo@example.org", name: str = "Bo", password: str = PASSWORD) -> str:
    """Fill in the form; return where it leads."""
    answer = tab.post(reverse("keep_games"), {"email": email, "display_name": name, "password1": password})
    assert answer.status_code == 302, answer.content.decode()
    return answer["Location"]


def link_of(mail: EmailMessage) -> str:
    found = re.search(r"https?://[^/]+(/accounts/confirm-email/\S+)", str(mail.body))
    assert found
    return found[1]


# --- What a guest account is ---------------------------------------------------------------------------------------


def test_a_guest_has_a_name_but_neither_address_nor_password(guest: User) -> None:
    assert re.fullmatch(r"Guest \d{4}", guest.display_name)
    assert guest.is_guest
    assert not guest.is_confirmed
    assert not guest.has_usable_password()
    assert User.objects.named(guest.display_name) is None, "nobody can invite them"


@pytest.mark.parametrize("code", [code for code, _name in site.LANGUAGES])
def test_a_guests_name_is_one_that_nobody_may_choose(code: str) -> None:
    with override(code):
        name = guests.make_guest(language=code, now=timezone.now()).display_name
    validate_name(name)
    for lookalike in (name, name.upper(), f"{name}x", name.replace(" ", ""), name.replace("1", "l")):
        with pytest.raises(ValidationError):
            validate_person(lookalike)


def test_people_may_be_called_gaston() -> None:
    for name in ("Gaston", "Gastone 3", "Guesting", "August 1"):
        validate_person(name)


def test_names_with_more_digits_are_drawn_where_the_others_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guests, "randbelow", lambda _most: 7)
    names = [guests.make_guest(language="en", now=timezone.now()).display_name for _time in range(3)]
    assert names == ["Guest 1007", "Guest 10007", "Guest 100007"]


def test_one_form_makes_one_guest_for_a_moment() -> None:
    token, now = uuid4(), timezone.now()
    first = guests.make_guest(language="en", now=now, token=token)
    assert guests.make_guest(language="en", now=now + timedelta(seconds=5), token=token) == first
    later = guests.make_guest(language="en", now=now + timedelta(hours=1), token=token)
    assert later != first, "someone who goes back in the history of the browser"
    assert guests.make_guest(language="en", now=now, token=None) not in {first, later}


def test_a_token_leads_to_no_account_that_was_kept(guest: User) -> None:
    token, now = uuid4(), timezone.now()
    User.objects.filter(pk=guest.pk).update(guest_token=token, is_guest=False)
    assert guests.make_guest(language="en", now=now, token=token) != guest


def test_that_a_guest_was_here_is_written_down_once_a_day(guest: User, tab: Client) -> None:
    seen = timezone.now() - timedelta(hours=23)
    User.objects.filter(pk=guest.pk).update(seen_at=seen)
    tab.get(reverse("rules"))
    guest.refresh_from_db()
    assert guest.seen_at == seen
    User.objects.filter(pk=guest.pk).update(seen_at=seen - timedelta(hours=2))
    tab.get(reverse("rules"))
    guest.refresh_from_db()
    assert guest.seen_at is not None
    assert guest.seen_at > seen


def test_of_people_with_an_account_nothing_of_the_kind_is_kept(ada: User) -> None:
    browser_of(ada).get(reverse("rules"))
    ada.refresh_from_db()
    assert ada.seen_at is None


def test_unconfirmed_accounts_expire_and_guests_do_not_with_them(guest: User) -> None:
    later = timezone.now() + pending.KEPT_FOR + timedelta(minutes=1)
    assert pending.expire(now=later, size=9) == 0
    assert User.objects.filter(pk=guest.pk).exists()


@pytest.mark.parametrize("name", ["account_signup", "account_email", "account_change_password", "account_set_password"])
def test_what_a_guest_has_not_leads_to_where_they_get_it(tab: Client, name: str) -> None:
    for answer in (tab.get(reverse(name)), tab.post(reverse(name), {"password1": "x", "password2": "x"})):
        assert (answer.status_code, answer["Location"]) == (302, reverse("keep_games"))


def test_a_guest_keeps_the_name_and_chooses_language_and_zone(guest: User, tab: Client) -> None:
    form = {"display_name": "Bo", "language": "fr", "time_zone": "Europe/Paris"}
    assert tab.post(reverse("profile"), form).status_code == 302
    name = guest.display_name
    guest.refresh_from_db()
    assert (guest.display_name, guest.language, guest.time_zone) == (name, "fr", "Europe/Paris")


def test_a_guest_is_told_that_signing_out_is_for_good(tab: Client) -> None:
    said = tab.get(reverse("account_logout")).content.decode()
    assert "you can&#x27;t come back to your games" in said or "you can't come back to your games" in said
    assert reverse("keep_games") in said


def test_a_guest_who_opens_anothers_link_stays_the_guest(ada: User, guest: User, tab: Client, letters: Letters) -> None:
    Client().post(reverse("account_signup"), {"email": "bo@example.org", "display_name": "Bo", "password1": PASSWORD})
    Client().post(reverse("account_reset_password"), {"email": ada.email})
    confirm, reset = (re.search(r"https?://[^/]+(/accounts/\S+)", str(mail.body))[1] for mail in letters())
    still = f"You are still signed in as {guest.shown_name}"
    assert still in tab.get(confirm).content.decode()
    assert tab.post(confirm, follow=True).status_code == 200
    assert User.objects.get(display_name="Bo").email == "bo@example.org"
    form = tab.get(reset, follow=True).redirect_chain[-1][0]
    done = tab.post(form, {"password1": "another long one", "password2": "another long one"}, follow=True)
    assert still in done.content.decode()
    assert reverse("account_logout") in done.content.decode(), "there they are told what they lose"
    ada.refresh_from_db()
    assert ada.check_password("another long one")
    assert tab.session["_auth_user_id"] == str(guest.pk)


def test_anyone_sees_that_a_guest_is_one(guest: User, client: Client) -> None:
    assert "as a guest" in client.get(reverse("player", args=[guest.pk])).content.decode()


# --- Keeping it ----------------------------------------------------------------------------------------------------


def test_a_confirmed_address_makes_a_guest_an_account(guest: User, tab: Client, letters: Letters) -> None:
    assert keep(tab, "Bo@example.org") == reverse("account_email_verification_sent")
    page = tab.get(reverse("account_email_verification_sent")).content.decode()
    assert "Until then you go on playing as a guest" in page
    guest.refresh_from_db()
    assert guest.is_guest, "nothing is settled yet"
    assert guest.display_name.startswith("Guest ")
    (mail,) = letters()
    link = link_of(mail)
    assert "Is bo@example.org the address of Bo?" in " ".join(tab.get(link).content.decode().split())
    answer = tab.post(link)
    assert (answer.status_code, answer["Location"]) == (302, reverse("my_games"))
    guest.refresh_from_db()
    assert (guest.email, guest.display_name, guest.is_guest) == ("bo@example.org", "Bo", False)
    assert guest.is_confirmed
    assert guest.check_password(PASSWORD)
    assert User.objects.count() == 1
    assert User.objects.named("bo") == guest
    assert tab.get(reverse("my_games")).status_code == 200, "still signed in"
    assert "You are playing as a guest" not in tab.get(reverse("my_games")).content.decode()
    elsewhere = Client()
    elsewhere.post(reverse("account_login"), {"login": "bo@example.org", "password": PASSWORD})
    assert elsewhere.session["_auth_user_id"] == str(guest.pk)


def test_where_a_guest_was_who_keeps_their_games_is_known_as_of_who_signs_in(
    guest: User, letters: Letters, ada: User
) -> None:
    at_home = Client(REMOTE_ADDR="8.8.4.4")
    at_home.force_login(guest)
    keep(at_home)
    at_home.post(link_of(letters()[-1]))
    assert Trace.objects.get().user == guest
    households.note(ada, {Trace.Kind.NETWORK: "8.8.4.4"}, timezone.now())
    assert households.share_household([ada.pk, guest.pk], timezone.now())


def test_a_link_that_is_opened_elsewhere_works_and_ends_the_session(tab: Client, letters: Letters) -> None:
    keep(tab)
    link = link_of(letters()[0])
    elsewhere = Client()
    elsewhere.get(link)
    assert elsewhere.post(link)["Location"] == reverse("account_login")
    assert tab.get(reverse("my_games")).status_code == 302, "there is a password now: sign in with it"


def work(guest: User, email: str, name: str) -> tuple[list[str], str, str]:
    """Return what keeping did in the database, and what it answered, without what differs by chance."""
    tab = browser_of(guest)
    form = {"email": email, "display_name": name, "password1": PASSWORD}
    with CaptureQueriesContext(connection) as queries:
        answer = tab.post(reverse("keep_games"), form)
    page = tab.get(answer["Location"]).content.decode().replace(email, "ADDRESS").replace(guest.display_name, "X")
    page = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page)
    done = [re.sub(r"'[^']*'|\b\d+\b", "?", query["sql"]) for query in queries]
    return done, f"{answer.status_code} {answer['Location']} {sorted(answer.headers)}", page


@pytest.mark.parametrize("verification", ["mandatory", "optional"])
def test_keeping_does_and_answers_the_same_whoever_has_the_address(
    ada: User, letters: Letters, settings: Settings, verification: str
) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = verification
    some = [guests.make_guest(language="en", now=timezone.now()) for _number in range(2)]
    assert work(some[0], "new@example.org", "One") == work(some[1], ada.email, "Two")
    told = {mail.to[0]: mail.subject for mail in letters()}
    assert told == {"new@example.org": "Confirm your e-mail address", ada.email: "You already have an account"}
    ada.refresh_from_db()
    assert ada.check_password(PASSWORD)


def test_someone_elses_address_is_never_a_guests(ada: User, guest: User, tab: Client, letters: Letters) -> None:
    keep(tab, ada.email)
    (mail,) = letters()
    assert "/confirm-email/" not in str(mail.body)
    guest.refresh_from_db()
    assert guest.is_guest


def test_an_address_that_was_taken_meanwhile_makes_nothing(guest: User, tab: Client, letters: Letters) -> None:
    keep(tab)
    link = link_of(letters()[0])
    User.objects.create_user("bo@example.org", PASSWORD, display_name="Other")
    tab.post(link)
    guest.refresh_from_db()
    assert guest.is_guest


def test_another_try_takes_the_place_of_the_first(guest: User, tab: Client, letters: Letters) -> None:
    keep(tab, "bo@exmaple.org")
    first = link_of(letters()[-1])
    keep(tab, "bo@example.org", password="another long password")
    second = link_of(letters()[-1])
    assert User.objects.count() == 2
    assert tab.post(first).status_code == 404
    tab.post(second)
    guest.refresh_from_db()
    assert guest.email == "bo@example.org"
    assert guest.check_password("another long password")


def test_pressing_keep_twice_is_pressing_once(tab: Client, letters: Letters) -> None:
    keep(tab)
    keep(tab)
    (mail,) = letters()
    tab.post(link_of(mail))
    assert User.objects.get().email == "bo@example.org"


def test_whoever_signed_up_before_they_played_keeps_by_the_same_form(
    guest: User, tab: Client, letters: Letters
) -> None:
    form = {"email": "bo@example.org", "display_name": "Bo", "password1": PASSWORD}
    Client().post(reverse("account_signup"), form)
    keep(tab)
    tab.post(link_of(letters()[0]))
    assert User.objects.get() == guest


def test_a_mistyped_address_is_corrected_by_the_guest(guest: User, tab: Client, letters: Letters) -> None:
    keep(tab, "bo@exmaple.org")
    tab.post(reverse("account_email_verification_sent"), {"email": "bo@example.org"})
    right = link_of(letters()[-1])
    tab.get(right)
    tab.post(right)
    guest.refresh_from_db()
    assert guest.email == "bo@example.org"


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("email", "bo", "valid e-mail"),
        ("display_name", "aDA", "already taken"),
        ("display_name", "Guest 4321", "reserved"),
        ("password1", "short", "too short"),
    ],
)
def test_what_is_wrong_with_the_form_is_said_beside_it(
    ada: User, tab: Client, field: str, value: str, said: str
) -> None:
    form = {"email": "bo@example.org", "display_name": "Bo", "password1": PASSWORD}
    answer = tab.post(reverse("keep_games"), form | {field: value})
    assert answer.status_code == 422
    assert said in " ".join(answer.context["form"].errors[field])
    assert not AccountMail.objects.exists()


def test_keeping_too_often_is_answered_by_429(tab: Client) -> None:
    assert [tab.post(reverse("keep_games"), {}).status_code for _try in range(21)][-1] == 429


def test_what_waits_for_a_guest_goes_with_the_guest(guest: User, tab: Client, letters: Letters) -> None:
    keep(tab)
    link = link_of(letters()[0])
    guest.delete()
    assert not User.objects.exists()
    assert Client().post(link).status_code == 404


def test_a_guest_whose_week_ran_out_may_try_again(guest: User, tab: Client, letters: Letters) -> None:
    keep(tab)
    old = link_of(letters()[0])
    assert pending.expire(now=timezone.now() + pending.KEPT_FOR + timedelta(minutes=1), size=9) == 1
    assert tab.post(old).status_code == 404
    keep(tab)
    tab.post(link_of(letters()[-1]))
    guest.refresh_from_db()
    assert guest.email == "bo@example.org"


def test_only_guests_have_games_to_keep(ada: User) -> None:
    assert browser_of(ada).get(reverse("keep_games"))["Location"] == reverse("profile")
