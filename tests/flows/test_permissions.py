"""Who may do what: each address of the site is asked by everyone. An address that has no row here fails."""

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from datetime import timedelta
from http import HTTPStatus
from typing import Any, Final

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from accounts.models import User
from games import commands
from games.models import Holiday
from games.notices.kinds import NoticeKind
from games.notices.preferences import unsubscribe_token
from tests.flows.play import RULESET, make_user, start_game

pytestmark = pytest.mark.django_db

ROLES: Final = ("guest", "stranger", "rival", "player", "staff")
"""The player created both games and is to move in the running one; the rival has a seat in both; the staff in none."""
TABLE: Final = """
    profile                                GET   -        302 200 200 200 200
    profile                                POST  -        302 200 200 200 200
    account_login                          GET   -        200 302 302 302 302
    account_login                          POST  -        200 302 302 302 302
    account_logout                         GET   -        302 200 200 200 200
    account_logout                         POST  -        302 302 302 302 302
    account_inactive                       GET   -        200 200 200 200 200
    account_signup                         GET   -        200 302 302 302 302
    account_signup                         POST  -        200 302 302 302 302
    account_reauthenticate                 GET   -        302 200 200 200 200
    account_reauthenticate                 POST  -        302 200 200 200 200
    account_request_reauthentication_code  GET   -        302 302 302 302 302
    account_request_reauthentication_code  POST  -        302 302 302 302 302
    account_confirm_reauthentication_code  GET   -        302 302 302 302 302
    account_confirm_reauthentication_code  POST  -        302 302 302 302 302
    account_email                          GET   -        302 200 200 200 200
    account_email                          POST  -        302 302 302 302 302
    account_email_verification_sent        GET   -        200 200 200 200 200
    account_change_password                GET   -        302 200 200 200 200
    account_change_password                POST  -        302 200 200 200 200
    account_set_password                   GET   -        302 302 302 302 302
    account_set_password                   POST  -        302 302 302 302 302
    account_reset_password                 GET   -        200 200 200 200 200
    account_reset_password                 POST  -        200 200 200 200 200
    account_confirm_login_code             GET   -        302 302 302 302 302
    account_confirm_login_code             POST  -        302 302 302 302 302
    account_confirm_email                  GET   mail     200 200 200 200 200
    account_confirm_email                  POST  mail     404 404 404 404 404
    account_reset_password_from_key        GET   reset    200 200 200 200 200
    account_reset_password_from_key        POST  reset    200 200 200 200 200
    account_reset_password_from_key_done   GET   -        200 200 200 200 200
    account_reset_password_done            GET   -        200 200 200 200 200
    set_language                           POST  -        302 302 302 302 302
    home                                   GET   -        200 200 200 200 200
    rules                                  GET   -        200 200 200 200 200
    notation                               GET   -        200 200 200 200 200
    game_rules                             GET   family   200 200 200 200 200
    game_notation                          GET   family   200 200 200 200 200
    about                                  GET   -        200 200 200 200 200
    player                                 GET   name     200 200 200 200 200
    lobby                                  GET   -        200 200 200 200 200
    my_games                               GET   -        302 200 200 200 200
    create_game                            GET   -        302 200 200 200 200
    create_game                            POST  -        302 422 422 422 422
    game                                   GET   running  200 200 200 200 200
    game                                   GET   open     302 302 302 302 302
    game_board                             GET   running  200 200 200 200 200
    game_board                             GET   open     302 302 302 302 302
    game_preview                           POST  running  302 403 403 200 403
    game_preview                           POST  open     302 403 409 409 403
    game_turn                              POST  running  302 403 403 302 403
    game_turn                              POST  open     302 403 409 409 403
    game_resign                            POST  running  302 403 302 302 403
    game_resign                            POST  open     302 403 409 409 403
    game_record                            GET   running  200 200 200 200 200
    game_record                            GET   open     404 404 404 404 404
    messages                               GET   running  302 403 200 200 403
    messages                               GET   open     302 403 302 302 403
    write_message                          POST  running  302 403 303 303 403
    write_message                          POST  open     302 403 409 409 403
    game_time_control                      GET   running  200 200 200 200 200
    game_time_control                      GET   open     302 302 302 302 302
    propose_cancel                         POST  running  302 403 302 302 403
    propose_time_control                   POST  running  302 403 302 302 403
    agree                                  POST  running  302 403 409 409 403
    refuse                                 POST  running  302 403 409 409 403
    invitation                             GET   open     200 200 200 200 200
    invitation                             GET   running  302 302 302 302 302
    invite                                 POST  open     302 403 302 302 403
    invite                                 POST  running  302 403 409 409 403
    decline                                POST  open     302 409 409 409 409
    decline                                POST  running  302 409 409 409 409
    join_game                              POST  open     302 302 409 409 302
    join_game                              POST  running  302 409 409 409 409
    leave_game                             POST  open     302 409 302 409 409
    leave_game                             POST  running  302 409 409 409 409
    cancel_game                            POST  open     302 403 403 302 403
    cancel_game                            POST  running  302 403 403 409 403
    add_bot                                POST  open     302 403 403 302 403
    add_bot                                POST  running  302 403 403 409 403
    keep_open                              POST  open     302 403 403 302 403
    keep_open                              POST  running  302 403 403 409 403
    game_mute                              POST  running  302 404 302 302 404
    game_unmute                            POST  running  302 404 302 302 404
    notices                                GET   -        302 200 200 200 200
    notices                                POST  -        302 422 422 422 422
    deliveries                             GET   -        302 200 200 200 200
    send_test                              POST  -        302 302 302 302 302
    trust_address                          POST  -        302 302 302 302 302
    unsubscribe                            GET   word     200 200 200 200 200
    unsubscribe                            POST  word     200 200 200 200 200
    resubscribe                            POST  word     200 200 200 200 200
    samples                                GET   -        302 302 302 302 200
    sample_mail                            GET   sample   302 302 302 302 200
    sample_document                        GET   sample   302 302 302 302 200
    mailbox                                GET   -        404 404 404 404 404
    stored_mail                            GET   sample   404 404 404 404 404
    stored_document                        GET   sample   404 404 404 404 404
    holidays                               GET   -        302 200 200 200 200
    holidays                               POST  -        302 422 422 422 422
    drop_holiday                           POST  holiday  302 302 302 302 302
    delete_account                         GET   -        302 200 200 200 200
    delete_account                         POST  -        302 422 422 422 422
    api_game                               GET   running  200 200 200 200 200
    api_game                               GET   open     200 200 200 200 200
    api_record                             GET   running  200 200 200 200 200
    api_record                             GET   open     409 409 409 409 409
    api_turn                               POST  running  403 403 403 201 403
    api_turn                               POST  open     403 403 409 409 403
"""
"""Name, method, about what, and the status for each role. The pages about mails in files are there with DEBUG alone."""
FIELDS: Final[Mapping[str, Mapping[str, Any]]] = {
    "game_preview": {"seq": 0, "steps": "R+"},
    "game_turn": {"seq": 0, "steps": "R+"},
    "game_resign": {"seq": 0},
    "propose_time_control": {"time-preset": "weekly"},
    "add_bot": {"bot": "random"},
    "api_turn": {"seq": 0, "turn": "R+"},
    "invite": {"name": "Cy"},
    "write_message": {"text": "Hello"},
}
WITHOUT_TOKEN: Final = {"unsubscribe", "resubscribe"}
"""What mail programs post to: the signed word in the address is what gives the right."""
NEVER: Final = {HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED}


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    method: str
    about: str
    statuses: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.name}-{self.method}-{self.about}"


