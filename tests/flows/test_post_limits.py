"""Whatever a person posts, and however often: what it leaves behind for others, and for the site, is bounded.

The limits a minute are lifted, as if between any two requests there were time enough: what stands after a day counts.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, Final
from uuid import uuid4

import pytest
from django.apps import apps
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Game, Holiday, ReactionKind
from games.models.choices import Status
from tests.flows.addresses import FIELDS, ROWS, Row
from tests.flows.world import World

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
TIMES: Final = 40
MOST: Final = 30
"""So many rows of a table may be left behind by one kind of request."""
WIDER: Final = {
    "games_game": 100,
    "games_seat": 100,
    "games_remark": 100,
    "games_message": 100,
    "games_spectatormessage": 100,
    "games_holiday": 50,
    "notices_notice": 200,
}
"""Tables of which it may be so many. With each holiday, of which there may be 46, two notices go to oneself by mail and
two to one's webhook."""
MORE: Final = {"write_message": 120, "write_to_spectators": 120, "holidays": 60, "create, invite and cancel": 120}
"""How often what has a wide limit is done."""
PROBED: Final = (1, 4)
"""What leaves as much behind after the one as after the other of these is taken to be over."""
SUCCESS: Final = {200, 201, 302, 303}
POSTING: Final = ("guest", "stranger", "rival", "player")

type Fields = dict[str, Any]


def holiday(number: int) -> Fields:
    day = timezone.localdate() + timedelta(days=5 + 2 * number)
    return {"first": day.isoformat(), "last": day.isoformat()}


def new_game(_number: int) -> Fields:
    return {"size": "2", "visibility": "public", "token": str(uuid4())}


VARIED: Final[dict[str, Callable[[int], Fields]]] = {
    "create_game": new_game,
    "holidays": holiday,
    "write_message": lambda n: {"text": f"Message {n}"},
    "write_to_spectators": lambda n: {"text": f"Message {n}"},
    "react_to_spectator": lambda n: {"kind": ReactionKind.values[n % len(ReactionKind)]},
    "mute_talk": lambda n: {"what": "player", "seat": n % 3},
    "account_email": lambda n: {"action_add": "", "email": f"new{n}@example.org", "password": "starlight"},
    "account_reset_password": lambda _n: {"email": "bo@example.org"},
    "account_signup": lambda _n: {"email": "bo@example.org", "display_name": "Bobo", "password1": "a fine long word"},
    "propose_time_control": lambda n: {"time-preset": ("weekly", "daily")[n % 2]},
}
"""What is sent where the same again would be taken for the same request."""


TABLES = [model._meta.db_table for model in apps.get_models()]
COUNTS = "SELECT " + ", ".join(f'(SELECT count(*) FROM "{table}")' for table in TABLES)


def count_rows() -> dict[str, int]:
    with connection.cursor() as cursor:
        return dict(zip(TABLES, cursor.execute(COUNTS).fetchone(), strict=True))


@contextmanager
def grown() -> Iterator[dict[str, int]]:
    """Gather how many rows more each table has; undo it at the end."""
    before, found = count_rows(), dict[str, int]()
    savepoint = transaction.savepoint_create()
    yield found
    found |= {table: rows - before[table] for table, rows in count_rows().items() if rows > before[table]}
    transaction.savepoint_rollback(savepoint)


def too_many(found: dict[str, int]) -> dict[str, int]:
    return {table: rows for table, rows in found.items() if rows > WIDER.get(table, MOST)}


def post(browser: Client, name: str, about: Fields, fields: Mapping[str, Any]) -> int:
    cache.clear()
    terms: Fields = {"content_type": "application/json"} if name.startswith("api_") else {}
    return browser.post(reverse(name, kwargs=about), fields, **terms).status_code


def accepted() -> Iterator[tuple[str, Row]]:
    """Yield who can post what."""
    for row in ROWS:
        if row.method == "POST":
            for role, status in zip(POSTING, row.statuses, strict=False):
                if status in SUCCESS or row.name in VARIED:
                    yield role, row


