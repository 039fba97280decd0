"""Who seems to live in one household: the traces that are kept of sign-ins, and for how long."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import guests, households
from accounts.models import Trace, User
from games import commands
from tests.accounts.conftest import PASSWORD
from tests.flows.play import make_user

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]

NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)
HOME = "198.51.100.7"
PUBLIC = "8.8.4.4"


def at(user: User, place: str = HOME, kind: Trace.Kind = Trace.Kind.NETWORK, now: datetime = NOW) -> None:
    households.note(user, {kind: place}, now)


def sign_in(browser: Client, user: User, network: str = "127.0.0.1") -> None:
    fields = {"login": user.email, "password": PASSWORD}
    answer = browser.post(reverse("account_login"), fields, REMOTE_ADDR=network)
    assert answer.status_code == 302


@pytest.fixture
def bo(db: None) -> User:
    return User.objects.create_user("bo@example.org", PASSWORD, display_name="Bo")


def test_two_who_were_at_one_place_share_a_household(ada: User, bo: User) -> None:
    at(ada)
    assert not households.share_household([ada.pk, bo.pk], NOW)
    at(bo, "198.51.100.8")
    assert not households.share_household([ada.pk, bo.pk], NOW)
    at(bo)
    assert households.share_household([ada.pk, bo.pk], NOW)
    assert not households.share_household([ada.pk], NOW)


def test_a_network_and_a_browser_of_the_same_name_are_no_one_place(ada: User, bo: User) -> None:
    at(ada, "x", Trace.Kind.NETWORK)
    at(bo, "x", Trace.Kind.DEVICE)
    assert not households.share_household([ada.pk, bo.pk], NOW)


def test_traces_count_for_90_days_and_are_deleted_then(ada: User, bo: User) -> None:
    at(ada)
    at(bo, now=NOW + timedelta(days=10))
    assert households.share_household([ada.pk, bo.pk], NOW + timedelta(days=90) - timedelta(seconds=1))
    assert not households.share_household([ada.pk, bo.pk], NOW + timedelta(days=90))
    assert commands.prune_traces(size=10, now=NOW + timedelta(days=90)) == 1
    assert Trace.objects.get().user == bo


def test_a_place_is_written_down_once_a_day(ada: User) -> None:
    at(ada)
    at(ada, now=NOW + timedelta(hours=23))
    assert Trace.objects.get().seen_at == NOW
    at(ada, now=NOW + timedelta(hours=25))
    assert Trace.objects.get().seen_at == NOW + timedelta(hours=25)


def test_of_one_person_so_many_places_are_kept_the_last_ones(ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(households, "MOST_KEPT", 3)
    for number in range(5):
        at(ada, f"198.51.100.{number}", now=NOW + timedelta(minutes=number))
    minutes = [(trace.seen_at - NOW).seconds // 60 for trace in Trace.objects.order_by("seen_at")]
    assert minutes == [2, 3, 4]


def test_a_network_of_many_is_no_home_but_a_browser_of_many_is(ada: User, bo: User) -> None:
    for kind in Trace.Kind:
        at(ada, kind=kind)
        at(bo, kind=kind)
    for number in range(households.MOST_AT_HOME - 1):
        at(make_user(f"Other{number}"))
    assert households.share_household([ada.pk, bo.pk], NOW)
    Trace.objects.filter(kind=Trace.Kind.DEVICE).delete()
    assert not households.share_household([ada.pk, bo.pk], NOW)


@pytest.mark.parametrize(
    ("address", "network"),
    [
        (PUBLIC, PUBLIC),
        (f"::ffff:{PUBLIC}", PUBLIC),
        ("2a01:4f8:1:2:3:4:5:6", "2a01:4f8:1:2::/64"),
        ("127.0.0.1", ""),
        ("192.168.1.4", ""),
        ("10.1.2.3", ""),
        ("fe80::1", ""),
        ("", ""),
        ("unknown", ""),
    ],
)
def test_a_home_is_an_address_of_the_public_net_or_the_64_bits_that_all_in_it_share(address: str, network: str) -> None:
    assert households.home_network(address) == network


def test_who_signs_in_leaves_hashes_from_which_nothing_can_be_read(client: Client, ada: User) -> None:
    sign_in(client, ada, PUBLIC)
    traces = list(Trace.objects.order_by("kind"))
    assert [(trace.user, trace.kind) for trace in traces] == [(ada, "device"), (ada, "network")]
    assert all(len(trace.digest) == 32 and PUBLIC not in trace.digest for trace in traces)


def test_two_who_use_one_browser_are_found(client: Client, ada: User, bo: User) -> None:
    sign_in(client, ada)
    client.post(reverse("account_logout"))
    sign_in(client, bo)
    assert households.share_household([ada.pk, bo.pk], timezone.now())


def test_two_who_use_one_network_are_found_and_others_are_not(ada: User, bo: User) -> None:
    cy = User.objects.create_user("cy@example.org", PASSWORD, display_name="Cy")
    for user, address in ((ada, PUBLIC), (bo, PUBLIC), (cy, "8.8.8.8")):
        sign_in(Client(), user, address)
    assert households.share_household([ada.pk, bo.pk], timezone.now())
    assert not households.share_household([ada.pk, cy.pk], timezone.now())


def test_of_guests_nothing_is_kept(client: Client, db: None) -> None:
    client.force_login(guests.make_guest(language="en", now=timezone.now()))
    client.get(reverse("home"), REMOTE_ADDR=PUBLIC)
    assert not Trace.objects.exists()


def test_traces_go_with_the_account(ada: User) -> None:
    at(ada)
    commands.delete_account(user=ada, now=NOW)
    assert not Trace.objects.exists()