def read_rows() -> Iterator[Row]:
    for line in TABLE.strip().splitlines():
        name, method, about, *statuses = line.split()
        yield Row(name, method, about, tuple(map(int, statuses)))


def addresses(resolver: URLResolver | None = None, space: str = "") -> Iterator[tuple[str, str, str]]:
    """Yield (namespace, name, pattern) of every address."""
    for item in (resolver or get_resolver()).url_patterns:
        if isinstance(item, URLPattern):
            yield space, item.name or "", str(item.pattern)
        else:
            yield from addresses(item, item.namespace or space)


ROWS: Final = tuple(read_rows())
NAMES: Final = sorted({row.name for row in ROWS})


class World:
    """Everyone's browsers, and what the addresses are about."""

    def __init__(self) -> None:
        self.player, rival, stranger = (make_user(name) for name in ("Ada", "Bo", "Cy"))
        staff = User.objects.create_superuser("staff@example.org", "a fine long password", display_name="Staff")
        now = timezone.now()
        running = start_game([self.player, rival])
        waiting = commands.create_game(
            user=self.player, ruleset=RULESET, size=3, options={}, public=True, bots=[], now=now
        )
        commands.join_game(game_key=waiting.key, user=rival, now=now)
        day = timezone.localdate() + timedelta(days=3)
        self.holiday = commands.add_holiday(user=self.player, first=day, last=day, now=now)
        self.people = dict(zip(ROLES, (None, stranger, rival, self.player, staff), strict=True))
        self.about: dict[str, dict[str, Any]] = {
            "-": {},
            "running": {"key": running.key},
            "open": {"key": waiting.key},
            "name": {"name": "Ada"},
            "sample": {"name": "turn"},
            "word": {"token": unsubscribe_token(self.player, [NoticeKind.TURN])},
            "holiday": {"number": self.holiday.pk},
            "family": {"family": "gravity"},
            "mail": {"key": "x"},
            "reset": {"uidb36": "1", "key": "x"},
        }
        self.open_browsers()

    def open_browsers(self, **terms: Any) -> None:
        """Give everyone a browser of their own."""
        self.browsers = {role: Client(**terms) for role in ROLES}
        for role, person in self.people.items():
            if person is not None:
                self.browsers[role].force_login(person)

    def ask(self, role: str, row: Row, method: str = "") -> Any:
        """Ask as the row says, and undo what that changed."""
        cache.clear()  # no limit on asking
        browser = self.browsers[role]
        address, cookies = reverse(row.name, kwargs=self.about[row.about]), copy(browser.cookies)
        before = transaction.savepoint_create()
        if (method or row.method) == "GET":
            response = browser.get(address)
        elif row.name.startswith("api_"):
            response = browser.post(address, FIELDS.get(row.name, {}), content_type="application/json")
        else:
            response = browser.post(address, FIELDS.get(row.name, {}))
        transaction.savepoint_rollback(before)
        browser.cookies = cookies
        return response


