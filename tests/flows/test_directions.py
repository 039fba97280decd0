"""Names that are written from the right turn nothing beside them round, on any page and in any mail."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Final

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.names import bare, isolate
from games import commands
from games.delivery.deliver import send_due
from games.errors import GameCode, GameError
from games.models import Seat
from games.words.refusals import explain
from tests.conftest import Sink
from tests.flows.addresses import ROLES, ROWS
from tests.flows.world import World

pytestmark = pytest.mark.django_db

NAME: Final = "דוד 2"
APART: Final = f"\u2068{NAME}\u2069"
FIELDS: Final = re.compile(r"<input[^>]*>|<textarea.*?</textarea>", re.DOTALL)
"""What is typed stands as it is; the field itself says which way it is written."""


@pytest.fixture
def world() -> World:
    """Return a world whose player is written from the right, and has written so."""
    made = World()
    User.objects.filter(pk=made.player.pk).update(display_name=NAME)
    Seat.objects.filter(user=made.player).update(name=NAME)
    running = made.about["running"]["key"]
    commands.write_message(game_key=running, user=made.player, text="שלום 3", now=timezone.now())
    made.browsers["player"].post(reverse("propose_cancel", args=[running]))
    return made


def unguarded(text: str) -> list[str]:
    """Return what stands around each name that is not set apart."""
    text = text.replace(APART, "")
    return [text[max(0, found.start() - 60) : found.end() + 30] for found in re.finditer(re.escape(NAME), text)]


def pages(world: World) -> Iterator[tuple[str, str]]:
    for row in ROWS:
        if row.method == "GET" and not row.name.startswith("api"):
            for role in ROLES:
                answer = world.ask(role, row)
                if answer.get("Content-Type", "").startswith("text/html"):
                    yield f"{row} {role}", FIELDS.sub("", answer.content.decode())


def test_on_every_page_a_name_from_the_right_is_set_apart(world: World) -> None:
    seen = 0
    for where, html in pages(world):
        assert unguarded(html) == [], where
        seen += html.count(APART)
    assert seen > 50, "the name is on the pages"


def test_what_players_write_says_itself_which_way_it_goes(world: World) -> None:
    row = next(row for row in ROWS if (row.name, row.about) == ("messages", "running"))
    assert '<p class="words" dir="auto">שלום 3</p>' in world.ask("rival", row).content.decode()


def test_in_every_mail_a_name_from_the_right_is_set_apart(world: World, smtp_sink: Sink) -> None:
    now = timezone.now()
    third = User.objects.create_user("dee@example.org", display_name="Dee")
    commands.invite(game_key=world.about["open"]["key"], user=world.player, name="Dee", now=now)
    assert send_due(now + timedelta(minutes=30)) > 0
    texts = [
        text
        for mail in smtp_sink.messages
        for text in (mail["Subject"], *(part.get_content() for part in mail.walk() if not part.is_multipart()))
    ]
    assert [unguarded(text) for text in texts if unguarded(text)] == []
    assert any(APART in mail["Subject"] for mail in smtp_sink.messages if mail["To"] == third.email)


def test_a_refusal_sets_a_name_apart_and_programs_get_it_bare(world: World) -> None:
    assert APART in explain(GameError(GameCode.NO_SUCH_PERSON, name=NAME))
    row = next(row for row in ROWS if (row.name, row.about) == ("api_game", "running"))
    assert [seat["name"] for seat in world.ask("guest", row).json()["seats"]].count(NAME) == 1
    assert bare(isolate(NAME)) == NAME


@pytest.mark.parametrize("name", ["Ada", "渡辺", "Éva 2", "Иван"])
def test_a_name_that_turns_nothing_round_stays_as_it_is(name: str) -> None:
    assert isolate(name) == name


def test_marks_of_direction_that_someone_typed_are_taken_out() -> None:
    assert isolate("A\u202eda\u2066") == "Ada"
