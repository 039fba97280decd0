"""Requests that no page of the site makes are refused, on every database: none of them ends in a fault."""

import html
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from http import HTTPStatus
from itertools import product
from typing import Any, Final

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from accounts.models import User
from games import commands
from games.api.base import LONGEST_BODY, ReadThrottle
from games.commands.create_game import MOST_OPEN
from games.models import Game, Holiday
from tests.flows.addresses import FIELDS as SENT
from tests.flows.addresses import ROWS, addresses
from tests.flows.people import Offer, SignIn
from tests.flows.world import World
from tests.stack.people import FormReader

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]

LONG: Final = 10**17 + 1
"""A number that stands in an address for one that is longer."""
FORM: Final = "application/x-www-form-urlencoded"
JSON: Final = "application/json"
FIELDS: Final = (
    "seq",
    "steps",
    "step",
    "undo",
    "spot",
    "proposal",
    "bot",
    "size",
    "visibility",
    "bot",
    "bot_1",
    "expert",
    "goodies",
    "time-preset",
    "time-allowance_0",
    "time-allowance_1",
    "time-reserve_0",
    "first",
    "last",
    "display_name",
    "time_zone",
    "language",
    "next",
    "proof",
    "email",
    "login",
    "password",
    "password1",
    "oldpassword",
    "digest_hour",
)
VALUES: Final[Mapping[str, str]] = {
    "nothing": "",
    "below zero": "-1",
    "many digits": "9" * 5000,
    "a large number": f"1{'0' * 30}",
    "other digits": "\N{ARABIC-INDIC DIGIT THREE}",
    "the character NUL": "a\0b",
    "very long": "1 " * 50_000,
    "markup": "<script>alert(1)</script>",
    "a line of a mail's head": "x\r\nBcc: all@example.org",
    "the last day": "9999-12-31",
    "the first day": "0001-01-01",
    "a custom time control": "custom",
    "another site": "//example.com",
}
VERBS: Final = (
    "game_preview",
    "game_choices",
    "game_view",
    "game_turn",
    "game_resign",
    "propose_cancel",
    "propose_time_control",
    "agree",
    "refuse",
    "join_game",
    "leave_game",
    "cancel_game",
    "add_bot",
    "remove_player",
    "keep_open",
    "game_mute",
    "game_unmute",
)
FORMS: Final = (
    "create_game",
    "holidays",
    "notices",
    "profile",
    "delete_account",
    "set_language",
    "account_email",
    "account_change_password",
)
BODIES: Final = (
    b"[" * 5000,
    b"[" * 200_000,
    b"x" * (LONGEST_BODY + 1),
    b"{",
    b"null",
    b"[]",
    b"\xff",
    b'{"seq": 1e400, "turn": "C"}',
    b'{"seq": %s, "turn": "C"}' % (b"9" * 5000),
    b'{"seq": 0, "turn": "\\ud800"}',
    b'{"seq": 0, "turn": "\\u0000"}',
)
GUEST_FORMS: Final = ("account_login", "account_signup", "account_reset_password", "admin_login")


@pytest.fixture
def ada_browser(ada: User, as_user: SignIn) -> Client:
    browser = as_user(ada)
    browser.raise_request_exception = False
    return browser


def send_nul_in_path(browser: Client) -> Any:
    return browser.get("/players/a%00b/")


def send_nul_to_api(browser: Client) -> Any:
    return browser.get("/api/v1/games/%00/")


def send_nul_in_query(browser: Client) -> Any:
    return browser.get("/lobby/?page=%00")


def send_nul_in_cookie(browser: Client) -> Any:
    return browser.get("/lobby/", headers={"Cookie": 'sessionid="abcdefgh\\000"'})


def send_form_in_no_charset(browser: Client) -> Any:
    return browser.generic("POST", "/games/new/", b"size=2", f"{FORM}; charset=base64")


def send_form_in_utf_16(browser: Client) -> Any:
    return browser.post("/unsubscribe/x/", b"size=2", content_type=f"{FORM}; charset=utf-16")


def send_form_in_utf_16_to_api(browser: Client) -> Any:
    return browser.generic("POST", "/api/v1/games/x/turns/", b"size=2", f"{FORM}; charset=utf-16")


