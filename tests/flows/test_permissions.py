"""Who may do what: each address of the site is asked by everyone. An address that has no row here fails."""

import re
from datetime import timedelta
from http import HTTPStatus
from typing import Final

import pytest
from allauth.account.forms import default_token_generator
from allauth.account.models import EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from django.contrib.auth import SESSION_KEY
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone

from accounts import guests, pending
from accounts.models import User
from games import commands
from games.models import Game, Holiday
from tests.flows.addresses import (
    FOR_BLOCKED,
    FOR_SUSPENDED_PLAYERS,
    FOR_SUSPENDED_STRANGERS,
    HIDDEN,
    NAMES,
    ROLES,
    ROWS,
    addresses,
)
from tests.flows.world import World

pytestmark = pytest.mark.django_db

WITHOUT_TOKEN: Final = {"unsubscribe", "resubscribe", "stop_invitations", "allow_invitations"}
"""What mail programs post to: the signed word in the address is what gives the right."""
REFUSED: Final = {HTTPStatus.FORBIDDEN, HTTPStatus.UNAUTHORIZED}
"""The API says to who is not signed in how one signs in."""
NEVER: Final = REFUSED | {HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED}

WITHOUT_ROOM: Final = {"spectators-GET-running": 404, "write_to_spectators-POST-running": 404}
"""What the staff is answered about a game for its players only, which has no room for spectators."""
FOR_GUEST_ACCOUNTS: Final = {
    "keep_games-GET--": 200,
    "friends-GET--": 302,
    "add_friend-POST--": 302,
    "keep_games-POST--": 422,
    "account_change_password-GET--": 302,
    "account_change_password-POST--": 302,
    "account_email-GET--": 302,
    "account_reauthenticate-GET--": 403,
    "account_reauthenticate-POST--": 403,
    "mfa_index-GET--": 302,
    "mfa_deactivate_totp-GET--": 302,
    "mfa_deactivate_totp-POST--": 302,
    "mfa_view_recovery_codes-GET--": 302,
    "mfa_download_recovery_codes-GET--": 302,
    "usersessions_list-GET--": 302,
    "access_tokens-GET--": 302,
    "calendar-GET--": 302,
    "calendar-POST--": 302,
    "bots-GET--": 302,
    "revoke_token-GET-token": 302,
    "revoke_token-POST-token": 302,
    "join_game-POST-open": 403,
    "join_as_guest-POST-open": 403,
    "spectators-GET-running": 302,
    "write_to_spectators-POST-running": 302,
    "react_to_spectator-GET-heard": 404,
    "react_to_spectator-POST-heard": 404,
    "report_spectator-GET-heard": 404,
    "report_spectator-POST-heard": 404,
    "notices-GET--": 302,
    "notices-POST--": 302,
    "deliveries-GET--": 302,
    "push-GET--": 302,
    "push-POST--": 302,
    "webhooks-GET--": 302,
    "webhooks-POST--": 302,
    "add_webhook-GET--": 302,
    "api_games-POST--": 403,
    "api_join-POST-open": 403,
}
"""What a guest account is answered where a stranger with an account gets something else."""


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


def test_guest_accounts_may_do_what_strangers_may_but_for_this(world: World) -> None:
    world.people["stranger"] = guests.make_guest(language="en", now=timezone.now())
    world.open_browsers()
    answers = {str(row): world.ask("stranger", row).status_code for row in ROWS}
    expected = {str(row): row.statuses[ROLES.index("stranger")] for row in ROWS}
    assert {row: status for row, status in answers.items() if status != expected[row]} == FOR_GUEST_ACCOUNTS


def differing(world: World, role: str) -> dict[str, int]:
    """Return the answers to a role that are others than those in the table."""
    answers = {str(row): world.ask(role, row).status_code for row in ROWS}
    expected = {str(row): row.statuses[ROLES.index(role)] for row in ROWS}
    return {row: status for row, status in answers.items() if status != expected[row]}


@pytest.mark.parametrize("blocker", ["player", "stranger"])
def test_who_is_blocked_or_blocks_may_do_what_strangers_may_but_for_this(world: World, blocker: str) -> None:
    stranger = world.people["stranger"]
    assert stranger is not None
    person, other = (world.player, stranger) if blocker == "player" else (stranger, world.player)
    commands.block(user=person, number=other.pk, now=timezone.now())
    assert differing(world, "stranger") == FOR_BLOCKED


