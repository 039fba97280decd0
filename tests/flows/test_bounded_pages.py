"""No page grows without bound, whatever its person, or another, has heaped up."""

from datetime import date, timedelta
from typing import Final

import pytest
from django.utils import timezone

from accounts.models import User
from games import commands
from games.models import Game, Holiday, Invitation, Message, Reaction, ReactionKind, Remark, Spectator, SpectatorMessage
from games.notices.models import Notice
from tests.flows.addresses import ROLES, ROWS
from tests.flows.crowd import multiply
from tests.flows.play import start_game
from tests.flows.world import World

pytestmark = pytest.mark.django_db
MANY: Final = 300
LARGEST: Final = 120_000
"""Bytes of an answer, uncompressed."""
FIXED: Final = {"board_png": 400_000, "rules": 150_000, "api": 150_000}
"""Bytes of answers that are of that size whatever there is: pixels, the drawings of the rules, all that the API can."""


def heap_up(world: World) -> None:
    """Give a world hundreds of everything that a page could list."""
    now, day = timezone.now(), date(2022, 1, 1)
    player, rival = world.player, world.people["rival"]
    assert rival is not None
    running, waiting = (Game.objects.get(**world.about[name]) for name in ("running", "open"))
    ended = start_game([player, rival])
    ended = commands.resign(game_key=ended.key, user=rival, seq=0, now=now)
    asked = commands.create_game(user=rival, ruleset=waiting.ruleset, size=2, options={}, public=True, bots=[], now=now)
    multiply(ended, MANY)
    for number in (1, 2):
        multiply(running, MANY, to_move=number)
    multiply(waiting, MANY)
    people = User.objects.bulk_create(
        User(email=f"p{number}@example.org", display_name=f"P{number}") for number in range(MANY)
    )
    rows = [Invitation(game=game, user=player, by=rival, at=now) for game in multiply(asked, MANY)]
    rows += [Invitation(game=waiting, user=person, by=player, at=now) for person in people]
    Invitation.objects.bulk_create(rows)
    Message.objects.bulk_create(Message(game=running, seat=2, text="x" * 300, at=now) for _ in range(MANY))
    spectators = Spectator.objects.bulk_create(Spectator(game=running, user=person) for person in people)
    heard = SpectatorMessage.objects.bulk_create(
        SpectatorMessage(game=running, number=number, spectator=spectator, text="x" * 300, at=now)
        for number, spectator in enumerate(spectators, 10)
    )
    kinds = list(ReactionKind)
    Reaction.objects.bulk_create(
        Reaction(game=running, user=person, spectator_message=one, kind=kinds[number % len(kinds)], at=now)
        for one in heard[-60:]
        for number, person in enumerate(people)
    )
    written = Message.objects.filter(game=running)
    Reaction.objects.bulk_create(
        Reaction(game=running, user=player, message=one, kind=kind, at=now) for one in written for kind in kinds
    )
    Remark.objects.bulk_create(
        Remark(game=running, at=now, after=0, kind="asked", seat=1, params={"proposal": "cancel"}) for _ in range(MANY)
    )
    Notice.objects.bulk_create(
        Notice(
            user=player,
            game=running,
            kind="turn",
            topic="turn",
            ref=f"x{n}",
            at=now,
            due_at=now,
            state="sent",
            closed_at=now,
        )
        for n in range(MANY)
    )
    days = [day + timedelta(days=2 * number) for number in range(2 * MANY)]
    Holiday.objects.bulk_create(Holiday(user=player, first=first, last=first) for first in days)


@pytest.mark.slow
def test_every_answer_is_bounded_however_much_there_is() -> None:
    world = World()
    heap_up(world)
    sizes = {(role, str(row)): len(world.ask(role, row).content) for role in ROLES for row in ROWS}
    assert {asked: size for asked, size in sizes.items() if size > FIXED.get(asked[1].split("-")[0], LARGEST)} == {}
