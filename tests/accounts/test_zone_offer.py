"""A device's time zone is offered and never taken: at sign-up, to guests, and where it differs later."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import pending
from accounts.guests import make_guest
from accounts.models import User

FORM = {"email": "new@example.org", "display_name": "New", "password1": "a fine long password"}


@pytest.fixture
def guest(db: None) -> User:
    guest = make_guest(language="en", now=timezone.now())
    guest.set_time_zone("Asia/Tokyo")
    return guest


@pytest.mark.parametrize("verification", ["mandatory", "optional"])
@pytest.mark.parametrize(("chosen", "stored"), [({"time_zone": "Europe/Berlin"}, "Europe/Berlin"), ({}, "UTC")])
def test_who_signs_up_has_the_zone_they_chose(
    settings: object, db: None, verification: str, chosen: dict[str, str], stored: str
) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = verification  # type: ignore[attr-defined]
    assert Client().post(reverse("account_signup"), {**FORM, **chosen}).status_code == 302
    assert User.objects.get().time_zone == stored


def test_a_zone_that_there_is_not_is_refused_at_sign_up(db: None) -> None:
    answer = Client().post(reverse("account_signup"), {**FORM, "time_zone": "Mars/Olympus"})
    assert "Mars/Olympus is not one of the available choices" in answer.content.decode()
    assert not User.objects.exists()


@pytest.mark.parametrize(("chosen", "stored"), [({"time_zone": "Asia/Seoul"}, "Asia/Seoul"), ({}, "Asia/Tokyo")])
def test_a_guest_who_keeps_their_games_keeps_their_zone(guest: User, chosen: dict[str, str], stored: str) -> None:
    tab = Client()
    tab.force_login(guest)
    assert '<option value="Asia/Tokyo" selected>' in tab.get(reverse("keep_games")).content.decode()
    assert tab.post(reverse("keep_games"), {**FORM, **chosen}).status_code == 302
    assert pending.keeper_of(guest).time_zone == stored  # type: ignore[union-attr]


def test_the_offered_zone_is_taken_when_its_person_says_so(ada: User) -> None:
    tab = Client()
    tab.force_login(ada)
    answer = tab.post(reverse("set_zone"), {"time_zone": "America/New_York", "next": "/lobby/"}, follow=True)
    assert answer.redirect_chain == [("/lobby/", 302)]
    assert "Times are shown in the time zone America/New York now." in answer.content.decode()
    ada.refresh_from_db()
    assert ada.time_zone == "America/New_York"


@pytest.mark.parametrize("name", ["", "Mars/Olympus", "x" * 5000, "a\0b"])
def test_what_is_no_zone_is_refused_in_words_and_changes_nothing(ada: User, name: str) -> None:
    tab = Client()
    tab.force_login(ada)
    answer = tab.post(reverse("set_zone"), {"time_zone": name}, follow=True)
    assert answer.status_code in {200, 400}
    ada.refresh_from_db()
    assert ada.time_zone == "UTC"