@pytest.mark.parametrize(
    ("role", "but_for"), [("stranger", FOR_SUSPENDED_STRANGERS), ("player", FOR_SUSPENDED_PLAYERS)]
)
def test_who_is_suspended_may_read_all_and_play_on(world: World, role: str, but_for: dict[str, int]) -> None:
    # Set here, as the command would also take them out of the open game, about which the table asks.
    User.objects.filter(pk=world.people[role].pk).update(suspended_until=timezone.now() + timedelta(days=1))  # type: ignore[union-attr]
    assert differing(world, role) == but_for


def test_a_game_for_its_players_is_not_there_for_others(world: World) -> None:
    Game.objects.filter(key=world.about["running"]["key"]).update(players_only=True)
    for role in ("guest", "stranger"):
        for row in (row for row in ROWS if row.about in {"running", "message", "entry", "heard", "planned"}):
            answer = world.ask(role, row)
            signs_in = answer.status_code == HTTPStatus.FOUND and "login" in answer["Location"]
            assert answer.status_code in HIDDEN | REFUSED or signs_in, (role, str(row), answer.status_code)
            # As a word: a token may hold any three letters.
            assert not re.search(rf"\b{world.player.display_name}\b", answer.content.decode()), (role, str(row))
    for role in ("rival", "player", "staff"):
        room = WITHOUT_ROOM if role == "staff" else {}
        assert differing(world, role) == {"moves_feed-GET-running": 404, **room}  # a feed is for everybody


def test_a_game_for_its_players_can_be_joined_by_whoever_has_its_address(world: World) -> None:
    Game.objects.filter(key=world.about["open"]["key"]).update(players_only=True)
    for role in ROLES:
        assert differing(world, role) == {}


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
    posts = [row for row in ROWS if row.method != "GET"]
    answers = {str(row): {world.ask(role, row).status_code for role in ROLES} for row in posts}
    refused = {str(row) for row in posts if answers[str(row)] <= REFUSED}
    assert refused == {str(row) for row in posts if row.name not in WITHOUT_TOKEN}


@pytest.mark.parametrize("method", ["get", "head"])
def test_looking_signs_nobody_out_whoevers_link_it_is(world: World, method: str) -> None:
    world.people["stranger"] = guests.make_guest(language="en", now=timezone.now())
    waiting = pending.sign_up(pending.Application("new@example.org", "New", "a long one"), language="en")
    world.about["mail"] = {"key": EmailConfirmationHMAC(waiting.emailaddress_set.get()).key}
    world.about["reset"] = {
        "uidb36": user_pk_to_url_str(world.player),
        "key": default_token_generator.make_token(world.player),
    }
    world.open_browsers()
    for row in (row for row in ROWS if row.method == "GET"):
        cache.clear()  # no limit on asking
        for role, person in world.people.items():
            browser = world.browsers[role]
            getattr(browser, method)(reverse(row.name, kwargs=world.about[row.about]), follow=True)
            assert browser.session.get(SESSION_KEY) == (str(person.pk) if person else None), (str(row), role)


def test_nobody_takes_back_another_persons_holiday(world: World) -> None:
    for role in ("guest", "stranger", "rival", "staff"):
        world.browsers[role].post(reverse("drop_holiday", args=[world.holiday.pk]))
        assert Holiday.objects.filter(pk=world.holiday.pk).exists()


def test_the_admin_opens_to_the_staff_alone(world: World) -> None:
    parts = {"object_id": 1, "content_type_id": 1, "id": 1, "app_label": "games", "url": "x", "act": "warn"}
    for space, name, pattern in addresses():
        if space != "admin" or not name or name in {"login", "logout"}:
            continue
        wanted = {key: value for key, value in parts.items() if f":{key}>" in pattern or f"<{key}>" in pattern}
        address = reverse(f"admin:{name}", kwargs=wanted)
        cache.clear()  # no limit on asking
        for role in ROLES[:-1]:
            for answer in (world.browsers[role].get(address), world.browsers[role].post(address)):
                assert answer.status_code in {HTTPStatus.FOUND, HTTPStatus.FORBIDDEN}, (name, role)
                assert not answer.content.decode().count(world.player.email)
