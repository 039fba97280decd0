"""People and games that are made up to be measured are such as the commands would have stored."""

import random
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Block, User
from accounts.names import validate_name, validate_person
from games import commands
from games.commands.rebuild_game import verify_game
from games.management.load.fill import Load, fill
from games.management.load.people import HEAVY
from games.models import Career, Entry, Friend, Game, Invitation, Mark, Message, Report, Result, Rivalry, Seat
from games.models.choices import Status
from games.notices.models import Notice
from tests.flows.people import signed_in
from tests.flows.play import make_user

pytestmark = [pytest.mark.django_db, pytest.mark.anydb, pytest.mark.slow]

FOLLOWS = (Result, Mark, Career, Rivalry)


def seed(**more: Any) -> None:
    call_command("seed_load", **{"people": 60, "games": 120, "logs": 120, "yes": True, "verbosity": 0, **more})


def rows_of(model: Any) -> list[tuple[Any, ...]]:
    columns = [field.attname for field in model._meta.concrete_fields if field.name != "id"]
    return sorted(model.objects.values_list(*columns), key=repr)


def test_every_game_with_a_log_and_all_that_follows_is_what_the_commands_store() -> None:
    seed()
    assert {key: found for key in keys() if (found := verify_game(game_key=key))} == {}
    assert commands.check_ratings(now=timezone.now()) == ""
    before = {model: rows_of(model) for model in FOLLOWS}
    assert all(before.values())
    commands.forget_results()
    for game in Game.objects.filter(status=Status.FINISHED):
        assert commands.tally_game(game_id=game.pk)
    for model in FOLLOWS:
        assert set(map(repr, rows_of(model))) == set(map(repr, before[model]))


def keys() -> list[str]:
    return list(Game.objects.exclude(started_at=None).values_list("key", flat=True))


def test_one_person_has_their_share_and_seats_say_when_their_games_ended() -> None:
    seed(heavy=60, logs=3)
    finished = Game.objects.filter(status=Status.FINISHED)
    assert (finished.count(), finished.filter(seats__user=HEAVY).count()) == (120, 60)
    assert not Seat.objects.exclude(game__finished_at=None).exclude(ended_at=F("game__finished_at")).exists()
    assert not Seat.objects.filter(game__finished_at=None).exclude(ended_at=None).exists()
    logged = Entry.objects.filter(game__status=Status.FINISHED).values("game").distinct()
    assert logged.count() == 3
    newest = finished.order_by("-finished_at", "-pk").values_list("pk", flat=True)[:3]
    assert {*newest} == {*logged.values_list("game", flat=True)}
    assert all(model.objects.exists() for model in (Friend, Block, Invitation, Message, Notice, Report))


def test_its_people_have_names_that_anybody_could_have_and_can_be_found() -> None:
    seed()
    assert User.objects.confirmed().count() == 60
    for person in User.objects.all():
        validate_name(person.display_name)
        validate_person(person.display_name)
        assert User.objects.named(person.display_name) == person


def test_games_that_run_are_played_on_by_their_people() -> None:
    seed()
    now = timezone.now()
    for game in Game.objects.filter(status=Status.ACTIVE)[:5]:
        assert game.deadline is not None
        assert game.deadline > now
        mover = game.seats.get(number=game.to_move)
        assert mover.user is not None
        commands.resign(game_key=game.key, user=mover.user, seq=game.seq, now=now)
        assert verify_game(game_key=game.key) == []


def test_what_comes_after_has_numbers_of_its_own() -> None:
    seed()
    person = make_user("Newcomer")
    terms: dict[str, Any] = {"ruleset": "gravity-1", "size": 2, "options": {}, "public": True, "bots": ["nova:1"]}
    game = commands.create_game(user=person, now=timezone.now(), rng=random.Random(1), **terms)
    assert game.status == Status.ACTIVE


def test_the_same_seed_makes_the_same() -> None:
    now = timezone.now() - timedelta(seconds=1)
    made = []
    for number in (1, 1, 2):
        with transaction.atomic():
            load = Load(people=50, finished=20, of_heavy=5, running=5, open=5, with_log=20, seed=number)
            assert list(fill(load, now))
            made.append([rows_of(model) for model in (Game, Entry, Result, Friend)])
            transaction.set_rollback(True)
    assert made[0] == made[1] != made[2]


def test_it_is_refused_where_there_is_anybody_or_nobody_said_yes(client: Client) -> None:
    with pytest.raises(CommandError, match="say --yes"):
        seed(yes=False)
    with pytest.raises(CommandError, match="at least"):
        seed(people=3)
    make_user("Ada")
    with pytest.raises(CommandError, match="empty"):
        seed()
    assert User.objects.count() == 1


def test_lists_and_the_newest_games_open_for_whoever_has_most() -> None:
    seed(logs=20)
    browser = signed_in(User.objects.get(pk=HEAVY))
    for address in (reverse("my_games"), reverse("watch"), reverse("lobby"), reverse("friends")):
        assert browser.get(address).status_code == 200
    for game in Game.objects.filter(status=Status.FINISHED, players_only=False).order_by("-finished_at", "-pk")[:3]:
        assert browser.get(reverse("game", args=[game.key])).status_code == 200