@pytest.fixture
def world() -> World:
    return World()


def test_every_address_of_the_site_has_a_row() -> None:
    named = {name for space, name, _pattern in addresses() if not space}
    assert named - {"", "admin_login"} == set(NAMES)
    assert [pattern for space, name, pattern in addresses() if not space and not name] == []


def test_everyone_gets_what_the_table_says(world: World) -> None:
    answers = {str(row): tuple(world.ask(role, row).status_code for role in ROLES) for row in ROWS}
    assert answers == {str(row): row.statuses for row in ROWS}


def test_a_method_without_a_row_is_refused_to_all(world: World) -> None:
    taken = []
    for name in NAMES:
        rows = [row for row in ROWS if row.name == name]
        for method in {"GET", "POST"} - {row.method for row in rows}:
            for role in ROLES:
                answer = world.ask(role, rows[0], method)
                signs_in = answer.status_code == HTTPStatus.FOUND and "login" in answer["Location"]
                if answer.status_code not in NEVER and not signs_in:
                    taken.append((name, method, role, answer.status_code))
    assert taken == []


def test_nothing_is_posted_from_another_site(world: World) -> None:
    world.open_browsers(enforce_csrf_checks=True)
    posts = [row for row in ROWS if row.method == "POST"]
    answers = {str(row): {world.ask(role, row).status_code for role in ROLES} for row in posts}
    refused = {str(row) for row in posts if answers[str(row)] == {HTTPStatus.FORBIDDEN}}
    assert refused == {str(row) for row in posts if row.name not in WITHOUT_TOKEN}


def test_nobody_takes_back_another_persons_holiday(world: World) -> None:
    for role in ("guest", "stranger", "rival", "staff"):
        world.browsers[role].post(reverse("drop_holiday", args=[world.holiday.pk]))
        assert Holiday.objects.filter(pk=world.holiday.pk).exists()


def test_the_admin_opens_to_the_staff_alone(world: World) -> None:
    parts = {"object_id": 1, "content_type_id": 1, "id": 1, "app_label": "games", "url": "x"}
    for space, name, pattern in addresses():
        if space != "admin" or not name or name in {"login", "logout"}:
            continue
        wanted = {key: value for key, value in parts.items() if f":{key}>" in pattern or f"<{key}>" in pattern}
        address = reverse(f"admin:{name}", kwargs=wanted)
        for role in ROLES[:-1]:
            for answer in (world.browsers[role].get(address), world.browsers[role].post(address)):
                assert answer.status_code in {HTTPStatus.FOUND, HTTPStatus.FORBIDDEN}, (name, role)
                assert not answer.content.decode().count(world.player.email)
