"""An account has one address, in one place: whoever changes it, the old one opens nothing any more."""

from collections.abc import Callable

import pytest
from allauth.account.models import EmailAddress
from django.contrib import admin
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse

from accounts import mails
from accounts.models import User
from tests.accounts.conftest import link_in

type Letters = Callable[[], list[EmailMessage]]
PASSWORD = "a fine long password"
NEW = "new@example.org"


def sign_in(client: Client, login: str) -> bool:
    client.post(reverse("account_login"), {"login": login, "password": PASSWORD})
    return "_auth_user_id" in client.session


def is_signed_in(client: Client) -> bool:
    return client.get(reverse("profile")).status_code == 200


def link(mail: EmailMessage) -> str:
    return link_in(str(mail.body))


@pytest.fixture
def own(ada: User) -> Client:
    client = Client()
    assert sign_in(client, ada.email)
    return client


@pytest.fixture
def by_staff(ada: User) -> Callable[[str], None]:
    """Return a function that changes Ada's address in the admin."""
    staff = Client()
    staff.force_login(User.objects.create_superuser("root@example.org", "pw", display_name="Root"))

    def change(email: str) -> None:
        form = {"email": email, "display_name": "Ada", "language": "en", "time_zone": "UTC", "digest_hour": 18}
        answer = staff.post(
            reverse("admin:accounts_user_change", args=[ada.pk]), {**form, "is_active": "on", "why": "she asked"}
        )
        assert answer.status_code == 302

    return change


def test_the_old_address_opens_nothing_after_the_staff_has_changed_it(
    ada: User, own: Client, by_staff: Callable[[str], None], letters: Letters
) -> None:
    by_staff("New@example.org")
    assert not is_signed_in(own), "the sessions are ended"
    assert not sign_in(Client(), "ada@example.org")
    Client().post(reverse("account_reset_password"), {"email": "ada@example.org"})
    assert [(mail.to[0], mail.subject) for mail in letters()] == [
        (NEW, "Confirm your e-mail address"),
        ("ada@example.org", "Your e-mail address was changed"),
    ]
    assert [(row.email, row.verified) for row in EmailAddress.objects.filter(user=ada)] == [(NEW, False)]
    Client().post(link(letters()[0]))
    ada.refresh_from_db()
    assert (ada.email, ada.is_confirmed) == (NEW, True)
    assert sign_in(Client(), NEW)


@pytest.mark.contexts
def test_a_change_that_was_under_way_is_void_once_the_staff_has_changed_the_address(
    ada: User, own: Client, by_staff: Callable[[str], None], letters: Letters
) -> None:
    own.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    own.post(reverse("account_email"), {"action_add": "", "email": "thief@example.org"})
    own.post(reverse("account_reset_password"), {"email": ada.email})
    links = {mail.subject: link(mail) for mail in letters()}
    by_staff(NEW)
    stolen, reset = links["Confirm your e-mail address"], links["Choose a new password"]
    assert Client().post(stolen).status_code == 404
    assert Client().post(links["Should your e-mail address be changed?"], {"answer": "yes"}).status_code == 404
    assert Client().get(reset).context["token_fail"]
    ada.refresh_from_db()
    assert ada.email == NEW


def test_a_save_in_the_admin_that_leaves_the_address_alone_ends_no_session(
    own: Client, by_staff: Callable[[str], None], letters: Letters
) -> None:
    by_staff("ada@example.org")
    assert is_signed_in(own)
    assert letters() == []


def test_addresses_are_changed_nowhere_else_in_the_admin() -> None:
    assert not admin.site.is_registered(EmailAddress)


def test_changing_ones_own_address_asks_for_the_password(ada: User, own: Client, letters: Letters) -> None:
    form = {"action_add": "", "email": NEW}
    answer = own.post(reverse("account_email"), form)
    assert answer["Location"].startswith(reverse("account_reauthenticate"))
    assert letters() == []
    own.post(answer["Location"], {"password": "a guess"})
    assert not EmailAddress.objects.filter(email=NEW).exists()
    own.post(answer["Location"], {"password": PASSWORD, "next": reverse("account_email")})
    told = {mail.to[0]: mail for mail in letters()}
    assert told.keys() == {NEW, ada.email}
    other = Client()
    assert sign_in(other, ada.email)
    own.post(link(told[NEW]))
    own.post(link(told[ada.email]), {"answer": "yes"})
    ada.refresh_from_db()
    assert (ada.email, ada.is_confirmed) == (NEW, True)
    assert is_signed_in(own), "the one who changed it goes on"
    assert not is_signed_in(other)
    assert not sign_in(Client(), "ada@example.org")
    assert (letters()[-1].to, letters()[-1].subject) == (["ada@example.org"], "Your e-mail address was changed")


def test_who_is_added_by_the_staff_is_asked_to_confirm(letters: Letters, db: None) -> None:
    staff = Client()
    staff.force_login(User.objects.create_superuser("root@example.org", "pw", display_name="Root"))
    form = {"email": "bo@example.org", "display_name": "Bo", "usable_password": "false"}
    assert staff.post(reverse("admin:accounts_user_add"), {**form, "why": "invited"}).status_code == 302
    (mail,) = letters()
    Client().post(link(mail))
    Client().post(reverse("account_reset_password"), {"email": "bo@example.org"})
    assert letters()[-1].subject == "Choose a new password"
    assert mails.MOVED not in {mail.subject for mail in letters()}