def test_what_one_kind_of_request_leaves_behind_is_bounded() -> None:
    world, left = World(), dict[str, dict[str, int]]()
    for role, row in accepted():
        world.open_browsers()
        with grown() as found:
            counts = dict[int, dict[str, int]]()
            for number in range(MORE.get(row.name, TIMES)):
                fields = VARIED[row.name](number) if row.name in VARIED else FIELDS.get(row.name, {})
                post(world.browsers[role], row.name, world.about[row.about], fields)
                if number in PROBED:
                    counts[number] = count_rows()
                if len(counts) == len(PROBED) and len({str(count) for count in counts.values()}) == 1:
                    break
        left[f"{role} {row}"] = found
    assert {what: too_many(found) for what, found in left.items() if too_many(found)} == {}
    assert left["player write_message-POST-running"]["games_message"] == WIDER["games_message"]
    assert left["player create_game-POST--"]["games_game"] > 0


# --- One after the other, over and over ---------------------------------------------------------------------------


def in_turn(*steps: tuple[str, str, str, Fields]) -> Callable[[World, int], None]:
    def run(world: World, _number: int) -> None:
        for role, name, about, fields in steps:
            post(world.browsers[role], name, world.about[about], fields)

    return run


def create_and_cancel(world: World, number: int) -> None:
    browser = world.browsers["player"]
    post(browser, "create_game", {}, new_game(number))
    for game in Game.objects.filter(creator=world.player, status=Status.OPEN, size=2):
        post(browser, "invite", {"key": game.key}, {"name": "Cy"})
        post(browser, "cancel_game", {"key": game.key}, {})


def take_and_drop_a_holiday(world: World, number: int) -> None:
    browser = world.browsers["player"]
    post(browser, "holidays", {}, holiday(number % 10))
    for row in Holiday.objects.filter(user=world.player):
        post(browser, "drop_holiday", {"number": row.pk}, {})


OVER_AND_OVER: Final[dict[str, Callable[[World, int], None]]] = {
    "leave and join": in_turn(("rival", "leave_game", "open", {}), ("rival", "join_game", "open", {})),
    "propose and withdraw": in_turn(
        ("rival", "propose_cancel", "running", {}),
        ("rival", "refuse", "running", {}),
        ("rival", "propose_time_control", "running", {"time-preset": "weekly"}),
        ("rival", "refuse", "running", {}),
    ),
    "propose and refuse": in_turn(
        ("rival", "propose_cancel", "running", {}),
        ("player", "refuse", "running", {}),
        ("player", "propose_cancel", "running", {}),
        ("rival", "refuse", "running", {}),
    ),
    "mute messages and unmute": in_turn(
        ("rival", "mute_talk", "running", {"what": "messages"}),
        ("rival", "unmute_talk", "running", {"what": "messages"}),
    ),
    "react and take back": in_turn(
        ("player", "react_to_message", "message", {"kind": "thumb"}),
        ("stranger", "react_to_spectator", "heard", {"kind": "thumb"}),
    ),
    "mute and unmute": in_turn(("rival", "game_mute", "running", {}), ("rival", "game_unmute", "running", {})),
    "invite and decline": in_turn(("player", "invite", "open", {"name": "Cy"}), ("stranger", "decline", "open", {})),
    "stop invitations and back": in_turn(
        ("guest", "stop_invitations", "stop", {}), ("guest", "allow_invitations", "stop", {})
    ),
    "a friend and none": in_turn(("rival", "add_friend", "-", {"name": "Ada"}), ("rival", "drop_friend", "person", {})),
    "unsubscribe and back": in_turn(("guest", "unsubscribe", "word", {}), ("guest", "resubscribe", "word", {})),
    "create, invite and cancel": create_and_cancel,
    "a holiday and none": take_and_drop_a_holiday,
}


@pytest.mark.parametrize("what", OVER_AND_OVER)
def test_what_is_done_and_undone_over_and_over_leaves_a_bounded_number(what: str) -> None:
    world = World()
    with grown() as found:
        for number in range(MORE.get(what, TIMES)):
            OVER_AND_OVER[what](world, number)
    assert too_many(found) == {}