def send_half_a_form(browser: Client) -> Any:
    return browser.post("/unsubscribe/x/", b"x", content_type="multipart/form-data")


def send_huge_form(browser: Client) -> Any:
    return browser.post("/games/new/", b"a" * 10_000_000, content_type=FORM)


def send_many_fields(browser: Client) -> Any:
    return browser.post("/games/new/", "&".join(f"a{n}=1" for n in range(2000)), content_type=FORM)


@pytest.mark.parametrize(
    "send",
    [
        send_nul_in_path,
        send_nul_to_api,
        send_nul_in_query,
        send_nul_in_cookie,
        send_form_in_no_charset,
        send_form_in_utf_16,
        send_form_in_utf_16_to_api,
        send_half_a_form,
        send_huge_form,
        send_many_fields,
    ],
)
def test_what_can_not_be_read_is_a_bad_request_under_the_strict_policy(
    ada_browser: Client, send: Callable[[Client], Any]
) -> None:
    answer = send(ada_browser)
    assert answer.status_code == HTTPStatus.BAD_REQUEST
    assert "default-src 'none'" in answer["Content-Security-Policy"]


@pytest.mark.parametrize("body", BODIES)
def test_the_api_refuses_what_is_no_turn(ada_browser: Client, offer: Offer, ada: User, bo: User, body: bytes) -> None:
    address = reverse("api_turns", args=[offer(ada, bo).key])
    assert ada_browser.post(address, body, content_type=JSON).status_code == HTTPStatus.BAD_REQUEST


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_no_value_breaks_a_form(
    ada: User, bo: User, offer: Offer, as_user: SignIn, settings: Settings, value: str
) -> None:
    settings.WRITE_LIMITS = {"": 1000}
    terms = dict.fromkeys(FIELDS, value)
    member, guest = as_user(ada), Client()
    member.raise_request_exception = guest.raise_request_exception = False
    faults = []
    for key in (offer(ada, bo).key, offer(ada, bo, size=3).key):
        asked = [(name, member.post(reverse(name, args=[key]), terms).status_code) for name in VERBS]
        faults += [(name, status) for name, status in asked if status >= HTTPStatus.INTERNAL_SERVER_ERROR]
    for browser, names in ((member, FORMS), (guest, GUEST_FORMS)):
        asked = [(name, browser.post(reverse(name), terms).status_code) for name in names]
        faults += [(name, status) for name, status in asked if status >= HTTPStatus.INTERNAL_SERVER_ERROR]
    assert faults == []


ODD: Final = ("", "-1", "x", "9" * 30, "a\0b")


