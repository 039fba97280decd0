from collections.abc import Callable
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from django.core.mail import EmailMessage
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone, translation

from accounts.addresses import settle
from accounts.middleware import PreferencesMiddleware
from accounts.models import User
from accounts.zones import zone, zone_names
from tests.accounts.conftest import link_in

type Letters = Callable[[], list[EmailMessage]]
PAGES = ("account_change_password", "account_email", "profile", "account_logout")


def save(client: Client, **changes: str) -> HttpResponse:
    fields = {"display_name": "Ada", "language": "en", "time_zone": "UTC", **changes}
    return client.post(reverse("profile"), fields)  # type: ignore[return-value]


def test_a_guest_is_sent_to_sign_in(client: Client) -> None:
    assert client.get(reverse("profile"))["Location"].startswith(reverse("account_login"))


@pytest.mark.parametrize("address", PAGES)
def test_a_page_of_the_account_has_a_heading_and_no_inline_script_or_style(
    client: Client, ada: User, address: str
) -> None:
    client.force_login(ada)
    text = client.get(reverse(address)).content.decode()
    assert text.count("<h1") == 1
    assert " style=" not in text
    assert "<script>" not in text


def test_name_language_and_time_zone_are_saved(client: Client, ada: User) -> None:
    client.force_login(ada)
    answer = save(client, display_name="  Ada   L. ", language="nl", time_zone="Europe/Amsterdam")
    assert answer.status_code == 302
    ada.refresh_from_db()
    assert (ada.display_name, ada.language, ada.time_zone) == ("Ada L.", "nl", "Europe/Amsterdam")


@pytest.mark.parametrize(
    "changes", [{"time_zone": "Mars/Olympus"}, {"language": "tlh"}, {"display_name": "BO"}, {"display_name": "x" * 31}]
)
def test_a_wrong_field_changes_nothing_and_is_said_with_422(client: Client, ada: User, changes: dict[str, str]) -> None:
    User.objects.create_user("bo@example.org", display_name="Bo")
    client.force_login(ada)
    answer = save(client, **changes)
    assert answer.status_code == 422
    assert "errorlist" in answer.content.decode()
    ada.refresh_from_db()
    assert (ada.display_name, ada.language, ada.time_zone) == ("Ada", "en", "UTC")


def test_ones_own_name_may_change_its_case(client: Client, ada: User) -> None:
    client.force_login(ada)
    assert save(client, display_name="ADA").status_code == 302


def test_pages_are_in_the_language_of_the_user_not_of_the_browser(client: Client, ada: User) -> None:
    User.objects.filter(pk=ada.pk).update(language="de")
    client.force_login(ada)
    answer = client.get(reverse("profile"), headers={"accept-language": "fr"})
    assert answer["Content-Language"] == "de"


def test_a_guest_reads_the_language_of_the_browser(client: Client) -> None:
    answer = client.get(reverse("account_login"), headers={"accept-language": "fr"})
    assert answer["Content-Language"] == "fr"


def test_switching_the_language_is_remembered_for_a_user(client: Client, ada: User) -> None:
    client.force_login(ada)
    client.post(reverse("set_language"), {"language": "nl"})
    ada.refresh_from_db()
    assert ada.language == "nl"


def test_switching_to_an_unknown_language_changes_nothing(client: Client, ada: User) -> None:
    client.force_login(ada)
    client.post(reverse("set_language"), {"language": "tlh"})
    ada.refresh_from_db()
    assert ada.language == "en"


def test_instants_are_shown_in_the_zone_of_the_user_and_only_during_the_request(ada: User) -> None:
    ada.time_zone = "Asia/Tokyo"
    request: HttpRequest = RequestFactory().get("/")
    request.user = ada
    shown: list[datetime] = []

    def page(request: HttpRequest) -> HttpResponse:
        shown.append(timezone.localtime(datetime(2026, 1, 1, tzinfo=UTC)))
        return HttpResponse()

    with translation.override("en"):
        PreferencesMiddleware(page)(request)
    assert shown[0].hour == 9
    assert timezone.get_current_timezone_name() == "UTC"


def test_a_zone_that_the_database_of_zones_dropped_falls_back_to_utc() -> None:
    assert zone("Europe/Atlantis") == ZoneInfo("UTC")
    assert zone("Europe/Paris") == ZoneInfo("Europe/Paris")
    assert "Etc/GMT+5" not in zone_names()


def test_a_new_password_is_chosen_with_the_old_one_and_confirmed_by_mail(
    client: Client, ada: User, letters: Letters
) -> None:
    client.force_login(ada)
    form = {"oldpassword": "a fine long password", "password1": "another long one", "password2": "another long one"}
    client.post(reverse("account_change_password"), form)
    ada.refresh_from_db()
    assert ada.check_password("another long one")
    assert letters()[0].subject == "Your password was changed"


def test_a_new_address_counts_once_it_is_confirmed(client: Client, ada: User, letters: Letters) -> None:
    client.force_login(ada)
    client.post(reverse("account_reauthenticate"), {"password": "a fine long password"})
    client.post(reverse("account_email"), {"action_add": "", "email": "new@example.org"})
    ada.refresh_from_db()
    assert ada.email == "ada@example.org"
    links = {mail.to[0]: link_in(str(mail.body)) for mail in letters()}
    client.post(links["new@example.org"])
    ada.refresh_from_db()
    assert ada.email == "ada@example.org", "the old mailbox has a say"
    client.post(links["ada@example.org"], {"answer": "yes"})
    ada.refresh_from_db()
    assert ada.email == "new@example.org"


@pytest.mark.parametrize("form", [{"action_add": "", "email": "new@example.org"}, {"action_remove": ""}])
def test_an_address_that_was_never_confirmed_is_neither_replaced_nor_removed(
    client: Client, ada: User, form: dict[str, str]
) -> None:
    settle(ada, ada.email, confirmed=False)
    User.objects.filter(pk=ada.pk).update(confirmed_address="")
    client.force_login(ada)
    assert "action_add" not in client.get(reverse("account_email")).content.decode()
    client.post(reverse("account_email"), {"email": ada.email, **form})
    ada.refresh_from_db()
    assert ada.email == "ada@example.org"


def test_a_change_of_address_may_be_called_off(client: Client, ada: User) -> None:
    client.force_login(ada)
    client.post(reverse("account_reauthenticate"), {"password": "a fine long password"})
    client.post(reverse("account_email"), {"action_add": "", "email": "new@example.org"})
    client.post(reverse("account_email"), {"action_remove": "", "email": "new@example.org"})
    assert [address.email for address in ada.emailaddress_set.all()] == ["ada@example.org"]


def test_the_address_of_someone_else_is_refused(client: Client, ada: User, letters: Letters) -> None:
    User.objects.create_user("bo@example.org", display_name="Bo")
    client.force_login(ada)
    client.post(reverse("account_reauthenticate"), {"password": "a fine long password"})
    client.post(reverse("account_email"), {"action_add": "", "email": "Bo@example.org"})
    ada.refresh_from_db()
    assert ada.email == "ada@example.org"
    assert [mail.to for mail in letters()] == [["ada@example.org"]], "nothing can come of it, so no stranger is told"