def forms_of(page: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield where each form of a page posts to, with what it sends if its reader changes nothing."""
    for form in re.findall(r"<form\b[^>]*>", page):
        action = re.search(r'action="([^"]*)"', form)
        if 'method="post"' in form and action:
            yield html.unescape(action[1]), FormReader.read(page, html.unescape(action[1]))


def test_no_field_of_any_form_breaks_it_by_itself(settings: Settings) -> None:
    settings.WRITE_LIMITS = {"": 10_000}
    world, tried, faults = World(), set[tuple[str, str, str]](), []
    for role, row in ((role, row) for row in ROWS if row.method == "GET" for role in ("guest", "player")):
        page = world.ask(role, row)
        if page.status_code != HTTPStatus.OK or "text/html" not in page.headers.get("Content-Type", ""):
            continue
        for action, fields in forms_of(page.content.decode()):
            for name, value in product(fields, ODD):
                if name == "csrfmiddlewaretoken" or (role, action, name + value) in tried:
                    continue
                tried.add((role, action, name + value))
                world.browsers[role].raise_request_exception = False
                answer = world.post(role, action, {**fields, name: value})
                if answer.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
                    faults.append((role, action, name, value))
    assert faults == []
    assert len(tried) > 400


@pytest.mark.parametrize("digits", [18, 19, 40])
def test_a_number_in_an_address_can_be_as_long_as_one_likes(settings: Settings, digits: int) -> None:
    settings.WRITE_LIMITS = {"": 10_000}
    world, asked, faults = World(), 0, []
    browser = world.browsers["player"]
    browser.raise_request_exception = False
    for row in ROWS:
        about = world.about[row.about]
        for name in (name for name, value in about.items() if isinstance(value, int)):
            address = reverse(row.name, kwargs={**about, name: LONG}).replace(str(LONG), "9" * digits)
            answer = browser.get(address) if row.method == "GET" else browser.post(address, SENT.get(row.name, {}))
            asked += 1
            if answer.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
                faults.append((row.method, address))
    assert faults == []
    assert asked > 8


def test_a_holiday_can_be_set_up_to_the_end_of_the_next_year(ada: User, as_user: SignIn) -> None:
    browser, year = as_user(ada), timezone.localdate().year
    too_far = browser.post(reverse("holidays"), {"first": f"{year + 2}-01-01", "last": f"{year + 2}-01-02"})
    assert too_far.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert f"Holidays can be set up to the end of {year + 1}." in too_far.content.decode()
    browser.post(reverse("holidays"), {"first": f"{year + 1}-12-30", "last": f"{year + 1}-12-31"})
    assert Holiday.objects.get().last.year == year + 1


def test_a_guest_is_counted_by_the_address_that_connects_not_by_a_claimed_one(
    ada: User, bo: User, offer: Offer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ReadThrottle, "rate", "3/min")
    address = reverse("api_game", args=[offer(ada, bo).key])
    answers = [Client().get(address, headers={"X-Forwarded-For": f"192.0.2.{n}"}).status_code for n in range(5)]
    assert answers == [HTTPStatus.OK] * 3 + [HTTPStatus.TOO_MANY_REQUESTS] * 2


def test_each_limit_on_writes_is_one_of_an_address_that_there_is(settings: Settings) -> None:
    assert set(settings.WRITE_LIMITS) - {""} <= {name for space, name, _pattern in addresses() if not space}
    assert "game_preview" in settings.WRITE_LIMITS


def test_the_staff_signs_in_where_guesses_are_limited(ada: User, as_user: SignIn) -> None:
    guess = {"username": "ada@example.org", "password": "a guess"}
    answer = Client().post(reverse("admin:login"), guess)
    assert answer.status_code == HTTPStatus.FOUND
    assert answer["Location"].startswith(reverse("account_login"))
    assert as_user(ada).get(reverse("admin:login")).status_code == HTTPStatus.FORBIDDEN


@pytest.mark.parametrize(
    ("model", "filters"),
    [
        ("entry", {"turn__contains": "(L)"}),
        ("entry", {"digest__startswith": "0"}),
        ("game", {"head__startswith": "0"}),
        ("game", {"entries__turn__contains": "(L)"}),
        ("game", {"positions__state__contains": "L"}),
        ("seat", {"game__head__startswith": "0"}),
    ],
)
def test_the_staff_can_not_find_a_hidden_card_by_a_filter(
    staff: User, as_user: SignIn, model: str, filters: dict[str, str]
) -> None:
    browser = as_user(staff)
    assert browser.get(f"/admin/games/{model}/", filters).status_code == HTTPStatus.BAD_REQUEST


def test_the_filters_that_are_offered_to_the_staff_work(staff: User, as_user: SignIn) -> None:
    browser = as_user(staff)
    assert browser.get("/admin/games/game/", {"status__exact": "open"}).status_code == HTTPStatus.OK
    assert browser.get("/admin/games/game/", {"public__exact": "1"}).status_code == HTTPStatus.OK
    assert browser.get("/admin/games/entry/", {"by__exact": "bot"}).status_code == HTTPStatus.OK


def test_a_person_has_only_so_many_games_that_wait_for_players(ada: User, bo: User, offer: Offer) -> None:
    games = [offer(ada) for _game in range(MOST_OPEN)]
    terms = {"size": "2", "visibility": "public"}
    browser = Client()
    browser.force_login(ada)
    refused = browser.post(reverse("create_game"), terms)
    assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert f"You have created {MOST_OPEN} games that are waiting for players" in refused.content.decode()
    assert Game.objects.count() == MOST_OPEN
    assert browser.post(reverse("create_game"), {**terms, "bot_1": "nova:1"}).status_code == HTTPStatus.FOUND
    commands.join_game(game_key=games[0].key, user=bo, now=timezone.now() + timedelta(minutes=1))
    assert browser.post(reverse("create_game"), terms).status_code == HTTPStatus.FOUND
